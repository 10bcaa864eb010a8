"""What the near end alone can prove when only a server stands for the far one."""

from dataclasses import replace

import pytest

from fullrate.checks import competing_traffic, offload_off, server_busy, tc_shaper
from fullrate.checks._common import mtu
from fullrate.checks._cpu import busiest_cpu
from fullrate.records.ends import Direction
from fullrate.records.finding import Judgement
from fullrate.records.view import Missing
from unit.checks.build import CEILING, FAR, NEAR, OUT, Scene, Side, found, healthy, untested
from unit.checks.pairs import counters, rest
from unit.checks.scenes import busy_ports, shaped

BACK = Direction.FAR_TO_NEAR
SERVER = Side(interface="", address="198.51.100.7", target="iperf3://nas")


def one_sided(scene: Scene) -> Scene:
    """The scene with a server in place of its far host."""
    return scene.with_side(FAR, SERVER)


def test_mtu_is_that_of_the_link_that_is_seen() -> None:
    """Nobody shows the other's."""
    assert 1500 == mtu(one_sided(healthy()).view())


def test_mtu_of_a_host_that_was_not_read_is_missing() -> None:
    """There it could have been smaller."""
    with pytest.raises(Missing):
        mtu(healthy().with_side(FAR, replace(SERVER, target="root@nas")).view())


def test_cpus_of_the_near_end_are_its_own() -> None:
    """Behind the server is another machine, whatever it is."""
    view = one_sided(healthy()).view()
    assert "0" == busiest_cpu(view, view.trial(), view.end(NEAR)).cpu


@pytest.mark.parametrize(("direction", "way"), [(OUT, "tx"), (BACK, "rx")])
def test_a_loaded_near_link_is_a_problem_before_any_test(direction: Direction, way: str) -> None:
    """In the direction it is loaded in: nothing is sent then."""
    loaded = healthy().resting(NEAR, rest("enp1s0", **{way: 320e6}))
    finding = found(competing_traffic.CHECK, replace(one_sided(untested(loaded)), direction=direction))
    assert (Judgement.PROBLEM, 306_050_198) == (finding.verdict, round(finding.costs_bps))
    assert "198.51.100.7" in finding.summary


def test_a_quiet_near_link_leaves_the_far_one_open() -> None:
    """What it carried during the test is not seen."""
    scene = replace(one_sided(healthy(0.5 * CEILING).seeing(NEAR, counters("enp1s0", tx=0.5 * CEILING))), other=None)
    with pytest.raises(Missing, match="far end"):
        competing_traffic.CHECK.diagnose(scene.view())


def test_no_port_beside_a_servers_own_is_offered() -> None:
    """Nobody listens there."""
    assert () == found(server_busy.CHECK, one_sided(busy_ports())).remedies


def test_a_shaper_of_the_near_end_is_proved_by_it() -> None:
    """It needs nothing of the other."""
    assert Judgement.PROBLEM is found(tc_shaper.CHECK, one_sided(shaped(200e6, 209.1e6))).verdict


def test_offloads_of_the_far_end_stay_open() -> None:
    """Those of the near one are on."""
    with pytest.raises(Missing, match="far end"):
        offload_off.CHECK.diagnose(one_sided(healthy(0.5 * CEILING)).view())
