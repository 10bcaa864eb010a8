"""The source queue_cpus."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.queues import QueueCpus
from fullrate.records.leaf import Scope
from fullrate.sources.queue_cpus import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture
from tool_output import ran

HERE = "/sys/class/net/enp1s0/queues"


@pytest.mark.parametrize("generation", ["debian12", "debian13"])
def test_steering_is_off_by_default(generation: str) -> None:
    """Four receive and four transmit queues of the igb, no CPU named."""
    facts = SOURCE.parse(PASTED, fixture(f"{generation}/igb/grep_queue_cpus.txt"))
    assert {f"{way}x-{number}" for way in "rt" for number in range(4)} == {
        fact.queue for fact in facts if isinstance(fact, QueueCpus)
    }
    assert all(isinstance(fact, QueueCpus) and fact.rps_cpus == () for fact in facts)


def test_one_queue_has_no_xps() -> None:
    """A link with one queue has nothing but RPS."""
    facts = SOURCE.parse(PASTED, fixture("recorded/linux-6.18/grep_queue_cpus.txt"))
    assert (QueueCpus(subject="eth0", queue="rx-0"),) == facts


def test_masks_flows_and_words() -> None:
    """A mask of several words counts CPUs from the right."""
    text = f"{HERE}/rx-0/rps_cpus:00000001,80000004\n{HERE}/rx-0/rps_flow_cnt:4096\n{HERE}/tx-3/xps_cpus:ff00\n"
    expected = (
        QueueCpus(subject="enp1s0", queue="rx-0", rps_cpus=(2, 31, 32), rps_flows=4096),
        QueueCpus(subject="enp1s0", queue="tx-3", xps_cpus=tuple(range(8, 16))),
    )
    assert expected == SOURCE.parse(PASTED, text.encode())


def test_identity_is_link_and_queue() -> None:
    """A link has several queues."""
    assert "eth0 rx-1" == QueueCpus(subject="eth0", queue="rx-1").identity


def test_truncated_answer() -> None:
    """Whole lines before the cut are read."""
    payload = fixture("debian12/igb/grep_queue_cpus.txt")
    assert 1 == len(SOURCE.parse(PASTED, payload[: payload.index(b"\n")]))


@pytest.mark.parametrize(
    "payload",
    [b"", GARBAGE, f"{HERE}/rx-0/rps_cpus:0-3\n".encode(), f"{HERE}/rx-0/tx_maxrate:0\n".encode()],
)
def test_other_text_is_refused(payload: bytes) -> None:
    """A list is no mask, and other files are not asked for."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_own_request_is_answered_and_no_other() -> None:
    """One request a link."""
    (request,) = SOURCE.requests(Scope(links=("eth0",)))
    assert [True, False] == [SOURCE.answers(request), SOURCE.answers(ran("grep -rsH '' /proc/irq"))]
