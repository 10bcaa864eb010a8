"""What a host suggests that was read and not watched."""

from dataclasses import replace

from fullrate.diagnose.glances import glanced, unwatched
from fullrate.diagnose.judge import Judged
from fullrate.records.ends import End
from fullrate.records.evidence import Reply, Status, query
from fullrate.records.facts.base import Fact
from fullrate.records.facts.ethtool import LinkMode, NicCounters
from fullrate.records.facts.link import LinkCounters
from fullrate.records.finding import Finding, Judgement
from fullrate.records.leaf import Check, Per
from fullrate.records.recording import EndRecord, FrameLog, Moment, Promise, Recording, TrialRecord
from fullrate.records.snapshot import Observation, Snapshot
from fullrate.records.trial import IDLE
from fullrate.records.view import EndView, Missing, View
from unit.diagnose.making import finding, link, unknown, view

CAUSE = "rx-crc-errors"


def given(*, finished: float) -> EndRecord:
    """A host with one answer; a time shows that it was asked."""
    reply = Reply(request=query("ethtool", "eth0"), status=Status.OK, finished=finished)
    return EndRecord(target="the host", moments=(Moment(name="collect", end=End.NEAR, replies=(reply,)),))


RECORDING = Recording(id="x", started_at="", tool_version="", promise=Promise(), ends={End.NEAR: given(finished=0.0)})
WATCHED = replace(
    RECORDING,
    trials=(TrialRecord(id="t1", spec=IDLE, generator="", frames=(FrameLog(end=End.NEAR, table=(), data=b""),)),),
)


def shown(*facts: Fact, interface: str | None = None) -> EndView:
    """A host of which these facts were shown."""
    seen = tuple(Observation(fact=fact, taken_at=0.0, source="shown") for fact in facts)
    return EndView(end=End.NEAR, snapshot=Snapshot(observations=seen), interface=interface)


def names(*facts: Fact, interface: str | None = None, recording: Recording = RECORDING) -> list[str | None]:
    """The links that are glanced at."""
    ends = {End.NEAR: shown(*facts, interface=interface)}
    return [one.here.interface for one in unwatched(view(), ends, recording)]


def says(found: Finding | None, *, per: Per = Per.LINK) -> Check:
    """A check whose glance always says the same."""
    return Check(id=CAUSE, cause=CAUSE, diagnose=lambda _: unknown(CAUSE), per=per, glance=lambda _: found)


def look(check: Check, *before: Finding, links: tuple[str, ...] = ("eth0",)) -> Judged:
    """What is found once the glances were cast."""
    views = [replace(view(), examined=replace(shown(), interface=name)) for name in links]
    return glanced(Judged(findings=before), [check], views)


def test_links_are_those_the_facts_are_about() -> None:
    """Nobody listed them; the loopback is none."""
    facts = (LinkMode(subject="eth1", speed=1e9), NicCounters(subject="eth0"), LinkCounters(subject="lo"))
    assert ["eth1", "eth0"] == names(*facts)


def test_listed_links_count_by_their_kind() -> None:
    """A virtual one that was listed is left out, though facts are about it."""
    facts = (link("eth0"), link("veth1", kind="veth"), NicCounters(subject="veth1"))
    assert ["eth0"] == names(*facts)


def test_the_link_under_test_comes_first() -> None:
    """Its findings stand before the others'."""
    assert ["eth1", "eth0"] == names(NicCounters(subject="eth0"), NicCounters(subject="eth1"), interface="eth1")


def test_a_link_without_a_name_is_one_all_the_same() -> None:
    """A log or a screen of top names none."""
    assert [""] == names()


def test_a_watched_host_is_not_glanced_at() -> None:
    """Its counters have rates."""
    assert [] == names(NicCounters(subject="eth0"), recording=WATCHED)


def test_a_host_that_was_asked_is_not_glanced_at() -> None:
    """Whoever asks can ask again and watch."""
    asked = replace(RECORDING, ends={End.NEAR: given(finished=1.7e9)})
    assert [] == names(NicCounters(subject="eth0"), recording=asked)


def test_a_suspicion_takes_the_place_of_an_open_finding() -> None:
    """At no cost, in no direction, at the end looked at."""
    found = look(says(finding(CAUSE, costs=9.0)), unknown(CAUSE))
    (one,) = found.findings
    assert (Judgement.PROBLEM, 0.0, None, End.NEAR) == (one.verdict, one.costs_bps, one.direction, one.end)
    assert found.suspects == found.findings


def test_what_the_check_decided_stands() -> None:
    """It saw more than a glance."""
    clear = finding(CAUSE, Judgement.CLEAR)
    found = look(says(finding(CAUSE)), clear)
    assert ((clear,), ()) == (found.findings, found.suspects)


def test_a_clear_glance_is_no_suspicion() -> None:
    """It is kept as a finding."""
    found = look(says(finding(CAUSE, Judgement.CLEAR)), unknown(CAUSE))
    assert ([Judgement.CLEAR], ()) == ([one.verdict for one in found.findings], found.suspects)


def test_nothing_said_leaves_the_finding_open() -> None:
    """A glance may have nothing to say."""
    assert [Judgement.UNKNOWN] == [one.verdict for one in look(says(None), unknown(CAUSE)).findings]


def test_the_same_evidence_is_told_once() -> None:
    """Of a fact without a link every link tells the same."""
    assert 1 == len(look(says(finding(CAUSE)), links=("eth0", "eth1")).findings)


def test_a_check_of_an_end_is_asked_once() -> None:
    """However many links it has."""
    asked: list[str | None] = []

    def glance(seen: View) -> None:
        asked.append(seen.here.interface)

    look(Check(id=CAUSE, cause=CAUSE, diagnose=lambda _: unknown(CAUSE), per=Per.END, glance=glance), links=("a", "b"))
    assert ["a"] == asked


def test_a_special_cause_silences_the_general_one() -> None:
    """As among the checks' own findings."""
    general = Check(id="nic-rx-overrun", cause="nic-rx-overrun", diagnose=lambda _: unknown("nic-rx-overrun"),
                    glance=lambda _: finding("nic-rx-overrun"))  # fmt: skip
    special = replace(general, id="rx-ring-too-small", glance=lambda _: finding("rx-ring-too-small"))
    views = [replace(view(), examined=replace(shown(), interface="eth0"))]
    found = glanced(Judged(findings=()), [general, special], views)
    assert ["rx-ring-too-small"] == [one.cause for one in found.suspects]


def test_a_broken_or_blind_glance_says_nothing() -> None:
    """It must not take the others along."""

    def broken(_: View) -> Finding:
        raise ValueError("no such column")

    def blind(_: View) -> Finding:
        raise Missing("a fact")

    for glance in (broken, blind):
        assert () == look(replace(says(None), glance=glance)).findings
