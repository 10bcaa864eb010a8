"""A run whose far end is only a server: what one end can prove stands, what the other would add is asked for."""

from dataclasses import replace

from fullrate.records.ends import End
from fullrate.records.finding import Ask, Confidence, Finding
from fullrate.records.run import State, Verdict
from fullrate.records.target import server_name, two_sided
from fullrate.records.view import View


def beyond_servers(finding: Finding, view: View) -> Finding:
    """The finding with what only the host behind a server could answer put as a question for a person, once."""
    asks = tuple(dict.fromkeys(_to_a_person(ask, view) for ask in finding.asks))
    return finding if asks == finding.asks else replace(finding, asks=asks)


def _to_a_person(ask: Ask, view: View) -> Ask:
    name = None if ask.end is None else server_name(view.end(ask.end).target)
    return ask if name is None else Ask(text=_only_there(name), end=ask.end)


def tempered(verdict: Verdict, target: str) -> Verdict:
    """The verdict of a run against `target`: less sure when only a server answered there, unless the link is full.

    What limits at the end that is seen may be outdone by what is not; a full link leaves no room for that.
    """
    name = server_name(target)
    if name is None or verdict.state is State.FULL:
        return verdict
    sure = Confidence.MEDIUM if verdict.confidence is Confidence.HIGH and _doubtful(verdict) else verdict.confidence
    return replace(verdict, confidence=sure, ask_for=tuple(dict.fromkeys((*verdict.ask_for, _only_there(name)))))


def _doubtful(verdict: Verdict) -> bool:
    """Whether something was measured, and not the server itself is what the verdict is about."""
    return verdict.state is State.NOT_FULL and verdict.end != End.FAR


def _only_there(name: str) -> str:
    return f"only from the other end: run {two_sided(name)}"
