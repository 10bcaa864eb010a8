"""CPU quotas of the traffic program's cgroups."""

from dataclasses import replace

import pytest

from fullrate.checks.cpu_quota import CHECK
from fullrate.records.ends import End
from fullrate.records.facts.cpu import CgroupQuota, CgroupThrottling, ProcessCgroup
from fullrate.records.finding import Judgement
from unit.checks.build import CEILING, FAR, NEAR, Scene, change, evidence, found, healthy, judged
from unit.checks.pairs import quota, still
from unit.checks.scenes import throttled


def in_root(scene: Scene) -> Scene:
    """Both programs in the root cgroup."""
    for end in End:
        scene = scene.lacking(end, CgroupQuota, "before", "after").lacking(end, CgroupThrottling, "before", "after")
        scene = scene.seeing(end, still(ProcessCgroup(subject="77", version=2, path="/")))
    return scene


def test_quota_that_bites_is_a_problem() -> None:
    """Stopped in 90 of 100 periods, on the receiving end."""
    finding = found(CHECK, throttled())
    assert (Judgement.PROBLEM, FAR, "/system.slice") == (finding.verdict, finding.end, finding.subject)


def test_cost_is_what_running_all_the_time_would_carry() -> None:
    """Stopped 6 of 10 s: 400 Mbit/s in 40 % of the time would be 1000, and the ceiling is 941."""
    assert CEILING - 400e6 == pytest.approx(found(CHECK, throttled()).costs_bps)


def test_cost_below_the_ceiling() -> None:
    """Stopped 2 of 10 s: 400 / 0.8 = 500, so it costs 100 Mbit/s."""
    scene = healthy(400e6).seeing(FAR, *quota("/system.slice", 0.8, throttled=60, stopped=2.0))
    assert 100e6 == pytest.approx(found(CHECK, scene).costs_bps)


def test_time_summed_over_cpus_does_not_run_away() -> None:
    """The kernel adds up the CPUs' stopped time; 25 s of 10 is taken as 95 %."""
    scene = healthy(20e6).seeing(FAR, *quota("/system.slice", 0.2, throttled=95, stopped=25.0))
    assert 20e6 / 0.05 - 20e6 == pytest.approx(found(CHECK, scene).costs_bps)


def test_cites_quota_and_victims() -> None:
    """The limit found, and the kernel's own count."""
    finding = found(CHECK, throttled())
    assert ("run grep cpu.max", "0.2") == evidence(finding, "quota of /system.slice")
    assert ("read cpu.stat", "+90 of 100 periods") == evidence(finding, "nr_throttled")


def test_remedy_restores_the_file_found() -> None:
    """Quota and period of cpu.max are kept as they stand in the file."""
    (remedy,) = found(CHECK, throttled()).remedies
    assert FAR is remedy.end
    assert (
        "cat /sys/fs/cgroup/system.slice/cpu.max > fullrate-system.slice.quota",
        "echo max > /sys/fs/cgroup/system.slice/cpu.max",
    ) == remedy.commands
    assert ("cat fullrate-system.slice.quota > /sys/fs/cgroup/system.slice/cpu.max",) == remedy.undo


def test_remedy_of_version_1() -> None:
    """Another file, and -1 for unlimited."""
    group = still(ProcessCgroup(subject="77", version=1, path="/frt-B"))
    scene = throttled().lacking(FAR, CgroupQuota, "before", "after")
    scene = scene.seeing(FAR, group, *quota("/frt-B", 0.2, throttled=90, stopped=6.0))
    (remedy,) = found(CHECK, scene).remedies
    assert "echo -1 > /sys/fs/cgroup/cpu/frt-B/cpu.cfs_quota_us" == remedy.commands[1]
    assert ("cat fullrate-frt-B.quota > /sys/fs/cgroup/cpu/frt-B/cpu.cfs_quota_us",) == remedy.undo


def test_worst_of_several_groups_counts() -> None:
    """A tight parent of a loose child."""
    scene = throttled().seeing(FAR, *quota("/system.slice/test", 4.0, throttled=1))
    assert "/system.slice" == found(CHECK, scene).subject


def test_quota_of_the_sender_is_found_too() -> None:
    """Either end's program may be stopped."""
    scene = healthy(400e6).seeing(NEAR, *quota("/system.slice", 0.2, throttled=90, stopped=6.0))
    assert NEAR is found(CHECK, scene).end


def test_problem_at_one_end_needs_nothing_of_the_other() -> None:
    """The sender's cgroup could not be read; the receiver's is throttled all the same."""
    scene = throttled().lacking(NEAR, ProcessCgroup, "before", "after")
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_quota_that_is_hardly_reached_is_clear() -> None:
    """A near miss: five periods of a hundred."""
    scene = healthy(400e6).seeing(FAR, *quota("/system.slice", 0.9, throttled=5, stopped=0.1))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_quota_on_a_full_link_is_clear() -> None:
    """What stops the program and costs nothing caps nothing."""
    scene = healthy().seeing(FAR, *quota("/system.slice", 0.2, throttled=90, stopped=6.0))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_unlimited_groups_are_clear() -> None:
    """The limits were read, and there is none."""
    finding = found(CHECK, healthy(400e6))
    assert (Judgement.CLEAR, "none") == (finding.verdict, evidence(finding, "CPU limit of /system.slice/")[1])


def test_limits_that_were_not_read_are_unknown() -> None:
    """The program is in a group below the root, and no limit of it is known."""
    scene = healthy(400e6).lacking(FAR, CgroupQuota, "before", "after")
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_program_that_ended_early_was_read_once() -> None:
    """The limits do not move: those of the start do, where nothing was read at the end."""
    scene = healthy(400e6)
    for kind in (CgroupQuota, ProcessCgroup):
        scene = scene.lacking(FAR, kind, "after")
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_counters_that_went_back_are_unknown() -> None:
    """The cgroup was made anew during the trial."""
    scene = change(throttled(), FAR, CgroupThrottling, lambda fact: replace(fact, throttled_periods=0))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_group_without_periods_is_clear() -> None:
    """A limit that no period has run under yet has stopped nothing."""
    scene = change(throttled(), FAR, CgroupThrottling, lambda fact: replace(fact, periods=40, throttled_periods=4))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_root_cgroup_does_not_apply() -> None:
    """The root has no quota."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, in_root(healthy(400e6)))


def test_limited_root_of_a_container_counts() -> None:
    """Inside a cgroup namespace the container's own group is called / and may have a limit."""
    scene = in_root(healthy(400e6)).seeing(FAR, *quota("/", 0.2, throttled=90, stopped=6.0))
    assert Judgement.PROBLEM is judged(CHECK, scene)


def test_twelve_periods_of_a_hundred_are_a_problem() -> None:
    """Above a tenth it shows in the rate."""
    scene = healthy(400e6).seeing(FAR, *quota("/system.slice", 0.9, throttled=12, stopped=1.0))
    assert Judgement.PROBLEM is judged(CHECK, scene)
