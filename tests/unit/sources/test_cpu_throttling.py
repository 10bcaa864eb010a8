"""The source cpu_throttling."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import CpuThrottle, ThermalThrottling
from fullrate.records.leaf import Scope
from fullrate.sources.cpu_throttling import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

REPORT = fixture("recorded/reports/thermal_throttle.txt")
NONE = fixture("recorded/linux-6.18/cpu_frequency_none.txt")  # the list of CPUs alone
CORE = b"/sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count:%d\n"
PACKAGE = b"/sys/devices/system/cpu/cpu%d/thermal_throttle/package_throttle_count:%d\n"


def cpus(payload: bytes) -> tuple[CpuThrottle, ...]:
    """The counters a payload holds."""
    return parsed(SOURCE, payload, ThermalThrottling)[""].cpus


def test_counters_of_a_report() -> None:
    """Two CPUs that were never too hot; files about time are passed over."""
    expected = tuple(CpuThrottle(cpu=cpu, core_events=0, package_events=0) for cpu in (0, 1))
    assert expected == cpus(REPORT)


def test_counters_are_told_apart() -> None:
    """The core's events and the package's."""
    expected = CpuThrottle(cpu=12, core_events=17, package_events=31)
    assert (expected,) == cpus(CORE % (12, 17) + PACKAGE % (12, 31))


def test_package_counter_may_be_missing() -> None:
    """A CPU without a thermal sensor of its package."""
    assert (CpuThrottle(cpu=0, core_events=3, package_events=None),) == cpus(CORE % (0, 3))


def test_order_is_by_number() -> None:
    """The folders come in no order."""
    assert [2, 10] == [one.cpu for one in cpus(CORE % (10, 1) + CORE % (2, 1))]


def test_no_counter() -> None:
    """A virtual machine: that was read, and is no missing answer."""
    assert () == cpus(NONE)


@pytest.mark.parametrize(
    "payload", [PACKAGE % (0, 1), CORE[:-3] % 0, REPORT[:70], b"/sys/devices/system/cpu/online:0\n", GARBAGE, b""]
)
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A missing counter, a missing number, a cut line, another file, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request_passes_the_large_folders_over() -> None:
    """The caches of 128 CPUs alone are thousands of files."""
    (request,) = SOURCE.requests(Scope())
    assert "--exclude-dir=cache" in request.key


def test_moving() -> None:
    """Events are counted: read again around every trial."""
    assert SOURCE.moving
