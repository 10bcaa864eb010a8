"""A plan survives its document; one that is broken, or does something else than it shows, is refused."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import planned
from fullrate.planning import decode_plan, encode_plan
from fullrate.records.errors import FormatError
from fullrate.records.plan import HostPlan, Refusal, schema_text
from fullrate.records.setting import Setting
from fullrate.records.target import Access

ROOT = Path(__file__).parents[3]
REFUSAL = Refusal(setting=planned.setting(value="10"), reason="at most 9", because="slow")
WATCHED = replace(planned.step(planned.setting("dial.tone")).item, expect="", action=())
HOST = replace(
    planned.host_plan(),
    access=Access(sudo=True, agent="/opt/a b"),
    refused=(REFUSAL,),
    already=(planned.setting(),),
    watched=(WATCHED,),
)
LOST = HostPlan(id="Q", target="netns:b", unreachable="it is not there")
WHOLE = replace(planned.plan(HOST, LOST), run="01M8", advice=("dial-low: turn it",))


def edited(*path: str | int, value: object) -> bytes:
    """The document with another value at one place."""
    document: Any = json.loads(encode_plan(WHOLE))
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return json.dumps(document).encode()


def test_round_trip() -> None:
    """What is read back equals what was written."""
    assert WHOLE == decode_plan(encode_plan(WHOLE))


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_survives(text: str) -> None:
    """Foreign words in a plan come back as they were."""
    step = planned.step(Setting(knob="dial.speed", subject="eth0", value=text), found=text, because=text)
    step = replace(step, current=text, item=replace(step.item, expect=re.escape(text)))
    plan = planned.plan(planned.host_plan(target=text, steps=(step,)))
    assert plan == decode_plan(encode_plan(plan))


def test_a_person_can_read_it() -> None:
    """What it is comes first, one thing a line."""
    lines = encode_plan(WHOLE).decode().splitlines()
    assert ["{", '  "schema": "fullrate/plan/1",', '  "id": "P",'] == lines[:3]


def test_published_schema_is_current() -> None:
    """docs/schema/plan-1.json is what `python -m fullrate.records.plan` prints."""
    assert schema_text() == (ROOT / "docs/schema/plan-1.json").read_text()


def test_encoded_plan_obeys_the_schema() -> None:
    """What we write is what we promise, and the promise is a schema."""
    schema = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(json.loads(encode_plan(WHOLE)))


def test_unknown_keys_are_passed_over() -> None:
    """A document of a later version with more keys is still read."""
    assert WHOLE == decode_plan(edited("mood", value="good"))


STEP = ("hosts", 0, "steps", 0)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (b"", "Input data was truncated"),
        (b"[]", "Expected `object`, got `array`"),
        (b"\xff\xfe", ""),
        (b"[" * 100_000, ""),
        (encode_plan(WHOLE)[:-40], ""),
        (edited("schema", value="fullrate/plan/2"), "Invalid enum value 'fullrate/plan/2'"),
        (edited("schema", value="fullrate/run/1"), "Invalid enum value 'fullrate/run/1'"),
        (edited("hosts", value=None), "Expected `array`"),
        (edited("id", value="../x"), "a plan and its hosts have names of their own, of letters and digits: ../x, P, Q"),
        (edited("id", value=""), "have names of their own"),
        (edited("hosts", 1, "id", value="P"), "have names of their own"),
        (edited("hosts", 1, "id", value="a/b"), "have names of their own"),
        (edited(*STEP, "disruption", value=9), "Invalid enum value 9"),
        (edited(*STEP, "command", value="ls"), "step 1 on nas: it shows 'ls' and does 'printf %s 2 > /eth0/speed'"),
        (edited(*STEP, "undo", value="ls"), "step 1 on nas: it shows 'ls' and does 'printf %s 1 > /eth0/speed'"),
        (edited(*STEP, "setting", "subject", value="eth1"), "it shows 'eth1' and does 'eth0'"),
        (edited(*STEP, "setting", "knob", value="dial.tone"), "it shows 'dial.tone' and does 'dial.speed'"),
        (edited(*STEP, "item", "action", 2, value="9"), "it shows 'printf %s 2 > /eth0/speed' and does"),
        (edited(*STEP, "item", "action", value=[]), "is none of write, run"),
        (edited(*STEP, "item", "action", value=["run", "ls", 1]), "is none of write, run"),
        (edited(*STEP, "item", "action", value=[{}]), "Expected `float | str | array`"),
        (edited(*STEP, "item", "request", value=["fly", "/x"]), "is none of read, run"),
        (edited(*STEP, "item", "inverses", value=[]), "dial.speed of eth0 has no undo"),
        (edited(*STEP, "item", "inverses", value=[["read", "/x"]]), "is none of write, run"),
        (edited(*STEP, "item", "expect", value="("), "'(' is no regular expression: missing )"),
        (edited("hosts", 0, "watched", 0, "pattern", value="["), "'[' is no regular expression"),
        (edited("hosts", 0, "watched", 0, "inverses", value=[]), "dial.tone of eth0 has no undo"),
    ],
    ids=range(27),
)
def test_what_is_no_plan_is_refused(document: bytes, said: str) -> None:
    """Garbage, another form, a name that leads elsewhere, and a step that does not do what it shows."""
    with pytest.raises(FormatError) as refused:
        decode_plan(document)
    assert said in str(refused.value)
