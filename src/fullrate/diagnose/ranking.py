"""The order of findings: what is wrong before what is open, the dearest first."""

import functools
from collections.abc import Iterable
from itertools import takewhile

from fullrate.records.causes import CAUSES, STAGES
from fullrate.records.ends import ONE_WAY
from fullrate.records.finding import Confidence, Finding, Judgement

_FILLED = "link-filled"
_SURE = {Confidence.HIGH: 0, Confidence.MEDIUM: 1, Confidence.LOW: 2}
_ORDER = {Judgement.PROBLEM: 0, Judgement.UNKNOWN: 1, Judgement.CLEAR: 2, Judgement.NOT_APPLICABLE: 3}
# Of a cost. A rate is known to 2 % at best (measure/stats, TARGET), and so is what two causes cost that allow the same.
_ALIKE = 0.02
_LAST = 2


def is_full(finding: Finding) -> bool:
    """Whether a finding says that the link itself is the limit."""
    cause = CAUSES.get(finding.cause)
    return _FILLED in {finding.cause, cause.parent if cause else None}


def ranked(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, the limiter first.

    Of those that cost the same within what a measurement tells, the surer comes first, then what a packet meets first:
    a shaper of the sender leaves nothing more for a lossy path to take.
    """
    order: list[Finding] = []
    left = sorted(findings, key=_rank)
    while left:
        first = left[0]
        alike = list(takewhile(functools.partial(_is_like, first), left))
        order += sorted(alike, key=_tie)
        left = left[len(alike) :]
    return tuple(order)


def _is_like(first: Finding, other: Finding) -> bool:
    return other.costs_bps >= (1 - _ALIKE) * first.costs_bps and _group(other) == _group(first)


def _group(finding: Finding) -> tuple[int, bool]:
    """Problems first; a full link explains nothing else, so it stands after them."""
    return _ORDER[finding.verdict], is_full(finding)


def _rank(finding: Finding) -> tuple[tuple[int, bool], float]:
    return _group(finding), -finding.costs_bps


def _tie(finding: Finding) -> tuple[int, int, int, str]:
    acts = finding.verdict is Judgement.PROBLEM and finding.stage in STAGES
    place = STAGES.index(finding.stage) if acts else len(STAGES)
    return _SURE[finding.confidence], _part(finding) if acts else _LAST, place, finding.check


def _part(finding: Finding) -> int:
    """Which part of the way it is on: the sender, the path, the receiver."""
    if finding.direction not in ONE_WAY or finding.end is None:
        return 1
    return 0 if finding.end is finding.direction.sender else _LAST
