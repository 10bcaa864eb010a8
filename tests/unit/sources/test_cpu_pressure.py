"""The source cpu_pressure."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.processor import CpuPressure
from fullrate.records.leaf import Scope
from fullrate.sources.cpu_pressure import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

LINUX618 = fixture("recorded/linux-6.18/proc_pressure_cpu.txt")
OLDER = b"some avg10=0.22 avg60=0.17 avg300=1.11 total=58761459\n"


def test_total_waiting_time() -> None:
    """Microseconds since boot."""
    assert CpuPressure(waited=259.591433) == parsed(SOURCE, LINUX618, CpuPressure)[""]


def test_kernel_without_the_second_line() -> None:
    """Before Linux 5.13 a CPU has no `full`."""
    assert CpuPressure(waited=58.761459) == parsed(SOURCE, OLDER, CpuPressure)[""]


@pytest.mark.parametrize("payload", [OLDER[:40], OLDER.replace(b"some", b"full"), GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A cut line, another line, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It is read on every host."""
    assert (ReadFile(path="/proc/pressure/cpu"),) == SOURCE.requests(Scope())


def test_paste_without_its_path_is_nobodys() -> None:
    """The files of memory and io look the same."""
    assert not SOURCE.recognizes(LINUX618.decode())


def test_moving() -> None:
    """The time grows: read again around every trial."""
    assert SOURCE.moving
