"""`pgrep -l -x NAME|NAME...`: the running programs that set network or CPU settings by themselves.

    2 kthreadd
    412 NetworkManager
    530 irqbalance

pgrep(1). Process names are cut at 15 letters (TASK_COMM_LEN in include/linux/sched.h), so systemd-networkd shows as
systemd-network. kthreadd always runs: its line shows that the list was read, where no owner runs at all.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import SettingOwners
from fullrate.records.leaf import Source, always, runs
from fullrate.sources._text import lines_of

_ALWAYS = "kthreadd"
_OWNERS = {
    "irqbalance": "irqbalance",
    "tuned": "tuned",
    "NetworkManager": "NetworkManager",
    "systemd-network": "systemd-networkd",
    "connmand": "connmand",
    "netifd": "netifd",
    "thermald": "thermald",
    "power-profiles-": "power-profiles-daemon",
}
_LINE = re.compile(r"(\d+) (\S+)")


def _parse(_: Request, payload: bytes) -> tuple[SettingOwners, ...]:
    rows = [_LINE.fullmatch(line.strip()) for line in lines_of(payload)]
    found = [row[2] for row in rows if row]
    if not found or len(found) < len(rows) or not {_ALWAYS, *_OWNERS}.issuperset(found):
        raise FormatError("pgrep: not a list of process numbers and names")
    return (SettingOwners(names=tuple(dict.fromkeys(_OWNERS[name] for name in found if name in _OWNERS))),)


SOURCE = Source(
    id="setting_owners",
    facts=(SettingOwners,),
    requests=always(query("pgrep", "-l", "-x", "|".join((_ALWAYS, *_OWNERS)))),
    answers=runs("pgrep", "-l", "-x"),
    recognizes=lambda text: f"2 {_ALWAYS}" in lines_of(text),
    parse=_parse,
)
