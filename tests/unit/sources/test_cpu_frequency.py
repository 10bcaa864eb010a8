"""The source cpu_frequency."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import FrequencyControl, FrequencyPolicy
from fullrate.records.leaf import Scope
from fullrate.sources.cpu_frequency import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

REPORT = fixture("recorded/reports/cpufreq.txt")
NONE = fixture("recorded/linux-6.18/cpu_frequency_none.txt")
HEAD = b"/sys/devices/system/cpu/possible:0-1\n"
POLICY = b"/sys/devices/system/cpu/cpufreq/policy0/"


def policies(payload: bytes) -> tuple[FrequencyPolicy, ...]:
    """The policies a payload holds."""
    return parsed(SOURCE, payload, FrequencyControl)[""].policies


def test_policy_of_a_report() -> None:
    """The folders of the CPUs show their policies; frequencies are kHz."""
    expected = FrequencyPolicy(
        name="policy1",
        driver="intel_cpufreq",
        governor="ondemand",
        lowest=600e6,
        highest=2.3e9,
        hardware_highest=2.3e9,
        cpus=(1,),
    )
    assert expected == policies(REPORT)[1]


def test_policy_of_its_own_request() -> None:
    """One policy of two CPUs, with a preference; bounds are told apart."""
    files = {
        *(b"scaling_governor:powersave", b"energy_performance_preference:balance_power", b"affected_cpus:0 1"),
        *(b"scaling_min_freq:800000", b"scaling_max_freq:3000000", b"cpuinfo_max_freq:4800000"),
    }
    expected = FrequencyPolicy(
        name="policy0",
        governor="powersave",
        preference="balance_power",
        lowest=800e6,
        highest=3e9,
        hardware_highest=4.8e9,
        cpus=(0, 1),
    )
    assert (expected,) == policies(HEAD + b"".join(POLICY + file + b"\n" for file in sorted(files)))


def test_no_policy() -> None:
    """A kernel that does not choose the clock: that was read, and is no missing answer."""
    assert () == policies(NONE)


@pytest.mark.parametrize("payload", [b"/sys/other:1\n", POLICY + b"scaling_max_freq:fast\n", REPORT[:50], GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """Another file, no number, a cut line, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request_names_a_file_that_is_always_there() -> None:
    """One grep; the list of CPUs tells no policy from no answer."""
    (request,) = SOURCE.requests(Scope())
    assert request.key.endswith("'' /sys/devices/system/cpu/possible /sys/devices/system/cpu/cpufreq")


def test_pasted_answer_to_its_own_request_is_recognized() -> None:
    """With the list of CPUs first."""
    assert SOURCE.recognizes((HEAD + POLICY + b"scaling_governor:powersave\n").decode())
