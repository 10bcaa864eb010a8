"""How busy the CPUs of an end were."""

from dataclasses import replace

import pytest

from fullrate.checks._cpu import busiest_cpu, cpu_loads
from fullrate.records.facts.cpu import CpuTimes, ProcessPlacement
from fullrate.records.facts.net import HostIdentity
from fullrate.records.view import Missing
from unit.checks.build import FAR, NEAR, Scene, change, healthy
from unit.checks.pairs import cpu, edited, still


def one_kernel(*cpus: int) -> Scene:
    """Both ends on one kernel, the near program allowed on some CPUs."""
    scene = healthy().lacking(FAR, HostIdentity, "facts").having(FAR, HostIdentity(boot_id="boot-a"))
    return scene.seeing(NEAR, still(ProcessPlacement(subject="77", name="iperf3", threads=1, cpus_allowed=cpus)))


def busiest(scene: Scene) -> str:
    """The busiest CPU of the near end."""
    view = scene.view()
    return busiest_cpu(view, view.trial(), view.sender).cpu


def test_busiest_first() -> None:
    """CPU 1 at 70 %, CPU 0 at 40 %."""
    view = healthy().seeing(NEAR, cpu(1, 0.7)).view()
    loads = cpu_loads(view.window(view.trial(), view.sender))
    assert [("1", 0.7), ("0", 0.4)] == [(load.cpu, load.busy) for load in loads]


def test_sum_line_is_no_cpu() -> None:
    """The line without a number adds up all of them."""
    total = tuple(replace(fact, subject="") for fact in cpu(0, 1.0))
    assert "0" == busiest(healthy().seeing(NEAR, (total[0], total[1])))


@pytest.mark.parametrize("field", ["system", "idle"])
def test_ticks_that_went_back_leave_the_cpu_out(field: str) -> None:
    """A CPU that was unplugged in between, or idle time that the kernel corrected."""

    def reset(fact: CpuTimes) -> CpuTimes:
        return edited(fact, **{field: 0}) if fact.subject == "0" else fact

    assert "1" == busiest(change(healthy(), NEAR, CpuTimes, reset))


def test_no_ticks_are_missing() -> None:
    """Both readings at the same moment."""
    view = healthy().view()
    trial = view.trial()
    windows = {end: replace(window, after=window.before) for end, window in trial.windows.items()}
    with pytest.raises(Missing, match="CpuTimes on the near end"):
        busiest_cpu(view, replace(trial, windows=windows), view.sender)


def test_two_kernels_have_their_own_cpus() -> None:
    """Where a program may run does not matter."""
    scene = healthy().seeing(NEAR, still(ProcessPlacement(subject="77", name="iperf3", threads=1, cpus_allowed=(1,))))
    assert "0" == busiest(scene)


def test_one_kernel_counts_the_programs_cpus() -> None:
    """CPU 0 is busier, and the other end's."""
    assert "1" == busiest(one_kernel(1))


def test_boot_id_may_come_from_another_source() -> None:
    """The kernel's name and the system's tell of the same host without it, before and after."""
    scene = one_kernel(1)
    several = (HostIdentity(os_name="Debian"), HostIdentity(boot_id="boot-a"), HostIdentity(kernel="6.1.0"))
    facts = tuple(fact for fact in scene.near.facts if not isinstance(fact, HostIdentity))
    assert "1" == busiest(scene.with_side(NEAR, replace(scene.near, facts=(*facts, *several))))


def test_one_kernel_needs_the_programs_cpus() -> None:
    """Or the other end would be accused."""
    with pytest.raises(Missing, match="ProcessPlacement on the near end"):
        busiest(one_kernel(1).lacking(NEAR, ProcessPlacement, "before", "after"))


def test_unknown_kernel_is_missing() -> None:
    """Whether CPUs are shared decides whose they are."""
    with pytest.raises(Missing, match="HostIdentity on the far end"):
        busiest(healthy().lacking(FAR, HostIdentity, "facts"))
