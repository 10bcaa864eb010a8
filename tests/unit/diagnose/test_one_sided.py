"""A run whose far end is only a server: what stands, how sure it is, and what is asked of a person."""

from dataclasses import replace

import pytest

from fullrate.diagnose import Case, ceilings, diagnose
from fullrate.diagnose.one_sided import beyond_servers, tempered
from fullrate.measure.summary import summarise
from fullrate.records.ends import ONE_WAY, Direction, End
from fullrate.records.facts.cpu import Softnet
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.facts.link import Link
from fullrate.records.finding import Ask, Confidence, Finding, Judgement
from fullrate.records.leaf import Check, Per
from fullrate.records.probes import echo_request
from fullrate.records.recording import EndRecord, Promise, Recording
from fullrate.records.run import Run, State, Verdict
from fullrate.records.snapshot import Snapshot
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View
from unit.diagnose.making import BACK, FAR, NEAR, OUT, bulk, estimate, finding, link, taken, trial, unknown, view

SERVER = "iperf3://nas:5201"
THERE = "only from the other end: run fullrate check user@nas"
GOODPUT = 1e9 * 1448 / 1538


def one_sided(target: str = SERVER) -> View:
    """A view whose far end has this target."""
    found = view()
    return replace(found, ends={NEAR: found.end(NEAR), FAR: replace(found.end(FAR), target=target)})


def asked(*asks: Ask, target: str = SERVER) -> tuple[Ask, ...]:
    """What is left of a finding's asks."""
    return beyond_servers(replace(unknown("offload-off"), asks=asks), one_sided(target)).asks


# --- asks


def test_what_only_the_other_end_could_answer_is_asked_of_a_person() -> None:
    """Its request is not put to anybody."""
    request = echo_request("192.0.2.1", 56)
    assert (Ask(text=THERE, end=FAR),) == asked(Ask(text="ping", end=FAR, request=request))


def test_it_is_asked_once() -> None:
    """However much is missing there."""
    assert (Ask(text=THERE, end=FAR),) == asked(Ask(text="this", end=FAR), Ask(text="that", end=FAR))


def test_what_the_near_end_can_answer_stays() -> None:
    """And so do trials, which need no host there."""
    asks = (Ask(text="ping", end=NEAR, request=echo_request("192.0.2.2", 56)), Ask(text="measure", trial=bulk()))
    assert asks == asked(*asks)


def test_a_host_is_asked_itself() -> None:
    """Where one stands for the far end nothing changes."""
    asks = (Ask(text="this", end=FAR), Ask(text="that", end=FAR))
    assert asks == asked(*asks, target="root@nas")


# --- how sure


def verdict(state: State = State.NOT_FULL, **more: object) -> Verdict:
    """A verdict that is sure of a cause at the near end."""
    known: dict[str, object] = {"cause": "tc-shaper", "end": "near", "confidence": Confidence.HIGH, **more}
    return Verdict(state=state, summary="s", **known)  # type: ignore[arg-type]


def test_a_cause_at_the_near_end_is_less_sure() -> None:
    """The other end could be the limit as well."""
    assert Confidence.MEDIUM is tempered(verdict(), SERVER).confidence


@pytest.mark.parametrize("sure", [Confidence.MEDIUM, Confidence.LOW])
def test_what_is_not_sure_stays_so(sure: Confidence) -> None:
    """It is not raised."""
    assert sure is tempered(verdict(confidence=sure), SERVER).confidence


def test_a_full_link_is_full() -> None:
    """No other end could take from that, nor add to it."""
    full = verdict(State.FULL, cause="link-filled")
    assert full == tempered(full, SERVER)


def test_what_the_server_itself_said_is_sure() -> None:
    """It is busy: that needs no look at its host."""
    assert Confidence.HIGH is tempered(verdict(State.NOT_MEASURED, end="far"), SERVER).confidence


@pytest.mark.parametrize("state", [State.NOT_FULL, State.UNDECIDED, State.NOT_MEASURED])
def test_what_the_other_end_would_add_is_asked_for(state: State) -> None:
    """After what was asked for anyway."""
    assert ("quiet", THERE) == tempered(verdict(state, ask_for=("quiet",)), SERVER).ask_for


def test_it_is_asked_for_once() -> None:
    """A finding may ask for it too."""
    assert (THERE,) == tempered(verdict(ask_for=(THERE,)), SERVER).ask_for


def test_with_two_hosts_a_verdict_stays_as_it_is() -> None:
    """All was seen."""
    assert verdict() == tempered(verdict(), "root@nas")


