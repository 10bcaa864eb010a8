"""TCP's largest buffers on a host that tests nothing."""

from dataclasses import replace

import pytest

from fullrate.checks._small_buffers import untested
from fullrate.records.ends import End
from fullrate.records.facts.net import Sysctl
from fullrate.records.finding import Judgement
from fullrate.records.view import Missing, View
from unit.checks.build import NEAR, healthy

RMEM, WMEM = "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"


def alone(speed: float | None = 10e9, **most: int) -> View:
    """One host whose link has this speed; rmem and wmem are the largest buffers."""
    scene = healthy()
    for key, size in ((RMEM, most.get("rmem", 6 << 20)), (WMEM, most.get("wmem", 4 << 20))):
        scene = scene.having(NEAR, Sysctl(subject=key, value=f"4096 16384 {size}"))
    view = scene.view()
    near = view.ends[NEAR]
    return replace(view, ends=dict.fromkeys(End, near), examined=near, alone=True, speed=speed)


def test_buffer_below_a_millisecond_of_the_link_is_a_problem() -> None:
    """10 Gbit/s x 1 ms are 1.25 MB of window, twice that of buffer."""
    finding = untested(alone(rmem=2_000_000))
    assert (Judgement.PROBLEM, RMEM, 0.0) == (finding.verdict, finding.subject, finding.costs_bps)
    assert "allows 2,000,000 bytes; 10 Gbit/s at an RTT of 1 ms need 2,500,000" in finding.summary


def test_send_buffer_counts_too() -> None:
    """Either end may be the small one."""
    assert WMEM == untested(alone(wmem=1 << 20)).subject


@pytest.mark.parametrize(("speed", "rmem"), [(10e9, 2_500_000), (1e9, 250_000), (100e9, 6 << 20)])
def test_enough_is_clear(speed: float, rmem: int) -> None:
    """The near miss; nor is the kernel's own default called small on a fast link, whose RTT may be short."""
    assert Judgement.CLEAR is untested(alone(speed, rmem=rmem)).verdict


def test_unknown_speed_is_not_judged() -> None:
    """A virtual link's need is not known."""
    with pytest.raises(Missing, match="the speed of enp1s0"):
        untested(alone(None))


def test_setting_of_another_form_is_not_judged() -> None:
    """Three numbers or none."""
    scene = healthy().having(NEAR, Sysctl(subject=RMEM, value="4096"))
    near = scene.view().ends[NEAR]
    with pytest.raises(Missing):
        untested(replace(scene.view(), ends=dict.fromkeys(End, near), examined=near, alone=True, speed=1e9))
