"""Checks are run on every direction, and what they find is ranked."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from fullrate.diagnose.judge import Judged, asks, judge
from fullrate.records.ends import Direction, End
from fullrate.records.facts.cpu import Softnet
from fullrate.records.finding import Confidence, Evidence, Finding, Judgement
from fullrate.records.leaf import Check, Per
from fullrate.records.snapshot import Snapshot
from fullrate.records.view import EndView, View
from unit.diagnose.making import BACK, OUT, finding, judged, link, turned, unknown, view

LINKS = [EndView(end=End.NEAR, snapshot=Snapshot(), interface=name) for name in ("eth0", "eth1")]
SHAPER = finding("tc-shaper", costs=5.0)


def check(name: str, diagnose: Callable[[View], Finding], *, per: Per = Per.DIRECTION) -> Check:
    """A check of the cause that has its name."""
    return Check(id=name, cause=name, diagnose=diagnose, per=per)


def says(name: str, verdict: Judgement, **more: object) -> Check:
    """A check of the whole run that always finds the same."""
    return check(name, lambda _: finding(name, verdict, **more), per=Per.RUN)  # type: ignore[arg-type]


def fails(_: View) -> Finding:
    """A broken check."""
    raise ValueError("2 columns, not 3")


def nothing(_: View) -> Finding:
    """A check that forgets to return."""
    return None  # type: ignore[return-value]


def run(*checks: Check) -> Judged:
    """What the checks find on two hosts of which nothing is known."""
    return judge(checks, lambda direction: turned(view(), direction), LINKS)


# --- running


def test_check_is_asked_for_each_direction() -> None:
    """Its finding belongs to the direction it was asked for, whatever it says itself."""
    found = run(check("tc-shaper", lambda _: SHAPER)).findings
    assert [OUT, BACK] == [one.direction for one in found]


def test_check_sees_the_direction_it_judges() -> None:
    """The view's sender is the one of the direction."""
    found = run(check("tc-shaper", lambda seen: finding("tc-shaper", subject=str(seen.sender.end)))).findings
    assert ["near", "far"] == [one.subject for one in found]


def test_check_of_the_nic_is_asked_for_each_direction_about_the_physical_link() -> None:
    """A VLAN's own link has no rings."""
    vlan = (link("eth0"), link("vlan7", kind="vlan", lower="eth0"))
    seen = view(near=vlan)
    above = replace(seen, ends={**seen.ends, End.NEAR: replace(seen.ends[End.NEAR], interface="vlan7")})
    asked = check("tc-shaper", lambda one: finding("tc-shaper", subject=str(one.sender.interface)), per=Per.NIC)
    found = judge([asked], lambda direction: turned(above, direction), LINKS).findings
    assert [(OUT, "eth0"), (BACK, "eth0")] == [(one.direction, one.subject) for one in found]


def test_host_alone_is_asked_once_for_each_link_and_nothing_has_a_cost() -> None:
    """There is no direction, and nothing was measured."""
    asked = check("tc-shaper", lambda seen: finding("tc-shaper", costs=5.0, subject=str(seen.receiver.interface)))
    views = [replace(view(), ends=dict.fromkeys(End, link), examined=link, alone=True) for link in LINKS]
    found = judge([replace(asked, alone=True)], lambda _: view(), LINKS, views).findings
    assert [("eth0", None, End.NEAR, 0.0), ("eth1", None, End.NEAR, 0.0)] == [
        (one.subject, one.direction, one.end, one.costs_bps) for one in found
    ]


def test_check_of_a_link_is_asked_for_each_link() -> None:
    """It sees the link, and its finding belongs to the link's end."""
    seen = check(
        "duplex-mismatch", lambda view: finding("duplex-mismatch", subject=str(view.here.interface)), per=Per.LINK
    )
    assert [(End.NEAR, "eth0"), (End.NEAR, "eth1")] == [(one.end, one.subject) for one in run(seen).findings]


def test_check_of_an_end_is_asked_once_for_each_host() -> None:
    """However many links it has."""
    (found,) = run(check("cpu-steal", lambda _: finding("cpu-steal"), per=Per.END)).findings
    assert End.NEAR is found.end


def test_check_of_the_run_is_asked_once() -> None:
    """Its finding has no direction."""
    (found,) = run(check("server-busy", lambda _: finding("server-busy"), per=Per.RUN)).findings
    assert None is found.direction


def test_check_that_raises_is_unknown_with_the_reason() -> None:
    """Its author finds the fault in the report."""
    (found,) = run(check("cpu-quota", fails, per=Per.RUN)).findings
    assert (Judgement.UNKNOWN, "this check failed: ValueError: 2 columns, not 3", ()) == (
        found.verdict,
        found.summary,
        found.asks,
    )


def test_check_that_returns_nothing_is_unknown() -> None:
    """That is a fault of the check as well, not of the run."""
    (found,) = run(check("cpu-quota", nothing, per=Per.RUN)).findings
    assert (Judgement.UNKNOWN, True) == (found.verdict, found.summary.startswith("this check failed: TypeError"))


