"""One host of which somebody pasted a few outputs: no list of links, no test, nothing of another host."""

from fullrate.records.ends import Direction, End
from fullrate.records.evidence import Gap, Status
from fullrate.records.facts.base import Fact
from fullrate.records.recording import Promise
from fullrate.records.snapshot import Observation, Snapshot
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View
from fullrate.registry import drivers

RECIPES = {recipe.id: recipe for recipe in drivers()}


def gap(kind: str, status: Status) -> Gap:
    """What was not read, and how."""
    return Gap(wanted=kind, tried=f"read {kind}", status=status, reason="not in the recording")


def pasted(
    *facts: Fact, link: str = "eno1", status: Status = Status.NOT_RECORDED, promised: BitsPerSecond | None = None
) -> View:
    """The host's link with these facts; whatever else is wanted was not given, or ended as `status` says."""
    given = {type(fact).__name__ for fact in facts}
    missing = sorted({kind.__name__ for kind in Fact.__subclasses__()} - given)  # slots leave a twin of each class
    seen = [Observation(fact=fact, taken_at=0.0, source=f"pasted {type(fact).__name__}") for fact in facts]
    read = Snapshot(observations=tuple(seen), gaps=tuple(gap(kind, status) for kind in missing))
    end = EndView(end=End.NEAR, snapshot=read, interface=link, sources_of=lambda kind: (kind.__name__,))
    return View(
        ends=dict.fromkeys(End, end),
        trials=(),
        promise=Promise(link_speed=promised),
        direction=Direction.NEAR_TO_FAR,
        recipes=RECIPES,
        examined=end,
        alone=True,
    )
