"""What the parsers of JSON share."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.sources._json import decode, is_json


@pytest.mark.parametrize(("payload", "expected"), [(b" \n[{}]", True), (b"{}", False), (b"text", False), (b"", False)])
def test_json_lists_are_seen(payload: bytes, expected: bool) -> None:  # noqa: FBT001 - a column of the table
    """A JSON list begins with its bracket."""
    assert expected is is_json(payload)


def test_json_of_another_type_is_refused() -> None:
    """The message says whose JSON was wanted."""
    with pytest.raises(FormatError, match="ip -json link"):
        decode(b'["a"]', list[int], wanted="ip -json link")


def test_control_characters_in_json() -> None:
    """A link may have them in its name, and iproute2 writes them as they are."""
    assert ["a\x1bb\x01"] == decode(b'[\n\t"a\x1bb\x01"\r\n]', list[str], wanted="x")


def test_no_utf8_in_json() -> None:
    """A name that is no UTF-8 hides no other."""
    assert ["b\ufffd", "eth0"] == decode(b'["b\xff", "eth0"]', list[str], wanted="x")


@pytest.mark.parametrize("payload", [b"[" * 100_000, b"[" + b"9" * 21 + b"]", b"[" + b"9" * 5000 + b"]"])
def test_json_that_no_tool_prints(payload: bytes) -> None:
    """Nested without end, or a number that no kernel has."""
    with pytest.raises(FormatError):
        decode(payload, list[object], wanted="x")


def test_digits_in_a_name_are_no_number() -> None:
    """A comment may hold any."""
    assert ["9" * 30, '"' + "9" * 30] == decode(f'["{"9" * 30}", "\\"{"9" * 30}"]'.encode(), list[str], wanted="x")
