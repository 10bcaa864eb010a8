"""A window of the program's own, by arithmetic."""

from dataclasses import replace

import pytest

from fullrate.records.ends import End
from fullrate.records.facts.net import EchoProbe
from fullrate.records.finding import Confidence, Finding
from fullrate.records.trial import EngineResult, Interval
from unit.checks.glancing import CHECKS, seen

ASKED = 256 * 1024
CAUSE = "socket-buffer-fixed"


def found(  # noqa: PLR0913 - what the arithmetic is made of, all keywords
    *,
    rate: float = 23e6,
    rtt: float | None = 0.140,
    asked: int | None = ASKED,
    resent: int = 0,
    streams: int = 1,
    ceiling: float | None = None,
    told: bool = True,
    own: float | None = None,
) -> Finding | None:
    """What the glance says of a test that somebody showed with a ping."""
    probes = [] if rtt is None else [EchoProbe(subject="192.0.2.2 56", sent=3, received=3, size=56, rtt=rtt)]
    view = seen(probes, rate=rate)
    (trial,) = view.trials
    steps = (Interval(start=0.0, end=1.0, throughput=rate, rtt=own),)
    engine = EngineResult(program="iperf3", retransmits=resent, seconds=20.0, sent=steps)
    trial = replace(trial, told=told, engine=engine, spec=replace(trial.spec, buffer=asked, streams=streams))
    look = CHECKS[CAUSE].glance
    assert look is not None
    ceilings = {} if ceiling is None else {view.direction: ceiling}
    return look(replace(view, trials=(trial,), ceilings=ceilings))


@pytest.mark.parametrize(
    "scene",
    [{}, {"rate": 8e6}, {"rate": 29e6}, {"rate": 92e6, "streams": 4}, {"ceiling": 9.4e9}, {"rtt": None, "own": 0.14}],
)
def test_what_a_round_trip_carries_is_the_window(scene: dict[str, float]) -> None:
    """Between the half and the double of it, for the kernel doubles what was asked for and needs a part itself."""
    finding = found(**scene)  # type: ignore[arg-type]
    assert finding is not None
    assert (CAUSE, End.NEAR, Confidence.MEDIUM) == (finding.cause, finding.end, finding.confidence)


@pytest.mark.parametrize(
    "scene",
    [
        {"asked": None},
        {"rtt": None},
        {"rate": 5e6},
        {"rate": 60e6},
        {"resent": 400},
        {"rate": 23e6, "ceiling": 23.2e6},
        {"told": False},
        {"rtt": 0.0005, "rate": 4e9},
    ],
)
def test_near_misses(scene: dict[str, float]) -> None:
    """No window, no round trip, too little or too much for it, losses, a full link, a test of our own, a short way."""
    assert found(**scene) is None  # type: ignore[arg-type]
