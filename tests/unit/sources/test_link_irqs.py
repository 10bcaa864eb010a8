"""The source link_irqs."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.queues import LinkIrqs
from fullrate.records.leaf import Scope
from fullrate.sources.link_irqs import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture
from tool_output import ran


@pytest.mark.parametrize("generation", ["debian12", "debian13"])
def test_own_interrupts(generation: str) -> None:
    """The igb has one vector for the link and eight for its queues."""
    (fact,) = SOURCE.parse(PASTED, fixture(f"{generation}/igb/grep_link_irqs.txt"))
    assert isinstance(fact, LinkIrqs)
    assert (9, ()) == (len(fact.own), fact.parent)


@pytest.mark.parametrize("name", ["debian12/virtio_net", "debian13/virtio_net", "recorded/linux-6.18"])
def test_virtio_has_its_parents(name: str) -> None:
    """The interrupts of a virtio link are those of the PCI device above it: config, input, output."""
    (fact,) = SOURCE.parse(PASTED, fixture(f"{name}/grep_link_irqs.txt"))
    assert isinstance(fact, LinkIrqs)
    assert ((), 3) == (fact.own, len(fact.parent))


def test_numbers_are_sorted_as_numbers() -> None:
    """9 stands before 10, whatever order the folder has."""
    text = "".join(f"/sys/class/net/e/device/msi_irqs/{irq}:msix\n" for irq in (10, 9, 100))
    assert (LinkIrqs(subject="e", own=("9", "10", "100")),) == SOURCE.parse(PASTED, text.encode())


def test_truncated_answer() -> None:
    """A cut line is refused, whole ones are read."""
    payload = fixture("debian13/igb/grep_link_irqs.txt")
    (fact,) = SOURCE.parse(PASTED, payload[: payload.index(b"\n")])
    assert isinstance(fact, LinkIrqs)
    assert 1 == len(fact.own)


@pytest.mark.parametrize(
    "payload", [b"", GARBAGE, b"/sys/class/net/e/device/msi_irqs/x:msix\n", b"/sys/class/net/e/device/msi_irqs/9\n"]
)
def test_other_text_is_refused(payload: bytes) -> None:
    """What is no interrupt's file is refused."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_own_request_is_answered_and_no_other() -> None:
    """One request a link; the queues' tree is another source's."""
    (request,) = SOURCE.requests(Scope(links=("eth0",)))
    assert [True, False] == [SOURCE.answers(request), SOURCE.answers(ran("grep -rsH '' /sys/class/net/eth0/queues"))]
