"""The parser of `top`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import CpuShares, ProcessShare
from fullrate.sources.top import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, claimants, facts, pasted

OLD = b"Cpu0  :  1.0%us,  2.0%sy,  3.0%ni, 80.0%id,  4.0%wa,  5.0%hi,  2.5%si,  2.5%st\n"


def test_every_share_of_the_old_layout() -> None:
    """Waiting for a disk is idle; hard interrupts go with the soft ones; nice with user."""
    found = facts(SOURCE, OLD, CpuShares)["0"]
    shares = (found.busy, found.user, found.system, found.softirq, found.steal)
    assert shares == pytest.approx((0.16, 0.04, 0.02, 0.075, 0.025))


def test_the_sum_line_has_no_cpu() -> None:
    """A recorded router: softirqs take most."""
    found = facts(SOURCE, pasted("top_procps"), CpuShares)[""]
    assert (found.busy, found.softirq) == pytest.approx((0.968, 0.613))


def test_processes_are_of_one_cpu() -> None:
    """Kernel threads too."""
    assert (
        ProcessShare(subject="16", name="ksoftirqd/1", share=0.396)
        == facts(SOURCE, pasted("top_procps"), ProcessShare)["16"]
    )


def test_busyboxs_lines_a_cpu() -> None:
    """With a note of the author's behind one."""
    found = facts(SOURCE, pasted("top_busybox"), CpuShares)
    assert ["0", "1", "2", "3"] == list(found)
    assert (0.99, 0.99) == pytest.approx((found["0"].busy, found["0"].softirq))


def test_busyboxs_processes_are_not_read() -> None:
    """Their percentage is of all CPUs together."""
    assert {} == facts(SOURCE, pasted("busybox_top"), ProcessShare)


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"%Cpu(s):  0.3 us, 35.2 sy\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """A line cut before its idle share does not tell how busy it was."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


@pytest.mark.parametrize("payload", [OLD, pasted("top_bn1"), pasted("top_bn1_each")])
def test_it_alone_claims_its_text(payload: bytes) -> None:
    """In every layout."""
    assert ["top"] == claimants(payload)


@pytest.mark.parametrize("head", ["PID USER PR %CPU -COMMAND", "PID USER PR x%CPU COMMAND"])
def test_other_columns_are_no_head(head: str) -> None:
    """A name is a whole word, or the column is none."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, f"{head}\n1 root 20 5.0 init\n".encode())
