"""A host that was read and not watched, for the tests of glances."""

from collections.abc import Iterable

from fullrate.records.ends import Direction, End
from fullrate.records.facts.base import Fact
from fullrate.records.finding import Confidence, Finding, Judgement
from fullrate.records.leaf import Check
from fullrate.records.recording import Promise
from fullrate.records.snapshot import Observation, Snapshot
from fullrate.records.trial import Estimate, Trial, TrialKind, TrialSpec
from fullrate.records.view import EndView, View
from fullrate.registry import checks, drivers

CHECKS = {check.id: check for check in checks()}


def seen(facts: Iterable[Fact], *, link: str = "eth0", rate: float | None = None) -> View:
    """The view of one link of a host of which these facts are known; `rate`: of a test that somebody showed."""
    observations = tuple(Observation(fact=fact, taken_at=0.0, source="run shown") for fact in facts)
    here = EndView(end=End.NEAR, snapshot=Snapshot(observations=observations), interface=link)
    far = EndView(end=End.FAR, snapshot=Snapshot())
    return View(
        ends={End.NEAR: here, End.FAR: far},
        trials=() if rate is None else (_trial(rate),),
        promise=Promise(),
        direction=Direction.NEAR_TO_FAR,
        recipes={name: recipe for recipe in drivers() for name in (recipe.id, *recipe.aliases)},
        examined=here,
    )


def _trial(rate: float) -> Trial:
    spec = TrialSpec(kind=TrialKind.BULK, direction=Direction.NEAR_TO_FAR)
    return Trial(id="t1", spec=spec, throughput=Estimate(n=1, median=rate, ci_low=rate, ci_high=rate))


def glance(check: str, *facts: Fact, link: str = "eth0", rate: float | None = None) -> Finding | None:
    """What a check's glance says of these facts."""
    found: Check = CHECKS[check]
    assert found.glance is not None
    return found.glance(seen(facts, link=link, rate=rate))


def suspicion(check: str, *facts: Fact, link: str = "eth0", rate: float | None = None) -> Confidence | None:
    """How sure a check's glance suspects its cause; None when it does not."""
    found = glance(check, *facts, link=link, rate=rate)
    if found is None or found.verdict is not Judgement.PROBLEM:
        return None
    assert (CHECKS[check].cause, End.NEAR) == (found.cause, found.end)
    assert found.evidence
    return found.confidence
