"""The parser of perf's profiles."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import KernelSymbol
from fullrate.sources.perf_report import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, claimants, facts

TOP = b"""Samples: 118K of event 'cycles', Event count (approx.): 41225463912
  28.41%  [kernel]                  [k] qi_submit_sync
   4.18%  [kernel]                  [k] copy_user_enhanced_fast_string
   1.75%  [ixgbe]                   [k] ixgbe_poll
"""
REPORT = b"""# Children      Self  Command  Shared Object      Symbol
+   62.34%     0.00%  iperf3   [kernel.kallsyms]  [k] entry_SYSCALL_64_after_hwframe
    12.10%    12.05%  iperf3   [kernel.kallsyms]  [k] alloc_iova
     3.10%     3.00%  swapper  [kernel.kallsyms]  [k] alloc_iova
     1.00%     1.00%  iperf3   libc.so.6          [.] __memcpy_avx_unaligned
"""


def shares(payload: bytes) -> dict[str, float]:
    """The shares by function."""
    return {name: round(fact.share, 4) for name, fact in facts(SOURCE, payload, KernelSymbol).items()}


def test_top() -> None:
    """A share each."""
    expected = {"qi_submit_sync": 0.2841, "copy_user_enhanced_fast_string": 0.0418, "ixgbe_poll": 0.0175}
    assert expected == shares(TOP)


def test_report_with_children() -> None:
    """What a function takes itself, of all programs together."""
    expected = {"entry_SYSCALL_64_after_hwframe": 0.0, "alloc_iova": 0.1505, "__memcpy_avx_unaligned": 0.01}
    assert expected == shares(REPORT)


@pytest.mark.parametrize("text", [TOP, REPORT])
def test_it_alone_claims_a_profile(text: bytes) -> None:
    """With its heads."""
    assert ["perf_report"] == claimants(text)


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"  28.41%  [kernel]", b"CPU 12.00% busy [k]\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No function with a share."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)
