"""Tests of which only the traffic program's words are known."""

from typing import Any

from fullrate.records.ends import Direction, End
from fullrate.records.recording import Promise
from fullrate.records.snapshot import Snapshot
from fullrate.records.trial import EngineResult, Estimate, Interval, Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View
from iperf3_recorded import bulk


def told(
    rate: BitsPerSecond | None = 300e6,
    *,
    protocol: str = "tcp",
    streams: int = 1,
    asked: BitsPerSecond | None = None,
    ceiling: BitsPerSecond | None = 941e6,
    **said: Any,  # noqa: ANN401 - fields of EngineResult
) -> View:
    """A view of one test near to far; `said` is what the program told, `rate` None: no rate."""
    trial = Trial(
        id="t1",
        spec=bulk(protocol=protocol, streams=streams, rate=asked),
        engine=EngineResult(**({"program": "iperf3"} | said)),
        throughput=None if rate is None else Estimate(n=1, median=rate, ci_low=0.99 * rate, ci_high=1.01 * rate),
        told=rate is not None,
    )
    return View(
        ends={end: EndView(end=end, snapshot=Snapshot()) for end in End},
        trials=(trial,),
        promise=Promise(),
        direction=Direction.NEAR_TO_FAR,
        ceilings={} if ceiling is None else {Direction.NEAR_TO_FAR: ceiling},
    )


def seconds(*rates: BitsPerSecond) -> tuple[Interval, ...]:
    """One interval a second."""
    return tuple(Interval(start=float(n), end=n + 1.0, throughput=rate) for n, rate in enumerate(rates))
