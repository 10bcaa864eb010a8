"""Offloads that are off."""

from dataclasses import replace

import pytest

from fullrate.checks.offload_off import CHECK
from fullrate.records.ends import End
from fullrate.records.facts.cpu import CpuTimes, ProcessPlacement
from fullrate.records.facts.ethtool import Feature, Features
from fullrate.records.facts.link import Link, LinkCounters
from fullrate.records.facts.net import HostIdentity
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.view import View
from unit.checks.build import CEILING, FAR, NEAR, Scene, change, evidence, found, healthy, judged
from unit.checks.pairs import counters, cpu, features, still
from unit.checks.scenes import virtual, with_tso_off


def with_gro_off(busy: float = 0.97) -> Scene:
    """A physical receiver without GRO."""
    return healthy(500e6).having(FAR, features("enp3s0", gro=False)).seeing(FAR, cpu(0, busy))


def on_one_kernel(scene: Scene, *, near: int, far: int) -> Scene:
    """Both ends in namespaces of one host, their programs pinned to a CPU each."""
    for end, number in ((NEAR, near), (FAR, far)):
        scene = scene.lacking(end, HostIdentity, "facts").having(end, HostIdentity(boot_id="boot-a"))
        pinned = ProcessPlacement(subject="77", name="iperf3", threads=1, cpus_allowed=(number,))
        scene = scene.seeing(end, still(pinned))
    return scene


def test_sender_without_tso_and_a_full_cpu_is_a_problem() -> None:
    """Frames of 1514 bytes one by one, CPU 0 at 97 %."""
    finding = found(CHECK, with_tso_off())
    assert (Judgement.PROBLEM, NEAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)


def test_cost_reckons_with_the_rest_of_the_cpu() -> None:
    """500 Mbit/s at 97 % would be 515.46 at 100 %: the rest up to 941.48 is the offload's."""
    assert CEILING - 500e6 / 0.97 == pytest.approx(found(CHECK, with_tso_off()).costs_bps)


def test_cites_feature_cpu_and_packet_size() -> None:
    """What is off, what it costs, and that packets travel alone."""
    finding = found(CHECK, with_tso_off())
    assert ("run ethtool -k", "off") == evidence(finding, "tcp-segmentation-offload")
    assert ("read /proc/stat", "97%") == evidence(finding, "CPU 0 busy")
    assert ("read /proc/net/dev", "1514") == evidence(finding, "tx bytes a packet")


def test_remedy_switches_on_what_is_off_and_off_again() -> None:
    """Nothing else is touched."""
    (remedy,) = found(CHECK, with_tso_off()).remedies
    assert ("ethtool -K enp1s0 tso on gso on",) == remedy.commands
    assert ("ethtool -K enp1s0 tso off gso off",) == remedy.undo


def test_receiver_without_gro_and_a_full_cpu_is_a_problem() -> None:
    """The receiver's own offload."""
    finding = found(CHECK, with_gro_off())
    assert (FAR, ("ethtool -K enp3s0 gro on",)) == (finding.end, finding.remedies[0].commands)


def test_receivers_tso_is_none_of_this_direction() -> None:
    """A near miss: it sends acknowledgements alone."""
    scene = healthy(500e6).having(FAR, features("enp3s0", tso=False)).seeing(FAR, cpu(0, 0.97))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_physical_link_with_cpu_to_spare_is_a_problem_of_no_cost() -> None:
    """A setting to know of; the rate does not suffer."""
    finding = found(CHECK, with_tso_off(busy=0.5))
    assert (Judgement.PROBLEM, 0.0, Confidence.MEDIUM) == (finding.verdict, finding.costs_bps, finding.confidence)


def test_full_link_pays_nothing() -> None:
    """CPU 0 is full, and so is the link."""
    scene = healthy().having(NEAR, features("enp1s0", tso=False)).seeing(NEAR, cpu(0, 0.97))
    assert 0.0 == found(CHECK, scene).costs_bps


def test_virtual_link_with_cpu_to_spare_is_clear() -> None:
    """A near miss: off by default, and harmless."""
    assert Judgement.CLEAR is judged(CHECK, virtual(with_tso_off(busy=0.5)))


def test_virtual_link_with_a_full_cpu_is_a_problem() -> None:
    """Off, and it does cost."""
    assert Judgement.PROBLEM is judged(CHECK, virtual(with_tso_off()))


def test_merged_packets_are_clear() -> None:
    """A near miss: TSO is off, the CPU is full, but packets of 60 kB travel: something else fills the CPU."""
    scene = virtual(with_tso_off()).seeing(NEAR, counters("enp1s0", tx=500e6, size=60_000))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_offloads_on_are_clear_with_a_full_cpu() -> None:
    """Something else fills it."""
    assert Judgement.CLEAR is judged(CHECK, healthy(500e6).seeing(NEAR, cpu(0, 0.97)))


