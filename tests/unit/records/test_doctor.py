"""The document of the doctor: its schema is the published one, and it survives JSON."""

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from fullrate.records.doctor import DOCTOR_SCHEMA, Checkup, Item, Standing, Topic, schema_text

ROOT = Path(__file__).parents[3]
ITEM = Item(topic=Topic.TOOLS, name="iperf3", standing=Standing.MISSING, purpose="makes traffic", essential=True)
CHECKUP = Checkup(tool_version="0.1", target="this host", ready=False, summary="no", items=(ITEM,), install="dnf")


def test_the_schema_is_published() -> None:
    """docs/schema/doctor-1.json is what `python -m fullrate.records.doctor` prints."""
    assert schema_text() == (ROOT / "docs/schema/doctor-1.json").read_text()


def test_a_document_keeps_the_schema() -> None:
    """What is written is what is promised."""
    jsonschema.validate(json.loads(msgspec.json.encode(CHECKUP)), json.loads(schema_text()))


@pytest.mark.parametrize("key", ["tool_version", "target", "ready", "summary", "items"])
def test_a_document_without_a_key_breaks_the_schema(key: str) -> None:
    """The schema asks for every key of the answer."""
    document = json.loads(msgspec.json.encode(CHECKUP))
    del document[key]
    with pytest.raises(jsonschema.ValidationError, match=key):
        jsonschema.validate(document, json.loads(schema_text()))


def test_round_trip() -> None:
    """What is read back equals what was written."""
    assert CHECKUP == msgspec.json.decode(msgspec.json.encode(CHECKUP), type=Checkup)


def test_the_document_names_its_form() -> None:
    """By the key that every document of ours has."""
    assert DOCTOR_SCHEMA == json.loads(msgspec.json.encode(CHECKUP))["schema"]


@pytest.mark.parametrize(
    ("standing", "expected"),
    [(Standing.GOOD, True), (Standing.LIMITED, True), (Standing.MISSING, False), (Standing.UNKNOWN, False)],
)
def test_usable(standing: Standing, expected: bool) -> None:  # noqa: FBT001 - a parameter
    """What is limited still serves; what is not known is not relied on."""
    assert expected is Item(topic=Topic.KERNEL, name="x", standing=standing, purpose="").usable
