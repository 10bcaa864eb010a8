"""A plan as a document that a person may read, edit, or send on; what does not say what it does is refused."""

import re

import msgspec

from fullrate.planning.wire import ACTS, LOOKS, as_typed, see_words
from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError
from fullrate.records.plan import HostPlan, Item, Plan, Step
from fullrate.records.setting import called

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # it names files


def encode_plan(plan: Plan) -> bytes:
    """The document of a plan."""
    return msgspec.json.format(msgspec.json.encode(plan), indent=2) + b"\n"


def decode_plan(document: bytes) -> Plan:
    """The plan of a document. Raises FormatError when it is none, or does something else than it shows."""
    plan = decoded(document, Plan)
    names = [host.id for host in plan.hosts]
    if not all(map(_NAME.fullmatch, (plan.id, *names))) or len(set(names)) < len(names):
        told = ", ".join((plan.id, *names))
        raise FormatError(f"a plan and its hosts have names of their own, of letters and digits: {told}")
    for host in plan.hosts:
        _see_host(host)
    return plan


def _see_host(host: HostPlan) -> None:
    for number, step in enumerate(host.steps, 1):
        try:
            _see_step(step)
        except FormatError as error:
            raise FormatError(f"step {number} on {host.target}: {error}") from error
    for item in host.watched:
        _see_item(item)


def _see_step(step: Step) -> None:
    item = step.item
    _see_item(item)
    see_words(item.action, ACTS)
    _see_pattern(item.expect)
    shown = (step.setting.knob, step.setting.subject, step.command, step.undo)
    done = (item.knob, item.subject, as_typed(item.action), as_typed(item.inverses[0]))
    for shows, does in zip(shown, done, strict=True):
        if shows != does:
            raise FormatError(f"it shows {shows!r} and does {does!r}")


def _see_item(item: Item) -> None:
    see_words(item.request, LOOKS)
    _see_pattern(item.pattern)
    for action in item.inverses:
        see_words(action, ACTS)
    if not item.inverses:
        raise FormatError(f"{called(item.knob, item.subject)} has no undo")


def _see_pattern(text: str) -> None:
    try:
        re.compile(text)
    except re.error as error:
        raise FormatError(f"{text!r} is no regular expression: {error}") from error
