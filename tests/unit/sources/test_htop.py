"""The parser of htop's meters."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import CpuShares
from fullrate.sources.htop import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, facts, pasted


def test_meters_are_numbered_from_one() -> None:
    """The kernel counts from 0."""
    found = facts(SOURCE, pasted("htop_128"), CpuShares)
    assert (0.519, 0.312) == (found["5"].busy, found["90"].busy)


def test_a_meter_numbered_zero_shows_the_kernels_numbers() -> None:
    """A setting of htop's."""
    found = facts(SOURCE, b"  0[|||  10.0%]   1[||  5.0%]\n", CpuShares)
    assert (0.1, 0.05) == (found["0"].busy, found["1"].busy)


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"Mem[|||| 11.6G/511G]\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No meter of a CPU."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)
