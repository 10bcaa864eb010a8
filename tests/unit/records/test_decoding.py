"""JSON of somebody else's: read, or refused in one way whatever is wrong with it."""

from dataclasses import dataclass

import pytest

from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError

DEEP = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a document is to hold."""

    rate: int = 0
    on: bool = False


def test_what_is_known_is_read() -> None:
    """Unknown keys are passed over, however they are formed."""
    assert Wanted(rate=3) == decoded(b'{"rate": 3, "other": [[1]]}', Wanted)


def test_numbers_for_flags_where_allowed() -> None:
    """iperf3 writes 1 for true."""
    assert Wanted(on=True) == decoded('{"on": 1}', Wanted, strict=False)


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b'{"rate": "x"}', b'{"rate": "\xff"}', b'{"on": 1}', b'{"other": ' + b"[" * DEEP, b"[" * DEEP],
    ids=["nothing", "cut", "another kind", "no UTF-8", "a number for a flag", "deep where nobody looks", "deep"],
)
def test_all_else_is_refused(text: bytes) -> None:
    """By one error, also where the interpreter would end."""
    with pytest.raises(FormatError):
        decoded(text, Wanted)
