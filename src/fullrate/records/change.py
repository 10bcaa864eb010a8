"""A change that was made on a machine, as its guard program tells of it. Schema fullrate/change/1."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

import msgspec

from fullrate.records.units import Seconds

SCHEMA: Final = "fullrate/change/1"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class ChangeState(StrEnum):
    """Where a change stands."""

    WAITING = "waiting"  # in place; comes back by itself unless it is confirmed
    CONFIRMED = "confirmed"  # in place, kept
    REVERTED = "reverted"  # everything is as it was found
    KEPT_OFF = "kept_off"  # the same, but for what somebody else has set since
    OPEN = "open"  # its run did not end in order and nothing guards it: recover it
    FAILED = "failed"  # something could not be put back
    REFUSED = "refused"  # nothing was touched


class Outcome(StrEnum):
    """What came of one setting."""

    DONE = "done"
    NOT_DONE = "not_done"
    CHANGED = "changed"  # by itself, with another
    AS_FOUND = "as_found"  # there was nothing to put back
    RESTORED = "restored"
    KEPT_OFF = "kept_off"  # somebody else has set it since
    REBOOTED = "rebooted"  # the machine was started anew and set it otherwise
    GONE = "gone"  # its link is gone
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedSetting:
    """One setting of a change."""

    knob: str
    subject: str
    found: str
    now: str | None
    outcome: Outcome
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change; `at` is the machine's wall clock."""

    id: str
    state: ChangeState
    at: Seconds = 0.0
    label: str = ""  # the target it was made on
    because: str = ""
    here: bool = True  # False: in another network namespace of that machine
    seconds_left: Seconds | None = None  # until it comes back, while it waits
    why: str = ""  # it was put back
    damaged: bool = False  # its journal cannot be read to the end
    items: tuple[ChangedSetting, ...] = ()
    also: tuple[ChangedSetting, ...] = ()  # what it changed besides
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Changes, as every verb tells of them; `unreadable`: journals of the target that cannot be read."""

    schema: Literal["fullrate/change/1"] = SCHEMA
    target: str = ""  # the host that was asked for all of its changes
    changes: tuple[Change, ...] = ()
    unreadable: tuple[str, ...] = ()


def schema_text() -> str:
    """The JSON Schema of the document, as it stands in docs/schema/change-1.json."""
    schema = {"$schema": _DIALECT, "title": SCHEMA, **msgspec.json.schema(Changes)}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")  # noqa: T201 - python -m fullrate.records.change > docs/schema/change-1.json
