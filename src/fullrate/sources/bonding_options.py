"""The options of a bond as people write them into files: mode and hash policy.

    BONDING_OPTS="miimon=100 mode=4 xmit_hash_policy=layer3+4"          ifcfg-bond0
    options bonding mode=802.3ad miimon=100                             modprobe.d
    bond-mode 802.3ad                                                   interfaces(5), ifenslave
    bond.options: mode=802.3ad,miimon=100                               nmcli connection show

Names and numbers of modes: Documentation/networking/bonding.rst. netplan(5) has `bonds:` and `mode:`, `parameters:`.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.bonding import Bond
from fullrate.records.leaf import Source, no_requests, reads
from fullrate.records.parsing import whole

_NUMBERS = ("balance-rr", "active-backup", "balance-xor", "broadcast", "802.3ad", "balance-tlb", "balance-alb")
_PATH = "/etc/sysconfig/network-scripts/ifcfg-*"
_OURS = re.compile(
    r"^[ \t]*(?:BONDING_OPTS=|options bond\w* |bond[-_]mode\s|bond\.options:|bonds:[ \t]*$)", re.MULTILINE
)
_MODE = re.compile(rf"\b(?:bond[-_])?mode[=:\s]\s*[\"']?(?P<mode>[0-6]\b|{'|'.join(map(re.escape, _NUMBERS))})")
_POLICY = re.compile(r"\b(?:xmit|transmit)[-_]hash[-_]policy[=:\s]\s*[\"']?(?P<policy>\w+(?:\+\w+)*)")
_NAME = re.compile(r"^[ \t]*(?:DEVICE=|iface |auto )[\"']?(?P<name>[\w.-]+)", re.MULTILINE)


def parse(_: Request, payload: bytes) -> tuple[Bond, ...]:
    """The bond; without a name where none is told. Raises FormatError."""
    text = payload.decode(errors="replace")
    mode, policy, name = _MODE.search(text), _POLICY.search(text), _NAME.search(text)
    if mode is None or not _OURS.search(text):
        raise FormatError("no mode of a bond in it")
    word = mode["mode"]
    return (
        Bond(
            subject=name["name"] if name else "",
            mode=_NUMBERS[whole(word)] if word.isdecimal() else word,
            hash_policy=policy["policy"] if policy else None,
        ),
    )


SOURCE = Source(
    id="bonding_options",
    facts=(Bond,),
    requests=no_requests,
    pasted=lambda link: ReadFile(path=f"/etc/sysconfig/network-scripts/ifcfg-{link}"),
    answers=reads(_PATH),
    recognizes=lambda text: _OURS.search(text) is not None and _MODE.search(text) is not None,
    parse=parse,
)
