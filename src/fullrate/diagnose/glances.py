"""What a host suggests that was read and not watched: settings, messages, and counters since boot.

One reading of a counter has no rate and no time: it makes a suspect, never a certainty and never a cost. Only a setting
or the kernel's own words may be sure, which the check says itself by its confidence.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from fullrate.diagnose.judge import Judged, yielding
from fullrate.diagnose.ranking import ranked
from fullrate.records.ends import End
from fullrate.records.facts import bus, ethtool, link, phy, queues, wifi
from fullrate.records.facts.base import Fact
from fullrate.records.facts.link import Link, links_to_look_at
from fullrate.records.facts.qdisc import Policer, Qdisc
from fullrate.records.finding import Finding, Judgement
from fullrate.records.leaf import Check, Per
from fullrate.records.recording import EndRecord, Recording
from fullrate.records.view import EndView, Missing, View
from fullrate.registry import LeafFailure, call_leaf

# Facts about one link: where the host's links were not listed, those these are about.
_OF_LINKS: tuple[type[Fact], ...] = (
    *(ethtool.LinkMode, ethtool.NicCounters, ethtool.DriverInfo, ethtool.Features, ethtool.Rings, ethtool.Channels),
    *(ethtool.Coalescing, phy.PauseSettings, phy.PauseCounters, phy.EnergyEfficiency, phy.FecMode, phy.OpticalModule),
    *(queues.RssTable, queues.ReceiveDrops, queues.QueueCpus, bus.DevicePath, wifi.WifiLink, link.LinkCounters),
    *(link.LinkRates, phy.WireErrors, Qdisc, Policer),
)
_UNDECIDED = {Judgement.UNKNOWN, Judgement.NOT_APPLICABLE}
_LOOPBACK = "lo"


def unwatched(view: View, ends: Mapping[End, EndView], recording: Recording) -> list[View]:
    """A view for each link of each end that no sampler looked at, the link under test first."""
    sampled = {log.end for trial in recording.trials for log in trial.frames}
    found = [end for name, end in ends.items() if name not in sampled and _given(recording.ends[name])]
    return [replace(view, examined=replace(end, interface=name)) for end in found for name in _links(end)]


def _given(record: EndRecord) -> bool:
    """Whether a host's answers were given, and not asked for: such a text does not tell when it was printed."""
    replies = [reply for moment in record.moments for reply in moment.replies]
    return bool(replies) and not any(reply.finished for reply in replies)


def _links(end: EndView) -> tuple[str, ...]:
    """The end's links, whose traffic goes over a wire where that is known; one without a name where none is named."""
    listed = end.all(Link)
    named = [fact.subject for kind in _OF_LINKS for fact in end.all(kind) if fact.subject != _LOOPBACK]
    known = {one.subject for one in listed}
    found = [*([end.interface] if end.interface else []), *links_to_look_at(listed)]
    return tuple(dict.fromkeys([*found, *(name for name in named if name not in known)])) or ("",)


def glanced(judged: Judged, checks: Sequence[Check], views: Sequence[View]) -> Judged:
    """The findings with what glances add, where the check itself could not decide."""
    hints = [hint for check in checks for hint in _hints(check, views) if _is_open(check, hint, judged.findings)]
    made = [yielding(hint, hints) for hint in hints]
    answered = {(hint.check, hint.end) for hint in hints}
    left = [one for one in judged.findings if not _answers(one, answered)]
    suspects = tuple(one for one in made if one.verdict is Judgement.PROBLEM)
    return Judged(findings=ranked([*left, *made]), suspects=suspects)


def _answers(one: Finding, answered: Iterable[tuple[str, End | None]]) -> bool:
    """Whether a glance said more than this finding."""
    return one.verdict is Judgement.UNKNOWN and any(
        check == one.check and one.end in {None, end} for check, end in answered
    )


def _is_open(check: Check, hint: Finding, findings: Iterable[Finding]) -> bool:
    same = (one for one in findings if one.check == check.id and one.end in {None, hint.end})
    return all(one.verdict in _UNDECIDED for one in same)


def _hints(check: Check, views: Sequence[View]) -> Iterator[Finding]:
    """What the check's glance says of each link, the same evidence once."""
    seen: list[object] = []
    for view in _once_an_end(views) if check.per is Per.END else views:
        hint = _glance(check, view)
        if hint is not None and (hint.end, hint.evidence) not in seen:
            seen.append((hint.end, hint.evidence))
            yield hint


def _once_an_end(views: Sequence[View]) -> list[View]:
    return list({view.here.end: view for view in reversed(views)}.values())


def _glance(check: Check, view: View) -> Finding | None:
    if check.glance is None:
        return None
    look = check.glance
    try:
        found = call_leaf(lambda: look(view), Missing)
    except Missing:
        return None
    if found is None or isinstance(found, LeafFailure):
        return None
    return replace(found, direction=None, end=found.end or view.here.end, costs_bps=0.0)
