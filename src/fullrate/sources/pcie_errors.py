"""`grep -sH '' FILE...`: the PCIe errors that a link's device and the port above it counted since boot.

    /sys/class/net/eth3/device/aer_dev_correctable:RxErr 0
    /sys/class/net/eth3/device/aer_dev_correctable:BadTLP 12
    /sys/class/net/eth3/device/aer_dev_correctable:TOTAL_ERR_COR 12
    /sys/class/net/eth3/device/../aer_dev_nonfatal:TOTAL_ERR_NONFATAL 0

Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats; drivers/pci/pcie/aer.c, since Linux 4.19. Each side of a
PCIe link counts what it received damaged: the device what comes from the host, the port above it what the device sends.
"""

import re
from collections import defaultdict

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request
from fullrate.records.facts.bus import PcieErrors
from fullrate.records.leaf import Source, for_many_devices
from fullrate.records.parsing import whole
from fullrate.sources._grep import file_lines, grep, matched, mentions

_KINDS = ("correctable", "nonfatal", "fatal")
_FORM = r"/sys/class/net/(?P<link>[^/]+)/device(?P<up>(?:/\.\.)*)/aer_dev_(?P<kind>correctable|nonfatal|fatal)"
_PATH = re.compile(_FORM)
_TOTAL = "TOTAL_ERR_"


def _request(links: tuple[str, ...]) -> QueryCommand:
    folders = [f"/sys/class/net/{link}/device{up}" for link in links for up in ("", "/..")]
    return grep(*(f"{folder}/aer_dev_{kind}" for folder in folders for kind in _KINDS))


def _errors(link: str, level: int, kinds: dict[str, dict[str, int]]) -> PcieErrors:
    worse = [kinds[kind] for kind in _KINDS[1:] if kind in kinds]
    totals = [number for table in worse for name, number in table.items() if name.startswith(_TOTAL)]
    corrected = {name: number for name, number in kinds.get("correctable", {}).items() if not name.startswith(_TOTAL)}
    return PcieErrors(subject=link, level=level, corrected=corrected, uncorrected=sum(totals) if totals else None)


def _parse(_: Request, payload: bytes) -> tuple[PcieErrors, ...]:
    devices: dict[tuple[str, int], dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for line in file_lines(payload):
        found = matched(line.path, _PATH)
        name, space, number = line.value.rpartition(" ")
        if not space:
            raise FormatError(f"aer: no name and number in {line.value!r}")
        devices[found["link"], found["up"].count("..")][found["kind"]][name] = whole(number)
    return tuple(_errors(link, level, kinds) for (link, level), kinds in devices.items())


def _answers(request: Request) -> bool:
    return isinstance(request, QueryCommand) and request.argv[:1] == ("grep",) and bool(_PATH.search(request.argv[-1]))


SOURCE = Source(
    id="pcie_errors",
    facts=(PcieErrors,),
    requests=for_many_devices(_request),
    answers=_answers,
    recognizes=mentions(_FORM),
    parse=_parse,
    moving=True,
)
