"""A stranger on the CPU that handles the packets."""

import pytest

from fullrate.checks.cpu_hog_on_irq_cpu import CHECK
from fullrate.records.facts.cpu import Softnet
from fullrate.records.facts.net import HostIdentity
from fullrate.records.facts.processor import RunningThread, ThreadTimes
from fullrate.records.finding import Confidence, Judgement
from unit.checks.build import CEILING, FAR, NEAR, evidence, found, judged
from unit.checks.cpu_pairs import full_cpu, handled, running, thread
from unit.checks.scenes_cpu import crowded, hogged


def test_hog_is_a_problem() -> None:
    """A loop takes 60 % of the receiver's CPU 0."""
    finding = found(CHECK, hogged())
    assert (Judgement.PROBLEM, FAR, "cpu0") == (finding.verdict, finding.end, finding.subject)


def test_named_hog_is_sure() -> None:
    """User time that is not the test's, and a thread's own time: two signs."""
    assert Confidence.HIGH is found(CHECK, hogged()).confidence


def test_unnamed_hog_is_less_sure() -> None:
    """Short processes leave user time and no thread in both lists."""
    finding = found(CHECK, hogged(seconds=0))
    assert (Judgement.PROBLEM, Confidence.MEDIUM, ()) == (finding.verdict, finding.confidence, finding.remedies)


def test_hog_in_system_mode_is_named_by_its_time() -> None:
    """A thread that copies files shows no user time."""
    scene = full_cpu(softirq=0.15, system=0.82, own=0.2).seeing(FAR, running(4711, "rsync", 0, 6))
    assert "rsync takes 60%" in found(CHECK, scene).summary


def test_cost_is_what_the_rest_of_the_cpu_would_carry() -> None:
    """Without 37 of 97 % the same work gets 1.6 times the time: 500 become 833 Mbit/s."""
    scene = full_cpu(softirq=0.3, system=0.3, user=0.37, own=0.2).seeing(FAR, running(9, "sh", 0, 3))
    own_user = 0.2 * 0.02
    assert 500e6 / (0.6 + own_user) - 500e6 == pytest.approx(found(CHECK, scene).costs_bps, rel=0.01)


def test_cost_does_not_run_away() -> None:
    """Never above the ceiling."""
    assert CEILING - 500e6 == pytest.approx(found(CHECK, hogged(seconds=10)).costs_bps)


def test_cites_the_thread() -> None:
    """By its number and name."""
    assert "about 60% of a CPU, on CPU 0" == evidence(found(CHECK, hogged()), "thread 4711 bash")[1]


def test_remedy_moves_it_off() -> None:
    """Its affinity as found is kept and set again."""
    (remedy,) = found(CHECK, hogged()).remedies
    assert (FAR, "4711") == (remedy.end, remedy.subject)
    assert "taskset -cp 4711 > fullrate-thread-4711.affinity" == remedy.commands[0]
    assert ("taskset -cp \"$(sed 's/.*: //' fullrate-thread-4711.affinity)\" 4711",) == remedy.undo


def test_hog_that_is_in_nobodys_way_is_clear() -> None:
    """A near miss: the flow wants 9 % of the CPU and something else holds it back."""
    scene = full_cpu(softirq=0.06, system=0.03, user=0.89, own=0.03).seeing(FAR, running(4711, "bash", 0, 8))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_test_itself_is_no_hog() -> None:
    """A near miss: the full CPU's work is the test's own."""
    assert Judgement.CLEAR is judged(CHECK, crowded())


def test_softirq_thread_is_no_hog() -> None:
    """The work of ksoftirqd is that of the packets."""
    scene = crowded().seeing(FAR, running(14, "ksoftirqd/0", 0, 9))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_thread_of_another_cpu_is_no_hog() -> None:
    """What moved there only now was not in the way."""
    assert Judgement.CLEAR is judged(CHECK, crowded().seeing(FAR, running(4711, "bash", 0, 9, was=1)))


def test_full_cpu_without_packets_is_clear() -> None:
    """The packets are handled elsewhere."""
    scene = hogged().seeing(FAR, handled(0, 10_000), handled(1, 90_000))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_other_end_on_one_kernel_is_no_stranger() -> None:
    """Both programs of the test share this kernel's CPUs."""
    scene = crowded().lacking(FAR, HostIdentity, "facts").having(FAR, HostIdentity(boot_id="boot-a"))
    scene = scene.seeing(NEAR, thread(0, 0.5, tid=78)).seeing(FAR, running(77, "iperf3", 0, 9))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_cheap_packets_are_packets_too() -> None:
    """Merged ones take next to no softirq time; the reader that waits is held back all the same."""
    scene = full_cpu(softirq=0.02, system=0.1, user=0.87).seeing(FAR, thread(0, 0.1, waited=0.8))
    assert Judgement.PROBLEM is judged(CHECK, scene.seeing(FAR, running(4711, "bash", 0, 9)))


@pytest.mark.parametrize("kind", [RunningThread, Softnet, ThreadTimes])
def test_unread_threads_are_unknown(kind: type[RunningThread | Softnet | ThreadTimes]) -> None:
    """Whose work it is, or whether packets are handled there, cannot be told."""
    assert Judgement.UNKNOWN is judged(CHECK, hogged().lacking(FAR, kind, "after"))
