"""The receiver's CPU, and whether several flows are held back by it."""

from dataclasses import replace

import pytest

from fullrate.checks._receive import cpu_cost, limited, main_trial, receive_load
from fullrate.records.facts.cpu import CpuTimes
from fullrate.records.trial import TrialKind
from fullrate.records.view import Missing
from unit.checks.build import FAR, NEAR, Scene
from unit.checks.nic import held, job, receiving, with_flows


def busy(scene: Scene, *, busy: float = 0.99, softirq: float = 0.9) -> Scene:
    """The scene with the receiver's CPU 1 this busy."""
    return scene.seeing(FAR, receiving(1, busy=busy, softirq=softirq))


def test_the_cpu_with_most_softirqs() -> None:
    """Not the busiest one, but the one that receives."""
    scene = busy(job(), busy=0.6, softirq=0.5).seeing(FAR, receiving(0, busy=1.0, softirq=0.1))
    view = scene.view()
    load = receive_load(view, view.trial())
    assert ("1", 600, 500) == (load.cpu, round(1000 * load.busy), round(1000 * load.softirq))


@pytest.mark.parametrize(
    ("busy_share", "softirq", "expected"), [(0.99, 0.9, True), (0.8, 0.8, False), (0.99, 0.3, False)]
)
def test_saturated_by_receiving(busy_share: float, softirq: float, *, expected: bool) -> None:
    """Full, and mostly of softirqs."""
    view = busy(job(), busy=busy_share, softirq=softirq).view()
    assert expected is receive_load(view, view.trial()).saturated


def test_load_of_another_end() -> None:
    """The sender's CPUs can be asked about too."""
    view = job().seeing(NEAR, receiving(1, busy=0.9, softirq=0.8)).view()
    assert "1" == receive_load(view, view.trial(), view.sender).cpu


def test_load_needs_the_ticks() -> None:
    """Without them nothing is said."""
    view = job().lacking(FAR, CpuTimes, "after").view()
    with pytest.raises(Missing):
        receive_load(view, view.trial())


def test_udp_alone_is_judged_by_itself() -> None:
    """Where only UDP was sent there is no TCP trial to wait for."""
    view = replace(job(), protocol="udp").view()
    assert "udp" == main_trial(view).spec.protocol


def test_one_flow_without_a_full_cpu_asks_nothing() -> None:
    """No second trial is made for a healthy host."""
    assert None is limited(job().view())


def test_a_full_link_is_not_held_back() -> None:
    """Whatever its CPU does."""
    assert None is limited(held(job(935e6)).view())


def test_several_flows_are_asked_for() -> None:
    """One flow held back by a CPU says nothing of queues."""
    with pytest.raises(Missing) as missing:
        limited(busy(job()).view())
    (ask,) = missing.value.asks
    assert ask.trial is not None
    assert (TrialKind.BULK, 4) == (ask.trial.kind, ask.trial.streams)


def test_several_flows_that_fill_the_link() -> None:
    """Then one flow's CPU was the limit, and no queue is to blame."""
    assert None is limited(held(job(), rate=938e6).view())


def test_several_flows_held_back_too() -> None:
    """The trial of several flows and its CPU are the evidence."""
    found = limited(held(job()).view())
    assert found is not None
    assert (4, "0") == (found[0].spec.streams, found[1].cpu)


def test_two_flows_are_not_four() -> None:
    """Only the trial that was asked for counts."""
    with pytest.raises(Missing):
        limited(with_flows(busy(job()), streams=2).view())


def test_cost_is_the_ceiling_minus_the_cpus_last_tick() -> None:
    """620 Mbit/s at 99 % would be 626 at 100 %."""
    view = held(job()).view()
    found = limited(view)
    assert found is not None
    assert view.ceiling - 620e6 / 0.99 == pytest.approx(cpu_cost(view, *found))
