"""Runs the checks on every direction and ranks what they find."""

import functools
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace

from fullrate.diagnose.nics import on_nics
from fullrate.diagnose.one_sided import beyond_servers
from fullrate.diagnose.ranking import is_full, ranked
from fullrate.records.causes import CAUSES, stage_of
from fullrate.records.ends import ONE_WAY, Direction, End
from fullrate.records.finding import Confidence, Finding, Judgement
from fullrate.records.leaf import Check, Per
from fullrate.records.view import EndView, Missing, View
from fullrate.registry import LeafFailure, call_leaf


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """All findings, the limiter first; `suspects` are those of them that only glances made."""

    findings: tuple[Finding, ...]
    suspects: tuple[Finding, ...] = ()

    def problems(self, direction: Direction | None = None) -> tuple[Finding, ...]:
        """What is wrong in one direction (in any, when None), findings of the whole run included."""
        return tuple(
            finding
            for finding in self.findings
            if finding.verdict is Judgement.PROBLEM
            and (direction is None or finding.direction in {direction, None})
            and not is_full(finding)
        )


def judge(
    checks: Sequence[Check],
    view_of: Callable[[Direction], View],
    links: Sequence[EndView],
    alone: Sequence[View] = (),
) -> Judged:
    """Every check's finding for each direction, link or end, or for the run.

    `links`: one end view a link; `alone`: one view a link of a host without a partner, which then has no directions.
    """
    nics_of = functools.cache(lambda direction: on_nics(view_of(direction)))  # the same for every check
    found = [
        _run(check, view)
        for check in checks
        for view in (alone if alone and check.alone else _subjects(check, view_of, nics_of, links))
    ]
    return Judged(findings=ranked(yielding(one, found) for one in found))


def yielding(general: Finding, found: Sequence[Finding]) -> Finding:
    """A finding whose cause another problem of the same place is a special kind of: that one says it better."""
    if general.verdict is not Judgement.PROBLEM:
        return general
    special = next((one for one in found if _specialises(one, general)), None)
    if special is None:
        return general
    summary = f"{general.summary} ({special.cause} says why)"
    return replace(general, verdict=Judgement.CLEAR, summary=summary, costs_bps=0.0)


def _specialises(one: Finding, general: Finding) -> bool:
    same = one.direction in {general.direction, None} and general.end in {one.end, None}
    return one.verdict is Judgement.PROBLEM and same and general.cause in _ancestors(one.cause)


def _ancestors(slug: str) -> tuple[str, ...]:
    """The more general causes of a cause, nearest first."""
    cause = CAUSES.get(slug)
    parent = None if cause is None else cause.parent
    return () if parent is None else (parent, *_ancestors(parent))


def _subjects(
    check: Check,
    view_of: Callable[[Direction], View],
    nics_of: Callable[[Direction], View],
    links: Sequence[EndView],
) -> list[View]:
    first = view_of(ONE_WAY[0])
    if check.per is Per.DIRECTION:
        return [view_of(direction) for direction in ONE_WAY]
    if check.per is Per.NIC:
        return [nics_of(direction) for direction in ONE_WAY]
    if check.per is Per.LINK:
        return [replace(first, examined=link) for link in links if link.interface]
    if check.per is Per.END:
        return [replace(first, examined=end) for end in {link.end: link for link in links}.values()]
    return [first]


def _run(check: Check, view: View) -> Finding:
    direction = view.direction if check.per in {Per.DIRECTION, Per.NIC} and not view.alone else None
    end = None if view.examined is None else view.examined.end
    try:
        found = call_leaf(lambda: replace(check.diagnose(view), direction=direction), Missing)
    except Missing as missing:
        return beyond_servers(_unknown(check, direction, end, f"not known: {missing.what}", missing), view)
    if isinstance(found, LeafFailure):
        return _unknown(check, direction, end, f"this check failed: {found.reason}")
    found = replace(found, costs_bps=0.0) if view.alone else found  # nothing was measured
    return beyond_servers(found if found.end or end is None else replace(found, end=end), view)


def _unknown(
    check: Check, direction: Direction | None, end: End | None, summary: str, missing: Missing | None = None
) -> Finding:
    return Finding(
        check=check.id,
        cause=check.cause,
        stage=stage_of(check.cause),
        verdict=Judgement.UNKNOWN,
        confidence=Confidence.LOW,
        end=end,
        direction=direction,
        summary=summary,
        asks=missing.asks if missing else (),
    )


def asks(findings: Iterable[Finding], suspects: Container[Finding] = ()) -> tuple[str, ...]:
    """What would decide the open findings and confirm the suspects, in words, each once, the most useful first.

    A finding that has evidence already is a suspicion, and decided before a mere blank; then counts how many need it.
    """
    worth: dict[str, tuple[int, int]] = {}
    for finding in findings:
        open_ = finding.verdict is Judgement.UNKNOWN or finding in suspects
        for ask in finding.asks if open_ else ():
            suspected, needed = worth.get(ask.text, (0, 0))
            worth[ask.text] = (suspected + bool(finding.evidence), needed + 1)
    return tuple(sorted(worth, key=lambda text: worth[text], reverse=True))
