"""Pairs of tests that somebody showed, alike but for one option."""

from dataclasses import replace

import pytest

from fullrate.records.ends import Direction
from fullrate.records.facts.base import Fact
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.net import EchoProbe
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.trial import EngineResult, Estimate, Trial, TrialKind, TrialSpec
from unit.checks.glancing import CHECKS, seen

LOW, MEDIUM = Confidence.LOW, Confidence.MEDIUM
FAR = EchoProbe(subject="203.0.113.9 56", sent=3, received=3, size=56, rtt=0.181)
NEAR = replace(FAR, rtt=0.0004)


def trial(  # noqa: PLR0913 - what tells two tests apart, all keywords but the rate
    rate: float,
    *,
    buffer: int | None = None,
    cc: str | None = None,
    streams: int = 1,
    program: str = "iperf3",
    way: Direction = Direction.NEAR_TO_FAR,
    apart: float = 0.0,
) -> Trial:
    """A test by its program's own word."""
    spec = TrialSpec(kind=TrialKind.BULK, direction=way, streams=streams, buffer=buffer)
    engine = EngineResult(program=program, congestion_control=cc)
    found = Estimate(n=1, median=rate, ci_low=rate - apart, ci_high=rate + apart)
    return Trial(id=f"t{rate}", spec=spec, engine=engine, throughput=found, told=True, steady=True)


def sure(check: str, *trials: Trial, facts: tuple[Fact, ...] = ()) -> Confidence | None:
    """How sure a check's glance is of two tests."""
    look = CHECKS[check].glance
    assert look is not None
    found = look(replace(seen(facts), trials=trials))
    return found.confidence if found is not None and found.verdict is Judgement.PROBLEM else None


@pytest.mark.parametrize(
    ("check", "slow", "fast"),
    [
        ("socket-buffer-fixed", trial(47.5e6, buffer=262_144), trial(502e6)),
        ("socket-buffer-fixed", trial(47.5e6, buffer=262_144), trial(502e6, buffer=4_194_304)),
        ("congestion-control", trial(22.5e6, cc="cubic"), trial(502e6, cc="bbr")),
    ],
)
def test_what_differs_is_suspected(check: str, slow: Trial, fast: Trial) -> None:
    """In whatever order they were made."""
    assert [MEDIUM, MEDIUM] == [sure(check, slow, fast), sure(check, fast, slow)]


@pytest.mark.parametrize(
    ("check", "slow", "fast"),
    [
        ("socket-buffer-fixed", trial(400e6, buffer=262_144), trial(502e6)),
        ("socket-buffer-fixed", trial(47.5e6), trial(502e6, buffer=4_194_304)),
        ("socket-buffer-fixed", trial(47.5e6, buffer=262_144), trial(502e6, streams=8)),
        ("socket-buffer-fixed", trial(47.5e6, buffer=262_144), trial(502e6, way=Direction.FAR_TO_NEAR)),
        ("socket-buffer-fixed", trial(47.5e6, buffer=262_144), trial(502e6, program="iperf")),
        ("congestion-control", trial(22.5e6, cc="cubic"), trial(502e6, cc="cubic")),
        ("congestion-control", trial(22.5e6), trial(502e6, cc="bbr")),
    ],
)
def test_near_misses(check: str, slow: Trial, fast: Trial) -> None:
    """Hardly faster, the other way round, or more than one thing differs."""
    assert sure(check, slow, fast) is None


@pytest.mark.parametrize(("probe", "expected"), [(FAR, LOW), (NEAR, None)])
def test_several_flows_on_a_long_path(probe: EchoProbe, expected: Confidence | None) -> None:
    """On a short one a CPU is as likely."""
    assert expected is sure("long-rtt-single-flow", trial(86e6), trial(809e6, streams=8), facts=(probe,))


@pytest.mark.parametrize(
    ("shown", "facts", "expected"),
    [
        (trial(94.1e6, apart=0.5e6), (), LOW),
        (trial(94.4e6, apart=7e6), (), None),
        (trial(88e6, apart=0.5e6), (), None),
        (replace(trial(94.1e6, apart=0.5e6), steady=False), (), None),
        (trial(94.1e6, apart=0.5e6), (LinkMode(subject="eth0", speed=1e9),), None),
    ],
)
def test_rate_of_fast_ethernet(shown: Trial, facts: tuple[Fact, ...], expected: Confidence | None) -> None:
    """Exactly what 100 Mbit/s carry, steadily, where no speed is shown; by chance a rate does not stay there."""
    assert expected is sure("link-speed-downshift", shown, facts=facts)
