"""`nic.channels.combined`, `.rx`, `.tx`: how many queues with interrupts of their own a NIC uses.

    # ethtool -l eth0
    Pre-set maximums:
    RX:             n/a
    TX:             n/a
    Other:          1
    Combined:       8
    Current hardware settings:
    RX:             n/a
    TX:             n/a
    Other:          1
    Combined:       4

ethtool(8), -L; ETHTOOL_MSG_CHANNELS_SET in Documentation/networking/ethtool-netlink.rst. The kernel refuses fewer than
the RSS table uses (ethnl_set_channels in net/ethtool/channels.c). Interrupts get other numbers, and what was set for a
queue that goes is lost: that is watched, and put back with the queues.
"""

from fullrate.knobs._ethtool import ask, now_of, rows, within, written
from fullrate.knobs._links import configured, typed
from fullrate.records.finding import Remedy
from fullrate.records.leaf import Answers, Knob
from fullrate.records.setting import Disruption, Setting

_ID = "nic.channels"
_LABELS = {"rx": "RX", "tx": "TX", "combined": "Combined"}
_FLAG = "-l"
_WORDS = rf"^[[:space:]]*((Rx|Tx|Combined)Channels|channels-)|{typed('-L', '--set-channels')}"


def _spread(setting: Setting, _: Answers) -> tuple[Setting, ...]:
    """Of `nic.channels`, `combined 4` or `rx 2 tx 2`."""
    if setting.knob != _ID:
        return (setting,)
    words = setting.value.split()
    pairs = zip(words[::2], [*words[1::2], ""], strict=False)
    return tuple(Setting(knob=f"{_ID}.{word}", subject=setting.subject, value=value) for word, value in pairs)


def _wanted(remedy: Remedy) -> tuple[Setting, ...]:
    return _spread(Setting(knob=remedy.knob, subject=remedy.subject, value=remedy.value), {})


KNOB = Knob(
    id=_ID,
    takes=lambda setting: setting.knob == _ID or setting.knob.startswith(f"{_ID}."),
    reading=lambda setting: now_of(setting, _FLAG, _LABELS),
    limit=lambda setting, answers: within(setting, answers, _FLAG, _LABELS, least=1),
    write=lambda setting, _: written(setting, "-L"),
    wanted=_wanted,
    spread=_spread,
    survey=lambda link: (ask(link, _FLAG),),
    shown=lambda link, answers: rows(link, answers, _FLAG, _ID, _LABELS),
    disruption=Disruption.LINK,
    owners=lambda setting: configured(setting, _WORDS),
    reference="ethtool(8), --set-channels",
)
