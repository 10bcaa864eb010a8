"""The check irqbalance-fights."""

from dataclasses import replace

import pytest

from fullrate.checks.irqbalance_fights import CHECK
from fullrate.records.facts.cpu import Interrupt
from fullrate.records.facts.queues import IrqAffinity
from fullrate.records.finding import Judgement
from unit.checks.build import FAR, found, judged, untested
from unit.checks.nic import affinity, job, virtual
from unit.checks.pairs import still
from unit.checks.scenes_nic import moving


def test_interrupts_move_in_trial_after_trial() -> None:
    """Twice is again and again; no cost is claimed."""
    finding = found(CHECK, moving())
    assert (Judgement.PROBLEM, "interrupts", 0.0) == (finding.verdict, finding.stage, finding.costs_bps)
    assert "in 2 trials" in finding.summary


def test_cites_where_from_and_where_to() -> None:
    """Each move is evidence."""
    assert ("IRQ 61, CPU", "1 then 0") in [(seen.field, seen.value) for seen in found(CHECK, moving()).evidence]


def test_one_move_is_what_a_balancer_is_for() -> None:
    """When load comes irqbalance may move an interrupt."""
    assert "not again and again" in found(CHECK, moving(1)).summary


def test_interrupts_that_stay() -> None:
    """Their places are cited."""
    finding = found(CHECK, job())
    assert (Judgement.CLEAR, 5) == (finding.verdict, len(finding.evidence))


def test_others_interrupts_do_not_matter() -> None:
    """A disk's interrupt may move as it likes."""
    first = IrqAffinity(subject="9", allowed=(0, 1), effective=(0,))
    scene = job().seeing(FAR, (first, replace(first, effective=(1,))))
    assert "no interrupt moved" == found(CHECK, scene).summary


def test_full_link() -> None:
    """A full link is not accused."""
    view = moving()
    assert Judgement.CLEAR is judged(CHECK, replace(view, rate=935e6))


def test_effective_place_counts() -> None:
    """Other CPUs allowed and the same one used is no move."""
    pairs = [(fact, replace(fact, allowed=(0,))) for fact in affinity(FAR, 0)]
    assert "no interrupt moved" == found(CHECK, job().seeing(FAR, *pairs)).summary


def test_nothing_to_type() -> None:
    """What the balancer is told depends on its configuration."""
    (remedy,) = found(CHECK, moving()).remedies
    assert ((), ()) == (remedy.commands, remedy.undo)


def test_virtual_link() -> None:
    """A veth has no interrupts."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, virtual(moving()))


def test_still_pairs_are_two_readings() -> None:
    """The same place twice was read twice."""
    scene = job().seeing(FAR, *(still(fact) for fact in affinity(FAR, 1)))
    assert Judgement.CLEAR is judged(CHECK, scene)


@pytest.mark.parametrize("kind", [IrqAffinity, Interrupt])
def test_unread(kind: type[IrqAffinity] | type[Interrupt]) -> None:
    """The affinities must be read before and after, and the link's interrupts be known."""
    assert Judgement.UNKNOWN is judged(CHECK, job().lacking(FAR, kind, "facts", "after"))


def test_untested() -> None:
    """Without a trial nothing was watched."""
    assert Judgement.UNKNOWN is judged(CHECK, untested(job()))
