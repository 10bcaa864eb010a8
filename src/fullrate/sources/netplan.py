"""The files that netplan reads, and those it wrote: the settings of systemd-networkd or NetworkManager.

    /etc/netplan/50-cloud-init.yaml
    /run/systemd/network/10-netplan-eth0.network

netplan-generate(8): it is no running program, so no list of processes shows it; what it wrote is lost at the next boot
or `netplan apply`, and the .yaml files are the place to change. Without netplan both lists are empty.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ListGlob, Request
from fullrate.records.facts.processor import NetplanFiles
from fullrate.records.leaf import Source, always, reads
from fullrate.sources._text import lines_of

_READS = "/etc/netplan/*.yaml"
_WROTE = "/run/systemd/network/*netplan*"
_READ_LINE = re.compile(r"/etc/netplan/[^/]+\.yaml")
_WROTE_LINE = re.compile(r"/run/systemd/network/[^/]*netplan[^/]*")


def _parse(_: Request, payload: bytes) -> tuple[NetplanFiles, ...]:
    lines = lines_of(payload)
    reads_, wrote = (tuple(filter(form.fullmatch, lines)) for form in (_READ_LINE, _WROTE_LINE))
    if len(reads_) + len(wrote) < len(lines):
        raise FormatError("netplan: not a list of its files")
    return (NetplanFiles(reads=reads_, wrote=wrote),) if lines else ()


def _recognizes(text: str) -> bool:
    lines = lines_of(text)
    return bool(lines) and all(_READ_LINE.fullmatch(line) or _WROTE_LINE.fullmatch(line) for line in lines)


SOURCE = Source(
    id="netplan",
    facts=(NetplanFiles,),
    requests=always(ListGlob(pattern=_READS), ListGlob(pattern=_WROTE)),
    answers=reads(_READS, _WROTE),
    recognizes=_recognizes,
    parse=_parse,
)
