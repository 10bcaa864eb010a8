"""A machine for the tests of knobs: what it answers, and settings in few words."""

import re

from fullrate.planning import wishes_of
from fullrate.records.ends import End
from fullrate.records.evidence import Reply, Request, Status
from fullrate.records.finding import Finding
from fullrate.records.leaf import Answers, Knob
from fullrate.records.setting import CannotSetError, Owner, Setting, Writing
from tool_output import recorded

LINK = "eth3"
GENERATIONS = ("debian12", "debian13")
BAD_LINKS = ("..", "../x", "a b", "-s", "", "sixteen_letters_", "eth0:1", "eth0\n", "*")


def answers(*pairs: tuple[Request, str | bytes]) -> Answers:
    """Requests and what they were answered."""
    replies = [
        Reply(request=request, status=Status.OK, payload=text.encode() if isinstance(text, str) else text)
        for request, text in pairs
    ]
    return {reply.request.key: reply for reply in replies}


def failed(request: Request, error: str, status: Status = Status.UNSUPPORTED) -> Answers:
    """A request that was not answered."""
    return {request.key: Reply(request=request, status=status, error=error)}


def shown(request: Request, path: str) -> Answers:
    """A request and the fixture that it was answered with."""
    return answers((request, recorded(path)))


def setting(knob: str, value: str, subject: str = LINK) -> Setting:
    """A setting, of a link where nothing else is said."""
    return Setting(knob=knob, subject=subject, value=value)


def read(knob: Knob, one: Setting, text: str | bytes) -> str | None:
    """The value of a setting in an answer."""
    return knob.reading(one).value(text.decode() if isinstance(text, bytes) else text)


def refused(knob: Knob, one: Setting, found: Answers) -> str:
    """Why a value is out of range; empty: it is not."""
    try:
        knob.limit(one, found)
    except CannotSetError as reason:
        return str(reason)
    return ""


def unreadable(knob: Knob, one: Setting) -> str:
    """Why a setting cannot be read; empty: it can."""
    try:
        knob.reading(one)
    except CannotSetError as reason:
        return str(reason)
    return ""


def back(knob: Knob, one: Setting, found: Answers) -> Writing:
    """What brings the value back that was found."""
    return (knob.restores or knob.write)(one, found)


def wanted(finding: Finding) -> list[tuple[str, str, str]]:
    """Knob, subject and value of what a finding's remedies set."""
    wishes = [wish for end in End for wish in wishes_of([finding], end)]
    return [(wish.setting.knob, wish.setting.subject, wish.setting.value) for wish in wishes]


def named_by(owners: tuple[Owner, ...], *texts: str) -> list[str]:
    """Who owns a setting, when their questions are answered so; planning joins the answers alike."""
    assert {len(texts)} == {len(owner.requests) for owner in owners}
    text = "--\n".join(texts)
    return [owner.name for owner in owners if re.search(owner.pattern, text, re.MULTILINE)]
