"""Draws are the same for the same, of the same form, and say nothing without the secret."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullrate.redact.draws import Draws

DRAWS = Draws(b"secret")


def test_the_same_question_has_the_same_answer() -> None:
    """As long as the secret is the same."""
    assert Draws(b"secret").token("host", "nas") == DRAWS.token("host", "nas")


def test_another_secret_has_another_answer() -> None:
    """Nobody can try a name against a draw."""
    assert Draws(b"other").token("host", "nas") != DRAWS.token("host", "nas")


def test_a_token_says_its_kind() -> None:
    """A reader sees what it stands for."""
    assert re.fullmatch("host-[a-z2-9]{6}", DRAWS.token("host", "nas"))


@pytest.mark.parametrize(("text", "form"), [("MT1743X-0a", r"[A-Z]{2}\d{4}[A-Z]-\d[a-z]"), ("12.5", r"\d\d\.\d")])
def test_a_shape_stays(text: str, form: str) -> None:
    """Columns stay where they are."""
    assert re.fullmatch(form, DRAWS.shaped(text))


@pytest.mark.parametrize("text", ["0", "0000000000000000"])
def test_zeros_stay(text: str) -> None:
    """They mean that there is nothing."""
    assert text == DRAWS.hexadecimal(text)


@given(st.text("0123456789abcdef", min_size=13, max_size=64).filter(lambda one: one[:12].strip("0") != ""))
def test_a_beginning_in_common_stays_in_common(text: str) -> None:
    """Twelve digits name a container as its sixty-four do."""
    assert DRAWS.hexadecimal(text).startswith(DRAWS.hexadecimal(text[:12]))


def test_capitals_stay() -> None:
    """As the program printed it."""
    assert re.fullmatch("[0-9A-F]{8}", DRAWS.hexadecimal("0A4D0102"))
