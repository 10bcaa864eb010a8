"""Sessions on the hosts of a kept run."""

from collections.abc import Iterable

from bundled import Stage
from fullrate import registry
from fullrate.generators.iperf3 import GENERATOR
from fullrate.pairing import Wish
from fullrate.records.ends import End
from fullrate.records.recording import EndRecord, Promise, Recording
from fullrate.records.target import Target, TargetKind
from fullrate.session import Session
from fullrate.visit import Job
from trial_fakes import Ticks

PORTS = (5201, 5202, 5203)


def target(end: End, kind: TargetKind = TargetKind.NETNS) -> Target:
    """One end's target."""
    return Target(kind=kind, text=f"netns:{end}", name=end)


def session(
    wish: Wish | None = None, *, ends: Iterable[End] = tuple(End), kind: TargetKind = TargetKind.NETNS
) -> Session:
    """A session that has done nothing yet."""
    targets = {end: target(end, kind) for end in ends}
    promise = Promise(link_speed=1e9, ports=PORTS)
    return Session(
        job=Job(targets=targets, promise=promise, wish=wish or Wish()),
        recording=Recording(
            id="R",
            started_at="2026-11-30T12:00:00.000+00:00",
            tool_version="0",
            promise=promise,
            ends={end: EndRecord(target=one.text) for end, one in targets.items()},
        ),
        sources=registry.sources(),
        generators=(GENERATOR,),
        progress=Ticks(),
    )


def opened(stage: Stage, wish: Wish | None = None) -> Session:
    """A session with both hosts open."""
    found = session(wish)
    found.clock = stage.clock
    found.open(lambda one: stage.hosts[End(one.name)])
    return found


def collected(stage: Stage, wish: Wish | None = None) -> Session:
    """A session with both hosts read."""
    found = opened(stage, wish)
    found.collect()
    return found
