"""What happens while a job runs, one record an event: schema fullrate/event/1. Its keys are a promise.

Every view of a running job is made of these: plain lines, the live picture on a terminal, the JSON stream.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import msgspec

from fullrate.records.ends import Direction, End
from fullrate.records.finding import Confidence
from fullrate.records.run import State
from fullrate.records.trial import Estimate
from fullrate.records.units import BitsPerSecond, Seconds

EVENT_SCHEMA: Final = "fullrate/event/1"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What all events have; `at` is set by who passes them on."""

    schema: Literal["fullrate/event/1"] = EVENT_SCHEMA
    at: Seconds = 0.0  # since the job began


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseBegan(Event):
    """A new step begins and takes about so long."""

    kind: Literal["phase"] = "phase"
    name: str
    seconds: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Cpu:
    """How one CPU spent a moment, as shares of it; `softirq` is a part of `busy`."""

    number: int
    busy: float
    softirq: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Drops:
    """Packets that one place of a host discarded in each second; the places are those of `Sampled`."""

    place: str
    per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled(Event):
    """What one end did in the last moments of a running test.

    Rates are payload: what the test's TCP sockets received, or had acknowledged; where those are not seen, what the
    link carried. Places of `drops`: backlog (a CPU's queue was full), link_rx, link_tx and link_errors (/proc/net/dev),
    socket (a program's socket was full). What only a program can read (a qdisc, filter rules, the NIC's own counters)
    is read before and after a test and is in the document of the run. None: the kernel does not tell.
    """

    kind: Literal["sampled"] = "sampled"
    trial: str
    end: End
    host: str
    link: str
    direction: Direction
    seconds: Seconds  # that the figures are of
    sent_bps: BitsPerSecond | None = None
    received_bps: BitsPerSecond | None = None
    retransmits_per_second: float | None = None  # segments that this end sent again
    drops: tuple[Drops, ...] = ()  # where packets were discarded, and only there, the most first
    cpus: tuple[Cpu, ...] = ()  # the busiest, at most four, the busiest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured(Event):
    """A measurement has a new figure; `runs` is how many trials it is of."""

    kind: Literal["measured"] = "measured"
    measurement: str  # its id in the document of the run
    direction: Direction
    protocol: str
    streams: int
    runs: int
    throughput_bps: Estimate | None
    ceiling_bps: BitsPerSecond | None
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspected(Event):
    """The cause that the diagnosis names so far; None: it names none any more."""

    kind: Literal["suspected"] = "suspected"
    cause: str | None = None
    end: str | None = None  # near, far or path
    confidence: Confidence | None = None
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted(Event):
    """A sentence worth keeping."""

    kind: Literal["noted"] = "noted"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(Event):
    """The job is over, and its document is about to be printed; `stopped`: by the user, before its end."""

    kind: Literal["finished"] = "finished"
    run: str  # its id
    state: State
    summary: str
    stopped: bool = False


EVENTS: Final[tuple[type[Event], ...]] = (PhaseBegan, Sampled, Measured, Suspected, Noted, Finished)
AnyEvent: TypeAlias = PhaseBegan | Sampled | Measured | Suspected | Noted | Finished


def encode_event(event: Event) -> bytes:
    """The event as one line of JSON."""
    return msgspec.json.encode(event) + b"\n"


def schema_text() -> str:
    """The JSON Schema of one line of the stream, as it stands in docs/schema/event-1.json."""
    forms, definitions = msgspec.json.schema_components(EVENTS, ref_template="#/$defs/{name}")
    for form in definitions.values():
        if "properties" in form:
            form["required"] = sorted(form["properties"])  # all are written always, those with a default too
    schema: dict[str, Any] = {"$schema": _DIALECT, "title": EVENT_SCHEMA, "oneOf": list(forms), "$defs": definitions}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")  # noqa: T201 - python -m fullrate.records.event > docs/schema/event-1.json
