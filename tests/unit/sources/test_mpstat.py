"""The parser of `mpstat`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import CpuShares
from fullrate.sources.mpstat import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants, facts

HEAD = b"12:31:41 PM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle\n"
ROWS = HEAD + b"12:31:42 PM   31    1.00    2.00    3.00    4.00    5.00   60.00    7.00    8.00    0.00   10.00\n"
MEAN = HEAD.replace(b"12:31:41 PM", b"Average:   ") + (
    b"Average:      31    0.00    0.00    0.00    0.00    0.00  100.00    0.00    0.00    0.00    0.00\n"
)


def test_every_share() -> None:
    """Distinct columns."""
    found = facts(SOURCE, ROWS, CpuShares)["31"]
    shares = (found.busy, found.user, found.system, found.softirq, found.steal)
    assert shares == pytest.approx((0.86, 0.11, 0.03, 0.65, 0.07))


@pytest.mark.parametrize("payload", [ROWS + MEAN, MEAN + ROWS])
def test_averages_count_where_they_are(payload: bytes) -> None:
    """Wherever they stand."""
    assert 1.0 == facts(SOURCE, payload, CpuShares)["31"].busy


def test_rows_behind_a_number_sign() -> None:
    """As a note in somebody's script; it is no prompt."""
    payload = b"#  CPU    %usr    %sys   %soft   %idle\n#   31    0.00    0.00  100.00    0.00\n"
    assert 1.0 == facts(SOURCE, payload, CpuShares)["31"].softirq


def test_all_cpus_have_no_number() -> None:
    """The old names, a comma for the point, and no column of softirqs."""
    payload = b"CPU %user %nice %system %iowait %steal %idle\nall 1,00 0,00 9,00 0,00 0,00 90,00\n"
    assert (0.1, None) == pytest.approx((facts(SOURCE, payload, CpuShares)[""].busy, None))


@pytest.mark.parametrize("payload", [*GARBAGE, b"", HEAD, b"CPU %usr %nice %sys\n 1 1.0 2.0 3.0\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """A head alone, and a table without its idle column."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


@pytest.mark.parametrize("command", ["mpstat -P ALL 1", "sar -u 1", "sar -P ALL"])
def test_answers_its_commands(command: str) -> None:
    """And not sar's others."""
    assert SOURCE.answers(ran(command))
    assert not SOURCE.answers(ran("sar -n DEV"))


def test_it_alone_claims_its_text() -> None:
    """With an average below."""
    assert ["mpstat"] == claimants(ROWS + MEAN)
