"""What can be set on a machine: a setting, how it is read, what changing it disturbs, who else sets it.

A reading is a request and a pattern, not a function: the guard program on the machine reads the same way without us.
"""

import re
from dataclasses import dataclass
from enum import IntEnum

from fullrate.records.errors import FullrateError
from fullrate.records.evidence import Action, Request


class CannotSetError(FullrateError):
    """A setting cannot be planned: the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A knob of a subject, and a value: `nic.ring.rx` of `eth0`, 4096.

    The subject is a link, a queue (`eth0/rx-0`), an interrupt (`61`), or the key of a sysctl.
    """

    knob: str
    subject: str
    value: str

    @property
    def name(self) -> str:
        """`nic.ring.rx of eth0`; of a kernel setting its key alone."""
        return called(self.knob, self.subject)

    @property
    def link(self) -> str:
        """The interface it belongs to; empty where it belongs to none."""
        return "" if self.knob.startswith(("sysctl.", "irq.")) else self.subject.partition("/")[0]


def called(knob: str, subject: str) -> str:
    """How a setting is called before a reader, as by fullrate_guard.py."""
    return knob if knob.endswith(f".{subject}") else f"{knob} of {subject}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a value is read: what is asked, and the regular expression that finds it in the answer.

    The value is the pattern's groups joined by a space, several matches joined by a newline. `^` is a line's start.
    """

    request: Request
    pattern: str

    def value(self, text: str) -> str | None:
        """The value in an answer; None when it does not show one."""
        found = [" ".join(group or "" for group in match.groups()) for match in self._matches(text)]
        return "\n".join(found) if found else None

    def _matches(self, text: str) -> list[re.Match[str]]:
        return list(re.finditer(self.pattern, text, re.MULTILINE))


class Disruption(IntEnum):
    """What a change disturbs, the least first: the order in which steps are made."""

    NONE = 0  # holds for what comes
    QUEUES = 1  # packets in its queues may be lost
    LINK = 2  # some drivers stop the link for a moment

    @property
    def words(self) -> str:
        """For a reader."""
        return ("nothing is interrupted", "packets in its queues may be lost", "the link may stop for a moment")[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Somebody else who may set a knob: it is theirs where `pattern`, a regular expression, is in their answers.

    The answers stand below each other with a line `--` between them.
    """

    name: str
    requests: tuple[Request, ...]
    pattern: str
    way: str  # how it is set through them


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """How a value is written: the action, and what a reading must match afterwards (a regular expression).

    `others` are tried where the action did not bring exactly the value: a tool may round what it is given.
    """

    action: Action
    expect: str
    others: tuple[Action, ...] = ()


def exactly(action: Action, value: str) -> Writing:
    """A writing after which the value reads as it was given."""
    return Writing(action=action, expect=re.escape(value))
