"""What knobs set with ethtool(8) share: a table of maxima and a table of what is set, as -g and -l print them."""

import re

from fullrate.knobs._links import link_of, named, whole_number
from fullrate.records.evidence import ChangeCommand, QueryCommand, Status, change, query
from fullrate.records.leaf import Answers
from fullrate.records.setting import CannotSetError, Reading, Setting, Writing, exactly

SECONDS = 15.0  # a driver may stop its link, wait for the hardware and start again
_SET = "Current hardware settings:"
_MOST = re.compile(rf"(?s)^Pre-set maximums:\n(.*?)(?:^{_SET}|\Z)", re.MULTILINE)


def ask(link: str, flag: str) -> QueryCommand:
    """The request for what a flag shows of a link. Raises CannotSetError where no link can be called so."""
    return query("ethtool", flag, named(link))


def set_(link: str, flag: str, *words: str) -> ChangeCommand:
    """The action that sets with a flag."""
    return change("ethtool", flag, named(link), *words, timeout=SECONDS)


def text_of(answers: Answers, request: QueryCommand) -> str:
    """What a request showed. Raises CannotSetError where it could not be asked."""
    reply = answers.get(request.key)
    if reply is None or reply.status is not Status.OK:
        said = reply.error.strip().splitlines()[:1] or [str(reply.status)] if reply else ["not asked"]
        raise CannotSetError(f"{request.key.removeprefix('run ')}: {said[0]}")
    return reply.payload.decode(errors="replace")


def now_of(setting: Setting, flag: str, labels: dict[str, str]) -> Reading:
    """The reading of a row in the lower of the two tables. Raises CannotSetError where no row is called so."""
    label = labels.get(last_word(setting))
    if label is None:
        raise CannotSetError(f"{setting.knob} is not one setting: it is one of {', '.join(labels)}")
    pattern = rf"(?s)^{_SET}\n.*?^{label}:[ \t]+(\d+)$"
    return Reading(request=ask(link_of(setting), flag), pattern=pattern)


def within(setting: Setting, answers: Answers, flag: str, labels: dict[str, str], *, least: int) -> None:
    """Raise CannotSetError where the value is beyond the row's maximum in the upper table."""
    reading = now_of(setting, flag, labels)
    text = text_of(answers, ask(link_of(setting), flag))
    table = _MOST.search(text)
    most = table and re.search(rf"^{labels[last_word(setting)]}:[ \t]+(\d+)$", table[1], re.MULTILINE)
    if not most or not int(most[1]) or reading.value(text) is None:
        raise CannotSetError(f"the driver of {setting.link} has no {setting.knob}")
    whole_number(setting, least, int(most[1]))


def rows(link: str, answers: Answers, flag: str, knob: str, labels: dict[str, str]) -> tuple[Setting, ...]:
    """What the lower table shows, as settings of that knob; nothing where it could not be asked."""
    try:
        text = text_of(answers, ask(link, flag))
    except CannotSetError:
        return ()
    settings = (Setting(knob=f"{knob}.{word}", subject=link, value="") for word in labels)
    found = ((one, now_of(one, flag, labels).value(text)) for one in settings)
    return tuple(Setting(knob=one.knob, subject=link, value=value) for one, value in found if value is not None)


def written(setting: Setting, flag: str) -> Writing:
    """The writing of a value by the last word of its knob's name."""
    word = last_word(setting).replace("_", "-")
    return exactly(set_(link_of(setting), flag, word, setting.value), setting.value)


def last_word(setting: Setting) -> str:
    """`rx` of `nic.ring.rx`."""
    return setting.knob.rpartition(".")[2]
