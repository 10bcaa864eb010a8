"""What a run leaves open: the causes nobody could judge, what they wait for, and what to ask next."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fullrate.records.ends import End
from fullrate.records.finding import Finding, Judgement
from fullrate.records.run import Run
from fullrate.records.target import server_name, two_sided
from fullrate.report.view import problems, says_full
from fullrate.report.wording import asked, in_names, is_of_the_other, lacking

_NOT_KNOWN = "not known: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Causes that could not be judged for one reason."""

    causes: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """Causes that only the host behind a server could tell of, and how to ask it."""

    causes: tuple[str, ...]
    command: str


def open_questions(run: Run) -> tuple[Doubt, ...]:
    """The causes that could not be judged, by what was missing."""
    acting = {finding.cause for finding in problems(run)}
    groups: dict[str, list[str]] = {}
    for finding in run.findings:
        open_ = finding.verdict is Judgement.UNKNOWN and finding.cause not in acting and not says_full(finding)
        if open_ and (run.given or not _is_elsewhere(run, finding)):
            groups.setdefault(_wanted(run, finding), []).append(finding.cause)
    return tuple(Doubt(causes=tuple(dict.fromkeys(causes)), why=why) for why, causes in groups.items())


def weightiest(doubts: Sequence[Doubt], most: int) -> tuple[Doubt, ...]:
    """Those that most causes wait for, in their order."""
    heavy = sorted(doubts, key=lambda doubt: -len(doubt.causes))[:most]
    return tuple(doubt for doubt in doubts if doubt in heavy)


def causes_of(doubts: Iterable[Doubt]) -> set[str]:
    """Every cause that one of them is about."""
    return {cause for doubt in doubts for cause in doubt.causes}


def _wanted(run: Run, finding: Finding) -> str:
    """What an open finding lacks: the request that would bring it, where one would."""
    if finding.summary.startswith(_NOT_KNOWN) and finding.asks and finding.asks[0].request is not None:
        return f"needs {asked(run, finding.asks[0].text)}"
    lacks = finding.summary.startswith(_NOT_KNOWN)
    return lacking(run, finding.summary) if lacks else in_names(run, finding.summary)


def to_decide(run: Run) -> tuple[str, ...]:
    """What would decide, in words; that the other end be asked only where that is not told apart."""
    apart = elsewhere(run) is not None
    left = (text for text in run.verdict.ask_for if not (apart and is_of_the_other(text)) and not _is_given(run, text))
    return tuple(asked(run, text) for text in left)


def _is_given(run: Run, text: str) -> bool:
    """Whether counters were given from before and after a test, which is what is asked for."""
    readings = () if run.given is None else run.given.readings
    key, _, when = text.partition("  (")
    moments = {one.moment for one in readings if one.key in {key, f"run {key}"}}
    return "before and after" in when and {"before", "after"} <= moments


def elsewhere(run: Run) -> Elsewhere | None:
    """What the other end would add to a live run; None when it was read, or would add nothing."""
    if run.given is not None:
        return None
    far = run.ends.get(End.FAR)
    name = None if far is None else server_name(far.target)
    acting = {finding.cause for finding in problems(run)}
    causes = dict.fromkeys(one.cause for one in run.findings if _is_elsewhere(run, one) and one.cause not in acting)
    return None if name is None or not causes else Elsewhere(causes=tuple(causes), command=two_sided(name))


def _is_elsewhere(run: Run, finding: Finding) -> bool:
    """Whether a finding is open for want of an end that only a server stands for."""
    targets = (run.ends[ask.end].target for ask in finding.asks if ask.end is not None and ask.end in run.ends)
    return finding.verdict is Judgement.UNKNOWN and any(map(server_name, targets))
