"""Runs survive JSON, the schema is the published one, and what is no run is refused."""

import json
from dataclasses import fields, replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullrate.records.codec import decode_run, encode_run, run_schema, schema_text
from fullrate.records.ends import Direction, End
from fullrate.records.errors import FormatError
from fullrate.records.evidence import DumpSockets, ListGlob, ReadFile, Request, query
from fullrate.records.facts.base import Fact
from fullrate.records.finding import Ask
from fullrate.records.run import EndReport, Run
from fullrate.records.trial import TrialKind, TrialSpec

ROOT = Path(__file__).parents[3]
RUNS = sorted((ROOT / "tests/fixtures/runs").glob("*.json"))


def sample() -> Run:
    """A run with everything in it."""
    return decode_run((ROOT / "tests/fixtures/runs/not_full.json").read_bytes())


def asking(ask: Ask) -> Run:
    """The run, its first finding with one ask."""
    run = sample()
    return replace(run, findings=(replace(run.findings[0], asks=(ask,)),))


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_round_trip(path: Path) -> None:
    """What is read back equals what was written."""
    run = decode_run(path.read_bytes())
    assert run == decode_run(encode_run(run))


@pytest.mark.parametrize(
    "request_",
    [
        ReadFile(path="/proc/net/dev"),
        ListGlob(pattern="/sys/class/net/*/speed"),
        query("ethtool", "-k", "a name with spaces"),
        DumpSockets(ports=(5201, 5202)),
    ],
    ids=lambda request: type(request).__name__,
)
def test_every_kind_of_request_survives(request_: Request) -> None:
    """An ask's request is the same kind of request afterwards."""
    run = asking(Ask(text="look", end=End.FAR, request=request_))
    assert run == decode_run(encode_run(run))


def test_request_stands_by_its_key() -> None:
    """A reader of the document sees the request as a person would type it."""
    document = json.loads(encode_run(asking(Ask(text="look", request=query("ss", "-tin")))))
    assert document["findings"][0]["asks"][0]["request"] == "run ss -tin"


def test_trial_of_an_ask_survives() -> None:
    """An ask for a measurement keeps what is to be measured."""
    spec = TrialSpec(kind=TrialKind.BULK, direction=Direction.FAR_TO_NEAR, streams=4, rate=1e9)
    run = asking(Ask(text="measure", trial=spec))
    assert spec == decode_run(encode_run(run)).findings[0].asks[0].trial


@given(st.text(st.characters(exclude_categories=["Cs"])), st.floats(allow_nan=False, allow_infinity=False))
@settings(max_examples=25)
def test_any_text_and_number_survives(text: str, number: float) -> None:
    """Foreign texts and odd numbers come back as they were."""
    run = sample()
    changed = replace(run, id=text, notes=(text,), budget=(replace(run.budget[0], bps=number),))
    assert changed == decode_run(encode_run(changed))


def test_keys_of_the_document() -> None:
    """The top-level keys are the promised ones, in their order."""
    assert [each.name for each in fields(Run)] == list(json.loads(encode_run(sample())))


def test_facts_become_objects() -> None:
    """A fact is written as an object of its fields, and read back as such."""
    facts = {"Fact": (Fact(subject="eth0"),)}
    run = replace(sample(), ends={End.NEAR: EndReport(target="x", facts=facts)})
    assert decode_run(encode_run(run)).ends[End.NEAR].facts == {"Fact": ({"subject": "eth0"},)}


def test_unknown_keys_are_passed_over() -> None:
    """A document of a later version with more keys is still read."""
    document = json.loads(encode_run(sample()))
    document["mood"] = "good"
    assert sample() == decode_run(json.dumps(document).encode())


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"not json",
        b"[]",
        b'{"schema": "fullrate/run/1"}',
        b"\xff\xfe",
        b"[" * 100_000,
        encode_run(sample()).replace(b"fullrate/run/1", b"fullrate/run/2"),
        encode_run(sample()).replace(b'"not_full"', b'"half_full"'),
        encode_run(sample()).replace(b"run lspci", b"fly lspci"),
        encode_run(asking(Ask(text="", request=DumpSockets(ports=(1,))))).replace(b"sockets 1", b"sockets x"),
        encode_run(sample())[:-40],
    ],
    ids=range(11),
)
def test_what_is_no_run_is_refused(document: bytes) -> None:
    """Garbage, another version's form, an unknown word and a cut document are format errors."""
    with pytest.raises(FormatError, match="no fullrate/run/1 document"):
        decode_run(document)


def test_published_schema_is_current() -> None:
    """docs/schema/run-1.json is what `python -m fullrate.records.codec` prints."""
    assert schema_text() == (ROOT / "docs/schema/run-1.json").read_text()


def test_schema_is_a_schema() -> None:
    """The schema itself obeys the dialect it names."""
    jsonschema.Draft202012Validator.check_schema(run_schema())


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_encoded_run_obeys_the_schema(path: Path) -> None:
    """What we write is what we promise."""
    document = json.loads(encode_run(decode_run(path.read_bytes())))
    jsonschema.Draft202012Validator(run_schema()).validate(document)


def test_schema_refuses_a_wrong_document() -> None:
    """The schema is no rubber stamp."""
    document = json.loads(encode_run(sample()))
    document["verdict"]["state"] = "splendid"
    with pytest.raises(jsonschema.ValidationError, match="splendid"):
        jsonschema.Draft202012Validator(run_schema()).validate(document)
