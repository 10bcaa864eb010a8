"""The stream of events: its schema is the published one, and covers every event."""

import json
from dataclasses import fields
from pathlib import Path
from typing import get_args

import jsonschema
import msgspec
import pytest

from fullrate.records.ends import Direction, End
from fullrate.records.event import (
    EVENTS,
    AnyEvent,
    Cpu,
    Drops,
    Event,
    Finished,
    Measured,
    Noted,
    PhaseBegan,
    Sampled,
    Suspected,
    encode_event,
    schema_text,
)
from fullrate.records.finding import Confidence
from fullrate.records.run import State
from fullrate.records.trial import Estimate

ROOT = Path(__file__).parents[3]
# One of each kind with all it can hold, and one with as little as it can.
EXAMPLES: tuple[AnyEvent, ...] = (
    PhaseBegan(at=0.25, name="measuring", seconds=5),
    Sampled(
        at=1.0,
        trial="t2",
        end=End.FAR,
        host="nas",
        link="eth0",
        direction=Direction.NEAR_TO_FAR,
        seconds=0.5,
        sent_bps=0.0,
        received_bps=941e6,
        retransmits_per_second=12.0,
        drops=(Drops(place="backlog", per_second=3.0),),
        cpus=(Cpu(number=0, busy=1.0, softirq=0.97),),
    ),
    Sampled(trial="t2", end=End.NEAR, host="", link="", direction=Direction.BOTH, seconds=0.5),
    Measured(
        measurement="m1",
        direction=Direction.NEAR_TO_FAR,
        protocol="tcp",
        streams=1,
        runs=1,
        throughput_bps=Estimate(n=1, median=1.0, ci_low=0.5, ci_high=2.0),
        ceiling_bps=2.0,
    ),
    Measured(
        measurement="m1",
        direction=Direction.NEAR_TO_FAR,
        protocol="udp",
        streams=1,
        runs=1,
        throughput_bps=None,
        ceiling_bps=None,
        failure="no route",
    ),
    Suspected(cause="path-loss", end="path", confidence=Confidence.HIGH, sentence="lost"),
    Suspected(),
    Noted(text="busy"),
    Finished(run="01", state=State.NOT_FULL, summary="lost", stopped=True),
)


def test_the_schema_is_published() -> None:
    """docs/schema/event-1.json is what `python -m fullrate.records.event` prints."""
    assert schema_text() == (ROOT / "docs/schema/event-1.json").read_text()


def test_every_kind_of_event_is_in_the_schema() -> None:
    """No event is told that a program cannot look up, and each has a kind of its own."""
    schema = json.loads(schema_text())
    kinds = [schema["$defs"][form["$ref"].rpartition("/")[2]]["properties"]["kind"]["enum"] for form in schema["oneOf"]]
    assert sorted({type(one) for one in EXAMPLES}, key=str) == sorted(EVENTS, key=str)
    assert set(get_args(AnyEvent)) == set(EVENTS)
    assert {one.__name__ for one in EVENTS} == {one.__name__ for one in Event.__subclasses__()}
    assert len(EVENTS) == len({kind for (kind,) in kinds})


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
def test_an_event_keeps_the_schema(event: AnyEvent) -> None:
    """What is written is what is promised, on one line."""
    line = encode_event(event)
    assert line.endswith(b"\n")
    assert 1 == line.count(b"\n")
    jsonschema.validate(json.loads(line), json.loads(schema_text()))


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
def test_every_key_is_promised(event: AnyEvent) -> None:
    """An event that lacks one breaks the schema, so a reader may rely on all of them."""
    for field in fields(event):
        document = json.loads(encode_event(event))
        del document[field.name]
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(document, json.loads(schema_text()))


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
def test_round_trip(event: AnyEvent) -> None:
    """What is read back equals what was written."""
    assert event == msgspec.json.decode(encode_event(event), type=type(event))
