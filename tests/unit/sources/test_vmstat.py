"""The parser of `vmstat`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import CpuShares
from fullrate.sources.vmstat import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, pasted

HEAD = b" r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"


def test_the_last_line_counts() -> None:
    """The first one is the mean since boot."""
    payload = HEAD + b"1 0 0 1 1 1 0 0 1 1 1 1 90 5 5 0 0\n1 0 0 1 1 1 0 0 1 1 1 1 11 22 60 4 3\n"
    (found,) = SOURCE.parse(ASKED, payload)
    assert isinstance(found, CpuShares)
    assert (found.busy, found.user, found.system, found.steal) == pytest.approx((0.36, 0.11, 0.22, 0.03))


def test_recorded_answer() -> None:
    """Below the line of groups."""
    (found,) = SOURCE.parse(ASKED, pasted("vmstat"))
    assert isinstance(found, CpuShares)
    assert 0 <= found.busy <= 1


@pytest.mark.parametrize("payload", [*GARBAGE, b"", HEAD, HEAD + b"1 0 0\n", HEAD.replace(b" us", b"-us") + b"1 " * 17])
def test_other_text_is_refused(payload: bytes) -> None:
    """A head alone, a line cut short, a column that is none."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)
