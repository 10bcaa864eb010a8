"""The document of `doctor`: schema fullrate/doctor/1. Its keys are a promise."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

import msgspec

DOCTOR_SCHEMA: Final = "fullrate/doctor/1"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Topic(StrEnum):
    """What an item is about."""

    TOOLS = "tools"
    RIGHTS = "rights"
    KERNEL = "kernel"
    PYTHON = "python"


class Standing(StrEnum):
    """How an item was found."""

    GOOD = "good"
    LIMITED = "limited"  # there, and something of it is hidden or held back
    MISSING = "missing"
    UNKNOWN = "unknown"  # it could not be looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing fullrate uses; `essential`: without it no check can run."""

    topic: Topic
    name: str
    standing: Standing
    purpose: str
    value: str = ""  # a version, a setting, a user
    essential: bool = False
    advice: str = ""  # what is lost, and what to do

    @property
    def usable(self) -> bool:
        """Whether a check can rely on it."""
        return self.standing in {Standing.GOOD, Standing.LIMITED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """What one machine lets fullrate see and do; `install` is the command that brings all missing tools."""

    schema: Literal["fullrate/doctor/1"] = DOCTOR_SCHEMA
    tool_version: str
    target: str
    ready: bool  # whether a check can run
    summary: str
    items: tuple[Item, ...]
    install: str = ""


def schema_text() -> str:
    """The JSON Schema of the document, as it stands in docs/schema/doctor-1.json."""
    schema = {"$schema": _DIALECT, "title": DOCTOR_SCHEMA, **msgspec.json.schema(Checkup)}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")  # noqa: T201 - python -m fullrate.records.doctor > docs/schema/doctor-1.json
