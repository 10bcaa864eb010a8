"""The parser of `cpupower frequency-info`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import FrequencyControl, FrequencyPolicy
from fullrate.sources.cpupower import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, claimants

INFO = b"""\
analyzing CPU 3:
  driver: intel_pstate
  hardware limits: 800 MHz - 4.20 GHz
  current policy: frequency should be within 900 MHz and 2.00 GHz.
                  The governor "powersave" may decide which speed to use
"""


def test_every_field() -> None:
    """In Hz."""
    policy = FrequencyPolicy(
        name="policy3",
        driver="intel_pstate",
        governor="powersave",
        lowest=9e8,
        highest=2e9,
        hardware_highest=4.2e9,
        cpus=(3,),
    )
    assert (FrequencyControl(policies=(policy,)),) == SOURCE.parse(ASKED, INFO)


@pytest.mark.parametrize(
    "payload", [*GARBAGE, b"", b"analyzing CPU 0:\n  no or unknown cpufreq driver is active on this CPU\n"]
)
def test_other_text_is_refused(payload: bytes) -> None:
    """Neither a governor nor a bound."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_it_alone_claims_its_text() -> None:
    """By its first line."""
    assert ["cpupower"] == claimants(INFO)
