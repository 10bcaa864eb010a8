"""The source softnet_stat."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.cpu import Softnet
from fullrate.records.leaf import Scope
from fullrate.sources.softnet_stat import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

DEBIAN12 = fixture("debian12/machine/softnet_stat.txt")
DEBIAN13 = fixture("debian13/machine/softnet_stat.txt")


def _row(width: int) -> bytes:
    # 16 in column 1, 17 in column 2, ...: as the kernel prints them
    return (" ".join(f"{15 + column:08x}" for column in range(1, width + 1)) + "\n").encode()


def test_thirteen_columns() -> None:
    """Linux 6.1: hexadecimal counters, the CPU in column 13."""
    expected = Softnet(
        subject="3",
        processed=0x55172,
        dropped=0,
        time_squeeze=0x491,
        received_rps=0,
        flow_limit_count=0,
        backlog_length=0,
    )
    assert expected == parsed(SOURCE, DEBIAN12, Softnet)["3"]


def test_fifteen_columns() -> None:
    """Linux 6.12: two more columns change nothing before them."""
    expected = Softnet(
        subject="1",
        processed=0x724A4,
        dropped=0,
        time_squeeze=0x387,
        received_rps=0,
        flow_limit_count=0,
        backlog_length=0,
    )
    assert expected == parsed(SOURCE, DEBIAN13, Softnet)["1"]


@pytest.mark.parametrize("width", [13, 15])
def test_columns_are_told_apart(width: int) -> None:
    """No two columns are mixed up; column 13 is the CPU."""
    expected = Softnet(
        subject="28",
        processed=16,
        dropped=17,
        time_squeeze=18,
        received_rps=25,
        flow_limit_count=26,
        backlog_length=27,
    )
    assert expected == parsed(SOURCE, _row(width), Softnet)["28"]


@pytest.mark.parametrize(("width", "rps", "flow_limit"), [(9, None, None), (10, 25, None), (11, 25, 26)])
def test_columns_an_old_kernel_lacks(width: int, rps: int | None, flow_limit: int | None) -> None:
    """What an older kernel does not report is None, and the row stands for the CPU."""
    expected = Softnet(
        subject="0", processed=16, dropped=17, time_squeeze=18, received_rps=rps, flow_limit_count=flow_limit
    )
    assert expected == parsed(SOURCE, _row(width), Softnet)["0"]


def test_rows_of_an_old_kernel_are_cpus_in_order() -> None:
    """Without a CPU column the second row is CPU 1."""
    assert ["0", "1"] == list(parsed(SOURCE, _row(11) * 2, Softnet))


@pytest.mark.parametrize("payload", [_row(8), _row(12), _row(14), _row(16), DEBIAN12[:-5], GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """An unknown width, a cut number, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It is read on every host."""
    assert (ReadFile(path="/proc/net/softnet_stat"),) == SOURCE.requests(Scope())


def test_sampled_ten_times_a_second() -> None:
    """It is in the fast tier."""
    assert 10 == SOURCE.sampled


def test_nothing_is_not_recognized() -> None:
    """An empty paste is not a softnet_stat."""
    assert not SOURCE.recognizes(" \n")