def test_offload_that_cannot_be_switched_is_left_alone() -> None:
    """TSO is off [fixed], the others are on."""
    scene = with_tso_off().having(NEAR, features("enp1s0", tso=True))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_offload_that_the_kernel_does_not_list_is_unknown() -> None:
    """Neither on nor off."""
    scene = healthy(500e6).having(FAR, Features(subject="enp3s0", features=(Feature(name="rx-checksumming", on=True),)))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_problem_at_one_end_needs_nothing_of_the_other() -> None:
    """The receiver's offloads were not read."""
    assert Judgement.PROBLEM is judged(CHECK, with_tso_off().lacking(FAR, Features, "facts"))


def test_no_packets_are_unknown() -> None:
    """Nothing was sent over this link: how packets travel cannot be told."""
    assert Judgement.UNKNOWN is judged(CHECK, with_tso_off().seeing(NEAR, counters("enp1s0")))


def test_counters_that_went_back_are_unknown() -> None:
    """The link was reset."""
    scene = change(with_tso_off(), NEAR, LinkCounters, lambda fact: replace(fact, tx_packets=0))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_no_cpu_times_are_unknown() -> None:
    """Off, and at what cost is not known."""
    assert Judgement.UNKNOWN is judged(CHECK, with_tso_off().lacking(NEAR, CpuTimes, "before", "after"))


def test_other_ends_cpu_on_one_kernel_is_not_ours() -> None:
    """A near miss: CPU 0 is full, and this end's program runs on CPU 1."""
    scene = virtual(on_one_kernel(with_tso_off(), near=1, far=0))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_own_cpu_on_one_kernel_counts() -> None:
    """CPU 0 is full, and this end's program runs there."""
    assert Judgement.PROBLEM is judged(CHECK, virtual(on_one_kernel(with_tso_off(), near=0, far=1)))


def test_driver_without_offloads_does_not_apply() -> None:
    """Nothing can be switched at either end."""
    scene = healthy(500e6).having(NEAR, features("enp1s0", tx=True, sg=True, tso=True, gso=True))
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene.having(FAR, features("enp3s0", gro=True)))


def test_udp_alone_does_not_apply() -> None:
    """They merge TCP segments."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, replace(with_tso_off(), protocol="udp"))


@pytest.mark.parametrize(("busy", "costs"), [(0.91, True), (0.89, False)])
def test_cpu_is_full_at_nine_tenths(busy: float, *, costs: bool) -> None:
    """A saturated one shows 92 to 100 % in ten seconds of ticks."""
    assert costs is (found(CHECK, with_tso_off(busy=busy)).costs_bps > 0)


def test_pairs_of_segments_travel_merged() -> None:
    """Two in a packet: GSO is at work somewhere."""
    scene = virtual(with_tso_off()).seeing(NEAR, counters("enp1s0", tx=500e6, size=2 * 1448))
    assert Judgement.CLEAR is judged(CHECK, scene)


def on_vlan(scene: Scene, *, gro: bool) -> Scene:
    """The receiver's link under test is a VLAN on enp3s0."""
    vlan = Link(subject="vlan7", ifindex=9, mtu=1500, operstate="UP", kind="vlan", lower="enp3s0")
    side = scene.having(FAR, vlan, features("vlan7", gro=gro)).side(FAR)
    return scene.with_side(FAR, replace(side, interface="vlan7"))


def test_offload_of_a_vlans_parent() -> None:
    """Frames are merged where they arrive: the VLAN's own switch says nothing of it, and cannot mend it."""
    finding = found(CHECK, on_vlan(with_gro_off(), gro=True))
    assert (Judgement.PROBLEM, "enp3s0") == (finding.verdict, finding.subject)


def test_vlan_over_a_healthy_parent_is_clear() -> None:
    """A near miss."""
    assert Judgement.CLEAR is judged(CHECK, on_vlan(healthy(), gro=True))


def alone(scene: Scene) -> View:
    """The receiver without a partner, at whose counters we looked."""
    seen = scene.view()
    far = seen.ends[FAR]
    return replace(seen, ends=dict.fromkeys(End, far), examined=far, alone=True)


def test_untested_nic_without_gro_is_a_problem_of_unknown_cost() -> None:
    """No CPU is looked at: nothing was sent."""
    finding = CHECK.diagnose(alone(with_gro_off(busy=0.1)))
    assert (Judgement.PROBLEM, 0.0) == (finding.verdict, finding.costs_bps)
    assert finding.summary.endswith("off on enp3s0, what it costs only a test can tell")


def test_untested_virtual_link_without_gro_is_clear() -> None:
    """A near miss: a veth comes so."""
    assert Judgement.CLEAR is CHECK.diagnose(alone(virtual(with_gro_off(busy=0.97)))).verdict
