"""`nic.coalesce.rx_usecs`, `.adaptive_rx` and the others: how long a NIC waits before it interrupts.

    # ethtool -c eth0
    Coalesce parameters for eth0:
    Adaptive RX: off  TX: off
    stats-block-usecs: n/a
    rx-usecs:       3
    rx-frames:      n/a
    tx-usecs:       0

ethtool(8), -C; ETHTOOL_MSG_COALESCE_SET in Documentation/networking/ethtool-netlink.rst. With adaptive moderation on, a
driver sets the times by itself. Some drivers reset their queues.
"""

import re

from fullrate.knobs._ethtool import ask, last_word, text_of, written
from fullrate.knobs._links import configured, link_of, typed, whole_number
from fullrate.records.leaf import Answers, Knob
from fullrate.records.setting import CannotSetError, Disruption, Reading, Setting

_NUMBERS = tuple(f"{way}_{what}{when}" for way in ("rx", "tx") for what in ("usecs", "frames") for when in ("", "_irq"))
_SWITCHES = {"adaptive_rx": r"^Adaptive RX: (on|off)\b", "adaptive_tx": r"^Adaptive RX: \S+\s+TX: (on|off)\b"}
_FLAG = "-c"
_MOST = (1 << 32) - 1  # u32 in struct ethtool_coalesce, include/uapi/linux/ethtool.h
_WORDS = (
    r"^[[:space:]]*((Rx|Tx)(MaxCoalesced|Coalesce)|UseAdaptive[RT]xCoalesce|coalesce-|hardware-irq-coalesce-)|"
    + typed("-C", "--coalesce")
)


def _pattern(word: str) -> str:
    return _SWITCHES.get(word, rf"^{word.replace('_', '-')}:[ \t]+(\d+)$")


def _reading(setting: Setting) -> Reading:
    return Reading(request=ask(link_of(setting), _FLAG), pattern=_pattern(last_word(setting)))


def _limit(setting: Setting, answers: Answers) -> None:
    if _reading(setting).value(text_of(answers, ask(setting.link, _FLAG))) is None:
        raise CannotSetError(f"the driver of {setting.link} has no {setting.knob}")
    if last_word(setting) not in _SWITCHES:
        whole_number(setting, 0, _MOST)
    elif setting.value not in {"on", "off"}:
        raise CannotSetError(f"{setting.knob} is on or off, not {setting.value!r}")


def _shown(link: str, answers: Answers) -> tuple[Setting, ...]:
    try:
        text = text_of(answers, ask(link, _FLAG))
    except CannotSetError:
        return ()
    found = {word: re.search(_pattern(word), text, re.MULTILINE) for word in (*_SWITCHES, *_NUMBERS)}
    values = {word: match[1] for word, match in found.items() if match}
    by_itself = tuple(word[-2:] + "_" for word in _SWITCHES if values.get(word) == "on")  # what the driver moves now
    return tuple(
        Setting(knob=f"nic.coalesce.{word}", subject=link, value=value)
        for word, value in values.items()
        if not word.startswith(by_itself)
    )


KNOB = Knob(
    id="nic.coalesce",
    takes=lambda setting: setting.knob in {f"nic.coalesce.{word}" for word in (*_SWITCHES, *_NUMBERS)},
    reading=_reading,
    limit=_limit,
    write=lambda setting, _: written(setting, "-C"),
    survey=lambda link: (ask(link, _FLAG),),
    shown=_shown,
    disruption=Disruption.QUEUES,
    owners=lambda setting: configured(setting, _WORDS),
    order=lambda setting: last_word(setting) not in _SWITCHES,
    reference="ethtool(8), --coalesce",
)
