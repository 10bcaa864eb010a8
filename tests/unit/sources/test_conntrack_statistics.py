"""The parser of `conntrack -S`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.limits import ConntrackCounters
from fullrate.sources.conntrack_statistics import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, claimants

TWO = b"""\
cpu=0   \tfound=25 invalid=4 insert=0 insert_failed=2 drop=7 early_drop=1 error=0 search_restart=11
cpu=1   \tfound=25 invalid=4 insert=0 insert_failed=3 drop=8 early_drop=4 error=0 search_restart=11
"""


def test_cpus_are_summed() -> None:
    """The number of entries is not told."""
    expected = ConntrackCounters(entries=None, dropped=15, early_dropped=5, insert_failed=5)
    assert (expected,) == SOURCE.parse(ASKED, TWO)


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"cpu=0 found=25 invalid=4\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """A line without the counters of what was refused."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_it_alone_claims_its_text() -> None:
    """Of the newer form."""
    assert ["conntrack_statistics"] == claimants(TWO)
