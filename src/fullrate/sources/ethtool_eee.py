"""`ethtool --show-eee IFNAME`: Energy Efficient Ethernet.

    EEE settings for eth0:
            EEE status: enabled - active
            Tx LPI: disabled
            Supported EEE link modes:  100baseT/Full
                                       1000baseT/Full

Form: ethtool's netlink/eee.c; before 5.10 the title said `EEE Settings`. The status is `not supported`, `disabled`,
`enabled - active` or `enabled - inactive`. Drivers without EEE answer "Operation not supported".
"""

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.phy import EnergyEfficiency
from fullrate.records.leaf import Source, for_each_device, runs
from fullrate.sources._text import first_line, lines_of, section

_TITLE = "eee settings for "
_STATUS = "EEE status:"
_KNOWN = {
    "not supported": EnergyEfficiency(supported=False),
    "disabled": EnergyEfficiency(supported=True),
    "enabled - inactive": EnergyEfficiency(supported=True, enabled=True),
    "enabled - active": EnergyEfficiency(supported=True, enabled=True, active=True),
}


def parse(request: Request, payload: bytes) -> tuple[EnergyEfficiency, ...]:
    """The link's EEE. Raises FormatError."""
    part = section(request, payload, _title(payload))
    status = next((line.strip() for line in part.lines if line.strip().startswith(_STATUS)), "")
    known = _KNOWN.get(status.removeprefix(_STATUS).strip())
    if known is None:
        raise FormatError(f"{status!r} is no EEE status of ethtool --show-eee")
    return (
        EnergyEfficiency(subject=part.subject, supported=known.supported, enabled=known.enabled, active=known.active),
    )


def _title(payload: bytes) -> str:
    """The title as this generation of the tool writes it."""
    start = next(iter(lines_of(payload)), "").lstrip()[: len(_TITLE)]
    return start if start.lower() == _TITLE else _TITLE


SOURCE = Source(
    id="ethtool_eee",
    facts=(EnergyEfficiency,),
    requests=for_each_device(lambda link: query("ethtool", "--show-eee", link)),
    answers=runs("ethtool", "--show-eee"),
    recognizes=lambda text: first_line(text).lstrip().lower().startswith((_TITLE, _STATUS.lower())),
    parse=parse,
)
