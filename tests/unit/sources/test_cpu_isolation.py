"""The source cpu_isolation."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import CpuIsolation
from fullrate.records.leaf import Scope
from fullrate.sources.cpu_isolation import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

LINUX618 = fixture("recorded/linux-6.18/cpu_isolation.txt")
DEBIAN12 = fixture("recorded/reports/isolation_debian12.txt")
ISOLATED = b"/sys/devices/system/cpu/isolated:"
TICKLESS = b"/sys/devices/system/cpu/nohz_full:"


def test_no_cpu_is_isolated() -> None:
    """An empty line is no CPU, and so is (null)."""
    assert CpuIsolation(isolated=(), tickless=()) == parsed(SOURCE, DEBIAN12, CpuIsolation)[""]


def test_kernel_without_full_tickless_mode() -> None:
    """The second file is not there."""
    assert CpuIsolation(isolated=()) == parsed(SOURCE, LINUX618, CpuIsolation)[""]


def test_lists_are_told_apart() -> None:
    """Each file its own list."""
    payload = ISOLATED + b"2-3,6\n" + TICKLESS + b"3\n"
    assert CpuIsolation(isolated=(2, 3, 6), tickless=(3,)) == parsed(SOURCE, payload, CpuIsolation)[""]


@pytest.mark.parametrize("payload", [TICKLESS + b"3\n", ISOLATED + b"all\n", LINUX618[:20], GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """One file alone, no list, a cut line, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_one_request_for_both_files() -> None:
    """They are read together."""
    assert 1 == len(SOURCE.requests(Scope()))
