"""`nic.feature.NAME`: an offload, on or off, by the name that `ethtool -k` shows.

    # ethtool -k eth0
    tx-checksumming: on
            tx-checksum-ip-generic: on
            tx-checksum-ipv6: off [fixed]
    tcp-segmentation-offload: off
            tx-tcp-segmentation: off [requested on]
    generic-receive-offload: on

ethtool(8), -K; Documentation/networking/netdev-features.rst; dump_features in ethtool's netlink/features.c. A name that
stands over others is set member by member, so that each goes back to what it was. `[requested on]`: something it needs
is off. `[fixed]`: the driver lets nobody set it. ethtool may change a part and report success.
"""

import itertools
import re
from dataclasses import replace

from fullrate.knobs._ethtool import ask, set_, text_of
from fullrate.knobs._links import configured, link_of, typed
from fullrate.records.finding import Remedy
from fullrate.records.leaf import Answers, Knob
from fullrate.records.setting import CannotSetError, Disruption, Reading, Setting, Writing, exactly

_FLAG = "-k"
_ID = "nic.feature"
_SHORT = {  # off_flag_def in ethtool's common.c
    "rx": "rx-checksumming",
    "tx": "tx-checksumming",
    "sg": "scatter-gather",
    "tso": "tcp-segmentation-offload",
    "gso": "generic-segmentation-offload",
    "gro": "generic-receive-offload",
    "lro": "large-receive-offload",
    "rxvlan": "rx-vlan-offload",
    "txvlan": "tx-vlan-offload",
    "ntuple": "ntuple-filters",
    "rxhash": "receive-hashing",
}
_ROW = re.compile(r"^(\t?)([a-z0-9_-]+): (on|off)( \[requested (?:on|off)\])?( \[fixed\])?$", re.MULTILINE)
_WORDS = (
    r"^[[:space:]]*([A-Za-z0-9]*(Segmentation|Checksum|Receive)Offload|[A-Za-z]*Acceleration=|NTupleFilter="
    r"|feature-|offload-|[a-z0-9-]*-offload:)|" + typed("-K", "--offload", "--features")
)
_NEEDED = ("checksum", "scatter-gather")  # by the others: netdev_fix_features in net/core/dev.c
_NEEDING = ("tx-tcp-ecn-segmentation", "tx-tcp-mangleid-segmentation")  # TCP segmentation itself: the same
# Below TCP segmentation, which does without it: the kernel offers it with the others and leaves it off, for it lets
# a driver give all packets of a segment one IP ID (register_netdevice, net/core/dev.c; segmentation-offloads.rst).
_ALONE = "tx-tcp-mangleid-segmentation"


def _name(setting: Setting) -> str:
    return setting.knob.removeprefix(f"{_ID}.")


def _rows(text: str) -> dict[str, re.Match[str]]:
    return {match[2]: match for match in _ROW.finditer(text)}


def _members(name: str, text: str) -> tuple[re.Match[str], ...]:
    """The rows of the features below a name; none: it is a feature itself."""
    rows = list(_ROW.finditer(text))
    start = next((number for number, row in enumerate(rows) if row[2] == name and not row[1]), len(rows))
    return tuple(itertools.takewhile(lambda row: row[1], rows[start + 1 :]))


def _pairs(knob: str, link: str, value: str) -> tuple[Setting, ...]:
    """Of `nic.feature`, `tso on gro on`; of one feature, its value. A name may be ethtool's short one."""
    words = value.split() if knob == _ID else [knob.removeprefix(f"{_ID}."), value]
    pairs = zip(words[::2], [*words[1::2], ""], strict=False)
    return tuple(Setting(knob=f"{_ID}.{_SHORT.get(name, name)}", subject=link, value=state) for name, state in pairs)


def _spread(setting: Setting, answers: Answers) -> tuple[Setting, ...]:
    text = text_of(answers, ask(link_of(setting), _FLAG))
    return tuple(one for each in _pairs(setting.knob, setting.subject, setting.value) for one in _singles(each, text))


def _singles(setting: Setting, text: str) -> tuple[Setting, ...]:
    """The setting, or one for each member of it that can be changed. Raises CannotSetError where none can."""
    members = _members(_name(setting), text)
    free = [row[2] for row in members if not row[5] and (row[2] != _ALONE or setting.value != "on")]
    if members and not free:
        raise CannotSetError(f"the driver of {setting.link} lets no part of {_name(setting)} be changed")
    return tuple(replace(setting, knob=f"{_ID}.{name}") for name in free) or (setting,)


def _limit(setting: Setting, answers: Answers) -> None:
    row = _rows(text_of(answers, ask(link_of(setting), _FLAG))).get(_name(setting))
    if row is None:
        raise CannotSetError(f"{setting.link} has no feature {_name(setting)!r}")
    if row[5]:
        raise CannotSetError(f"the driver of {setting.link} does not let {_name(setting)} be changed: {row[3]} [fixed]")
    if setting.value not in {"on", "off"}:
        raise CannotSetError(f"a feature is on or off, not {setting.value!r}")


def _reading(setting: Setting) -> Reading:
    pattern = rf"^\t?{re.escape(_name(setting))}: ((?:on|off)(?: \[requested (?:on|off)\])?)"
    return Reading(request=ask(link_of(setting), _FLAG), pattern=pattern)


def _write(setting: Setting, _: Answers) -> Writing:
    """Of a value as it is read: of `off [requested on]` what was requested is set."""
    requested = re.search(r"\[requested (on|off)\]", setting.value)
    word = requested[1] if requested else setting.value
    return exactly(set_(link_of(setting), "-K", _name(setting), word), setting.value)


def _wanted(remedy: Remedy) -> tuple[Setting, ...]:
    return _pairs(remedy.knob, remedy.subject, remedy.value)


def _shown(link: str, answers: Answers) -> tuple[Setting, ...]:
    try:
        text = text_of(answers, ask(link, _FLAG))
    except CannotSetError:
        return ()
    return tuple(
        Setting(knob=f"{_ID}.{name}", subject=link, value=row[3] + (row[4] or ""))
        for name, row in _rows(text).items()
        if not row[5] and not _members(name, text)
    )


def _order(setting: Setting) -> int:
    """What is needed first, when it is switched on; what needs it first, when it is switched off."""
    name = _name(setting)
    rank = 2 if name in _NEEDING else 0 if any(word in name for word in _NEEDED) else 1
    return rank if setting.value == "on" else 2 - rank


KNOB = Knob(
    id=_ID,
    takes=lambda setting: setting.knob == _ID or setting.knob.startswith(f"{_ID}."),
    reading=_reading,
    limit=_limit,
    write=_write,
    wanted=_wanted,
    spread=_spread,
    survey=lambda link: (ask(link, _FLAG),),
    shown=_shown,
    disruption=Disruption.QUEUES,
    owners=lambda setting: configured(setting, _WORDS),
    order=_order,
    reference="ethtool(8), --offload; Documentation/networking/netdev-features.rst",
)