# --- the whole document


def recording(target: str = SERVER) -> Recording:
    """A near host and a server."""
    return Recording(
        id="R",
        started_at="2026-01-01T00:00:00Z",
        tool_version="0",
        promise=Promise(),
        ends={
            NEAR: EndRecord(target="this host", interface="eth0", address="192.0.2.1"),
            FAR: EndRecord(target=target, address="198.51.100.7"),
        },
    )


def case(*trials: Trial, target: str = SERVER) -> Case:
    """A gigabit link of the near end, nothing of the far one."""
    return Case(
        recording=recording(target),
        snapshots={NEAR: taken(link(), LinkMode(subject="eth0", speed=1e9)), FAR: Snapshot()},
        trials=trials,
        sources_of=lambda _: ("made_up",),
        summarise=summarise,
    )


def needs_receiver(found: View) -> Finding:
    """A check that reads the receiver's backlog and link."""
    found.receiver.need(Softnet)
    found.receiver.need(Link, found.receiver.interface)
    return finding("backlog-drops", Judgement.CLEAR)


CHECK = Check(id="backlog-drops", cause="backlog-drops", diagnose=needs_receiver)


def ran(rate: float, *checks: Check) -> Run:
    """The document of a run with this rate in both directions."""
    both = [replace(trial(way), throughput=estimate(rate), steady=True) for way in ONE_WAY]
    return diagnose(case(*both), checks)


def test_the_near_links_speed_is_the_ceiling() -> None:
    """Of the far one nothing is known; it may be slower, and then the link is not full."""
    assert {OUT: GOODPUT, BACK: GOODPUT} == ceilings(case())


def test_a_host_without_a_link_gives_no_ceiling() -> None:
    """There it could have been read and was not."""
    assert {} == ceilings(case(target="root@nas"))


def test_both_directions_full() -> None:
    """One end can prove that."""
    run = ran(0.995 * GOODPUT)
    assert (State.FULL, ()) == (run.verdict.state, run.verdict.ask_for)


def test_not_full_asks_for_the_other_end() -> None:
    """It is not full, and why may be seen there."""
    run = ran(0.5 * GOODPUT, CHECK)
    assert (State.NOT_FULL, THERE) == (run.verdict.state, run.verdict.ask_for[0])


def test_a_check_of_the_far_end_stays_open() -> None:
    """It is no error, and the near end's direction is judged."""
    found = {one.direction: one for one in ran(0.5 * GOODPUT, CHECK).findings}
    assert (Judgement.UNKNOWN, (Ask(text=THERE, end=FAR),)) == (found[OUT].verdict, found[OUT].asks)
    assert "not known: Softnet on the near end" == found[BACK].summary


def test_a_link_without_a_name_is_missing_like_every_fact_there() -> None:
    """Nobody is told to name an interface of a host that is not read."""

    def diagnose_(found: View) -> Finding:
        assert found.end(FAR).interface is not None
        found.end(FAR).need(Link, found.end(FAR).interface)
        return finding("eee")

    run = ran(0.5 * GOODPUT, Check(id="eee", cause="eee", diagnose=diagnose_, per=Per.RUN))
    assert [(Ask(text=THERE, end=FAR),)] == [one.asks for one in run.findings]


def test_the_far_end_is_in_the_document() -> None:
    """By its target and address; it has no link, no facts, and nothing that could not be read."""
    far = ran(GOODPUT).ends[FAR]
    assert (SERVER, "198.51.100.7", None, {}, ()) == (far.target, far.address, far.interface, far.facts, far.gaps)


def test_a_server_is_no_trouble() -> None:
    """That it is no host does not keep the run from being decided."""
    assert "the link is full in both directions" == ran(GOODPUT).verdict.summary


@pytest.mark.parametrize(("target", "expected"), [(SERVER, False), ("root@nas", True), ("", True), ("lab:b", True)])
def test_an_end_is_seen_unless_it_is_a_server(target: str, expected: bool) -> None:  # noqa: FBT001 - a row of the table
    """As checks ask for it."""
    assert expected is EndView(end=End.FAR, snapshot=Snapshot(), target=target).seen


def test_directions_are_judged_alone() -> None:
    """One that is full does not make the other so."""
    out, back = (
        replace(trial(way), throughput=estimate(rate), steady=True)
        for way, rate in zip(ONE_WAY, (GOODPUT, 1e8), strict=True)
    )
    run = diagnose(case(out, back), ())
    assert (State.NOT_FULL, Direction.FAR_TO_NEAR) == (run.verdict.state, run.verdict.direction)