def test_other_checks_run_when_one_raises() -> None:
    """A broken check takes no answer along."""
    found = run(check("cpu-quota", fails), says("tc-shaper", Judgement.PROBLEM)).findings
    assert ["tc-shaper", "cpu-quota", "cpu-quota"] == [one.cause for one in found]


def test_broken_check_keeps_its_cause_stage_and_direction() -> None:
    """The report can group it."""
    found = run(check("cpu-quota", fails)).findings[1]
    assert ("cpu-quota", "cpu", BACK, Confidence.LOW) == (found.cause, found.stage, found.direction, found.confidence)


def test_missing_fact_is_unknown_and_says_what_is_missing() -> None:
    """UNKNOWN, never CLEAR."""
    found = run(check("backlog-drops", lambda seen: finding(seen.sender.need(Softnet).subject))).findings[0]
    assert (Judgement.UNKNOWN, "not known: Softnet on the near end") == (found.verdict, found.summary)


def test_missing_trial_is_asked_for() -> None:
    """The engine reads the trial from the finding."""
    found = run(check("link-filled", lambda seen: finding(seen.trial().id))).findings
    assert [OUT, BACK] == [one.asks[0].trial.direction for one in found if one.asks[0].trial]


# --- ranking


@pytest.mark.parametrize(
    ("direction", "causes"),
    [
        pytest.param(OUT, ["tc-shaper", "cpu-quota"], id="near to far"),
        pytest.param(BACK, ["offload-off", "cpu-quota"], id="far to near"),
        pytest.param(None, ["tc-shaper", "offload-off", "cpu-quota"], id="all"),
    ],
)
def test_problems_of_a_direction(direction: Direction | None, causes: list[str]) -> None:
    """Its own and those of the whole run, in rank order."""
    found = judged(SHAPER, finding("offload-off", direction=BACK), finding("cpu-quota", direction=None))
    assert causes == [one.cause for one in found.problems(direction)]


@pytest.mark.parametrize("verdict", [Judgement.CLEAR, Judgement.UNKNOWN, Judgement.NOT_APPLICABLE])
def test_only_problems_are_problems(verdict: Judgement) -> None:
    """What is not known accuses nobody."""
    assert () == judged(finding("tc-shaper", verdict)).problems()


def test_asks_stand_once_and_what_decides_most_comes_first() -> None:
    """Two checks that miss the same fact make one line, before those that one check misses."""
    found = [unknown("cpu-quota", "read it as root", "measure"), unknown("path-loss", "measure", "install ethtool")]
    assert ("measure", "read it as root", "install ethtool") == asks(found)


def test_a_suspicion_is_decided_before_a_blank() -> None:
    """What has evidence already is worth more than what two know nothing of."""
    seen = (Evidence(source="trial/t1", field="throughput_bps", value="0"),)
    suspected = replace(unknown("mtu-blackhole", "ping"), evidence=seen)
    assert ("ping", "measure") == asks([unknown("cpu-quota", "measure"), unknown("path-loss", "measure"), suspected])


def test_decided_findings_ask_for_nothing() -> None:
    """Only open ones do."""
    open_ = unknown("cpu-quota", "read it as root").asks
    assert () == asks([finding("cpu-quota", asks=open_), finding("path-loss", Judgement.CLEAR, asks=open_)])


# --- general and special causes


def causes(*found: Finding) -> dict[str, Judgement]:
    """The verdicts of checks of the run that find these."""
    checks = [check(one.cause, lambda _, one=one: one, per=Per.RUN) for one in found]  # type: ignore[misc]
    return {one.cause: one.verdict for one in run(*checks).findings}


def test_special_cause_silences_the_general_one() -> None:
    """cpu-quota is a kind of cpu-bound-host: the host is named once, by the kind."""
    found = causes(finding("cpu-bound-host", end=End.FAR, costs=9.0), finding("cpu-quota", end=End.FAR, costs=5.0))
    assert {"cpu-bound-host": Judgement.CLEAR, "cpu-quota": Judgement.PROBLEM} == found


def test_special_cause_of_a_special_cause_counts_too() -> None:
    """irq-single-cpu is a kind of softirq-single-cpu, which is a kind of cpu-bound-host."""
    found = causes(finding("cpu-bound-host", end=End.FAR), finding("irq-single-cpu", end=End.FAR))
    assert Judgement.CLEAR is found["cpu-bound-host"]


def test_special_cause_at_the_other_end_changes_nothing() -> None:
    """Each host has its own troubles."""
    found = causes(finding("cpu-bound-host", end=End.FAR), finding("cpu-quota", end=End.NEAR))
    assert {Judgement.PROBLEM} == set(found.values())


def test_link_filled_keeps_its_kinds_apart() -> None:
    """A problem without a more general one stands."""
    assert {Judgement.PROBLEM} == set(causes(finding("tc-shaper"), finding("path-loss")).values())
