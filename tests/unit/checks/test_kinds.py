"""What shows who shares the CPU that is the limit."""

import pytest

from fullrate.checks._cores import Core, core
from fullrate.checks._kinds import Hog, handled, hog, irq_hog, mostly_softirq, napi_crowd, neighbour, softirq_alone
from fullrate.records.facts.cpu import Softnet
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, Missing, View
from unit.checks.build import FAR, Scene
from unit.checks.cpu_pairs import full_cpu, running
from unit.checks.cpu_pairs import handled as handled_by
from unit.checks.scenes_cpu import crowded, hogged, softirq_bound, threaded


def receiving(scene: Scene) -> tuple[View, Trial, EndView, Core]:
    """What the functions take, of the receiver."""
    view = scene.view()
    return view, view.trial(), view.receiver, core(view, view.trial(), view.receiver)


def found_hog(scene: Scene) -> Hog:
    """The hog on the receiver's CPU; fails when there is none."""
    found = hog(*receiving(scene))
    assert found is not None
    return found


@pytest.mark.parametrize(("softirq", "expected"), [(0.9, True), (0.69, True), (0.6, False)])
def test_mostly_softirq(softirq: float, expected: bool) -> None:  # noqa: FBT001 - a case of the table
    """Seven tenths of the work."""
    assert expected is mostly_softirq(receiving(full_cpu(softirq=softirq, system=0.98 - softirq))[3])


def test_share_of_the_packets() -> None:
    """99,000 of 100,000."""
    view, trial, end, _ = receiving(softirq_bound())
    assert 0.99 == handled(view.window(trial, end), "0").share


def test_no_packet_is_missing() -> None:
    """A share of nothing."""
    view, trial, end, _ = receiving(softirq_bound().lacking(FAR, Softnet, "before"))
    with pytest.raises(Missing, match="Softnet"):
        handled(view.window(trial, end), "0")


def test_softirqs_alone() -> None:
    """Both signs together; the shared CPU lacks the first."""
    assert [True, False] == [softirq_alone(*receiving(scene)) for scene in (softirq_bound(), crowded())]


def test_hog_by_user_time_is_exact() -> None:
    """The list shows whole seconds only: the larger figure counts."""
    assert 0.6 == pytest.approx(found_hog(hogged(seconds=5)).share, abs=0.01)


def test_hog_is_named_by_the_busiest_stranger() -> None:
    """Others have less of the CPU."""
    thread = found_hog(hogged().seeing(FAR, running(5, "rsync", 0, 1))).thread
    assert "bash" == getattr(thread, "name", None)


def test_stranger_without_time_names_nothing() -> None:
    """It is only there."""
    assert None is found_hog(hogged(seconds=0)).thread


def test_small_stranger_is_no_hog() -> None:
    """Two seconds of ten."""
    assert None is hog(*receiving(crowded().seeing(FAR, running(5, "rsync", 0, 2))))


def test_hog_on_a_cpu_without_packets() -> None:
    """It is nobody's concern there."""
    scene = hogged().seeing(FAR, handled_by(0, 19_000), handled_by(1, 81_000))
    assert (True, True) == (irq_hog(*receiving(scene)) is None, irq_hog(*receiving(hogged())) is not None)


def test_hog_that_the_test_hardly_meets() -> None:
    """Nine per cent of the CPU are wanted."""
    scene = full_cpu(softirq=0.06, user=0.9, own=0.03).seeing(FAR, running(5, "bash", 0, 9))
    assert (True, True) == (irq_hog(*receiving(scene)) is None, hog(*receiving(scene)) is not None)


def test_neighbour_of_the_softirqs() -> None:
    """The program's own thread."""
    assert "77" == getattr(neighbour(*receiving(crowded())), "tid", None)


def test_no_neighbour_without_softirqs() -> None:
    """The program has the CPU to itself."""
    assert None is neighbour(*receiving(full_cpu(system=0.9, softirq=0.1)))


def test_crowd_of_napi_threads() -> None:
    """Two on the full CPU; none where the link is not polled in threads."""
    assert [2, 0] == [len(napi_crowd(*receiving(scene))) for scene in (threaded(), softirq_bound())]
