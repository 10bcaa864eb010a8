"""What would be changed, in which order, with which undo; and what is not, for which reason. Schema fullrate/plan/1."""

from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from fullrate.records.setting import Disruption, Setting
from fullrate.records.target import PLAIN, Access

SCHEMA: Final = "fullrate/plan/1"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
# ("read", PATH), ("run", ARGV, SECONDS), ("write", PATH, TEXT): as fullrate_guard.py takes it
Wire = tuple[str | float | tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A setting as the guard program on the machine knows it; fullrate_guard.py says what each part is."""

    knob: str
    subject: str
    link: str
    request: Wire
    pattern: str
    found: str
    inverses: tuple[Wire, ...]
    expect: str = ""
    action: Wire = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One setting that is changed: what a person reads of it, and what the machine does."""

    setting: Setting
    current: str  # as a reader has it
    command: str  # as a person would type it
    undo: str
    disruption: Disruption
    because: str
    reference: str
    item: Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A setting that was wanted and is not planned, and why."""

    setting: Setting
    reason: str
    because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPlan:
    """The changes of one host; `watched`: what they may change besides, as it was found."""

    id: str
    target: str
    boot_id: str = ""  # of the host when it was read; empty: it was not
    access: Access = PLAIN
    steps: tuple[Step, ...] = ()
    refused: tuple[Refusal, ...] = ()
    already: tuple[Setting, ...] = ()  # what is so already
    watched: tuple[Item, ...] = ()
    unreachable: str = ""  # why the host could not be read

    @property
    def missing(self) -> str:
        """Why the host could not be read, with its name; empty where it was."""
        named = not self.unreachable or self.unreachable.startswith(self.target)
        return self.unreachable if named else f"{self.target}: {self.unreachable}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The changes of a job, host by host."""

    schema: Literal["fullrate/plan/1"] = SCHEMA
    id: str
    made_at: str  # ISO 8601, UTC
    tool_version: str
    hosts: tuple[HostPlan, ...]
    run: str = ""  # the run whose findings they are for; empty: a person named the settings
    advice: tuple[str, ...] = ()  # what no setting of ours mends

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, in the order in which they are made."""
        return tuple(step for host in self.hosts for step in host.steps)


def schema_text() -> str:
    """The JSON Schema of the document, as it stands in docs/schema/plan-1.json."""
    schema = {"$schema": _DIALECT, "title": SCHEMA, **msgspec.json.schema(Plan)}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")  # noqa: T201 - python -m fullrate.records.plan > docs/schema/plan-1.json
