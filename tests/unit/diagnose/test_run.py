"""The whole document of a run from what was read and measured."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from fullrate.diagnose import Case, ceilings, diagnose
from fullrate.records.ends import ONE_WAY, Direction, End
from fullrate.records.evidence import Gap, Status
from fullrate.records.facts.base import Fact
from fullrate.records.facts.cpu import Softnet
from fullrate.records.facts.ethtool import DriverInfo, LinkMode
from fullrate.records.facts.link import Address, Route
from fullrate.records.facts.net import HostIdentity
from fullrate.records.finding import Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.measurement import Measurement
from fullrate.records.part import Given, Reading
from fullrate.records.recording import EndRecord, Promise, Recording, TrialRecord
from fullrate.records.run import SCHEMA, Run, State
from fullrate.records.snapshot import Snapshot
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import View
from unit.diagnose.making import BACK, FAR, NEAR, OUT, bulk, finding, link, measured, taken, trial

CEILING = 1e9 * 1448 / 1538
FACTS = (
    link(),
    LinkMode(subject="eth0", speed=1e9),
    DriverInfo(subject="eth0", driver="igb"),
    HostIdentity(boot_id="b00", kernel="6.1.0"),
)
RECORDING = Recording(
    id="01RUN",
    started_at="2026-01-01T00:00:00Z",
    tool_version="0.1",
    promise=Promise(),
    ends={
        NEAR: EndRecord(target="this host", interface="eth0", address="192.0.2.1"),
        FAR: EndRecord(target="root@nas", interface="eth0", address="192.0.2.2"),
    },
)


def summary(trials: Sequence[Trial], found: Mapping[Direction, BitsPerSecond]) -> tuple[Measurement, ...]:
    """One measurement a trial, as measured."""
    return tuple(
        measured(
            one.spec.direction, one.throughput.median if one.throughput else None, ceiling=found.get(one.spec.direction)
        )
        for one in trials
    )


def case(
    *trials: Trial, near: tuple[Fact, ...] = FACTS, far: tuple[Fact, ...] = FACTS, recording: Recording = RECORDING
) -> Case:
    """What two hosts showed."""
    found = {NEAR: taken(*near), FAR: taken(*far)}
    return Case(
        recording=recording,
        snapshots={end: found[end] for end in recording.ends},
        trials=trials,
        sources_of=lambda kind: (kind.__name__.lower(),),
        summarise=summary,
    )


def both(rate: float) -> tuple[Trial, Trial]:
    """A trial each way."""
    return trial(OUT, rate), trial(BACK, rate)


def changed(end: End, **fields: Any) -> Recording:  # noqa: ANN401 - fields of EndRecord
    """The recording with one end's record changed."""
    return replace(RECORDING, ends={**RECORDING.ends, end: replace(RECORDING.ends[end], **fields)})


def run(found: Case, *checks: Check) -> Run:
    """The document."""
    return diagnose(found, checks)


def shaper(view: View) -> Finding:
    """A shaper at the sender that costs what is missing."""
    return finding("tc-shaper", costs=view.ceiling - 500e6, end=view.sender.end)


SHAPER = Check(id="tc-shaper", cause="tc-shaper", diagnose=shaper)


def test_document_carries_the_recordings_frame() -> None:
    """Name, time and version are those of the run, not of the replay."""
    found = run(case())
    assert (SCHEMA, "01RUN", "2026-01-01T00:00:00Z", "0.1") == (
        found.schema,
        found.id,
        found.started_at,
        found.tool_version,
    )


def test_ceiling_of_both_directions_comes_from_the_facts() -> None:
    """1 Gbit/s on both links, MTU 1500."""
    assert {OUT: CEILING, BACK: CEILING} == ceilings(case())


def test_ceiling_of_a_direction_is_that_of_the_links_it_takes() -> None:
    """The far end answers by its second link, of 100 Mbit/s."""
    back = Route(subject="192.0.2.1", ifname="eth1")
    second = link("eth1"), LinkMode(subject="eth1", speed=1e8), back
    assert {OUT: CEILING, BACK: pytest.approx(CEILING / 10)} == ceilings(case(far=(*FACTS, *second)))


def test_document_tells_the_links_of_each_direction() -> None:
    """As soon as something was tried."""
    recording = replace(RECORDING, trials=(TrialRecord(id="t1", spec=bulk(), generator="iperf3"),))
    back = Route(subject="192.0.2.1", ifname="eth1")
    found = run(case(far=(*FACTS, back), recording=recording)).ways
    assert [("eth0", "eth0"), ("eth1", "eth0")] == [(one.sender_link, one.receiver_link) for one in found]
    assert () == run(case()).ways


def test_document_tells_other_ways_between_the_hosts() -> None:
    """As notes."""
    near, far = (
        Address(subject="eth7", family="inet", address=f"10.0.0.{host}", prefix_length=24, scope="global")
        for host in (1, 2)
    )
    assert "eth7 of the near end" in run(case(near=(*FACTS, near), far=(*FACTS, far))).notes[0]


def test_unknown_speed_gives_no_ceiling() -> None:
    """Nothing is assumed."""
    assert {} == ceilings(case(near=(link(),), far=(link(),)))


def test_promise_stands_in_for_a_speed_nobody_knows() -> None:
    """--link-speed is for virtual links."""
    promised = replace(RECORDING, promise=Promise(link_speed=2e9))
    assert 2 * CEILING == ceilings(case(near=(link(),), far=(link(),), recording=promised))[OUT]


def test_full_link() -> None:
    """Both directions at 941 of 941.48 Mbit/s."""
    assert State.FULL == run(case(*both(941e6))).verdict.state


def test_slow_link_is_explained_in_verdict_budget_and_path() -> None:
    """One cause, told in three places."""
    found = run(case(*both(500e6)), SHAPER)
    named = (found.verdict.cause, found.budget[0].cause, found.findings[0].cause)
    assert ("tc-shaper", "tc-shaper", "tc-shaper") == named


def test_budget_covers_both_directions() -> None:
    """Each direction's parts sum to what it misses."""
    found = run(case(*both(500e6)), SHAPER)
    sums = [sum(part.bps for part in found.budget if part.direction is way) for way in ONE_WAY]
    assert [pytest.approx(CEILING - 500e6)] * 2 == sums


def test_path_has_a_strip_for_each_measured_direction() -> None:
    """The unmeasured one has none."""
    assert [BACK] == [stage.direction for stage in run(case(trial(BACK))).path]


def test_rate_above_an_own_speed_is_not_full() -> None:
    """The driver's speed was a label."""
    assert State.UNDECIDED == run(case(*both(2e9))).verdict.state


def test_rate_above_a_promised_speed_is_full() -> None:
    """The user's own figure was surpassed."""
    promised = replace(RECORDING, promise=Promise(link_speed=1e9))
    assert State.FULL == run(case(*both(2e9), recording=promised)).verdict.state


# --- hosts


def test_report_of_an_end_tells_what_it_is() -> None:
    """Target, link, driver, speed and kernel."""
    found = run(case()).ends[FAR]
    assert ("root@nas", "eth0", "igb", "192.0.2.2", 1e9, "6.1.0", "b00") == (
        found.target,
        found.interface,
        found.driver,
        found.address,
        found.speed_bps,
        found.kernel,
        found.boot_id,
    )


def test_report_leaves_out_what_was_not_read() -> None:
    """Nothing of it is known."""
    found = run(case(near=())).ends[NEAR]
    assert (None, None, None, None) == (found.driver, found.speed_bps, found.kernel, found.boot_id)


def test_identity_may_come_from_two_sources() -> None:
    """One reads the kernel's version, another the boot's id."""
    found = run(case(near=(HostIdentity(kernel="6.1.0"), HostIdentity(boot_id="b00")))).ends[NEAR]
    assert ("6.1.0", "b00") == (found.kernel, found.boot_id)


def test_facts_are_listed_by_kind() -> None:
    """The document holds what was read."""
    assert {"DriverInfo", "HostIdentity", "Link", "LinkMode"} == set(run(case()).ends[NEAR].facts)


def test_every_fact_of_a_kind_is_listed() -> None:
    """In the order read."""
    rows = [Softnet(subject=number, processed=1, dropped=0, time_squeeze=0) for number in ("0", "1")]
    assert tuple(rows) == run(case(near=(*FACTS, *rows))).ends[NEAR].facts["Softnet"]


def test_gaps_are_listed() -> None:
    """What could not be read stands in the document."""
    gap = Gap(wanted="softnet", tried="read /proc/net/softnet_stat", status=Status.DENIED, reason="not permitted")
    found = replace(case(), snapshots={NEAR: Snapshot(gaps=(gap,)), FAR: taken()})
    assert (gap,) == run(found).ends[NEAR].gaps


def test_missing_fact_asks_with_its_gap() -> None:
    """The check learns from the case which sources give a kind of fact, so the ask names the request."""
    gap = Gap(wanted="softnet", tried="read /proc/net/softnet_stat", status=Status.DENIED, reason="not permitted")
    found = replace(case(), snapshots={NEAR: Snapshot(gaps=(gap,)), FAR: taken()})
    needs = Check(
        id="backlog-drops",
        cause="backlog-drops",
        diagnose=lambda view: finding(view.end(NEAR).need(Softnet).subject),
        per=Per.RUN,
    )
    (ask,) = run(found, needs).findings[0].asks
    assert ask.text == "read /proc/net/softnet_stat  (near end: not permitted)"


def test_one_host_alone_is_not_measured() -> None:
    """No far end, no trial, nothing wrong."""
    alone = replace(RECORDING, ends={NEAR: EndRecord(target="this host")})
    found = run(case(recording=alone))
    assert (State.NOT_MEASURED, {NEAR}) == (found.verdict.state, set(found.ends))


def test_the_far_host_alone_is_not_measured() -> None:
    """As who pastes only what his server shows, and says so."""
    recording = case().recording
    alone = replace(recording, ends={End.FAR: recording.ends[End.FAR]}, trials=())
    assert State.NOT_MEASURED is run(replace(case(), recording=alone, trials=())).verdict.state


def test_a_single_host_is_asked_about_itself_alone() -> None:
    """Nothing about directions and tests; its links and itself are judged."""
    checks = [
        Check(id=name, cause=name, diagnose=lambda _, name=name: finding(name), per=per)  # type: ignore[misc]
        for name, per in (("path-loss", Per.DIRECTION), ("server-busy", Per.RUN), ("cpu-steal", Per.END))
    ]
    alone = replace(RECORDING, ends={NEAR: EndRecord(target="this host")})
    assert ["cpu-steal"] == [one.check for one in run(case(recording=alone), *checks).findings]


# --- why nothing could be measured


def test_unreachable_host_is_the_answer() -> None:
    """Its sentence, in verdict and report."""
    found = run(case(recording=changed(FAR, unreachable="nas: connection refused", address=None)))
    assert (State.UNDECIDED, "nas: connection refused", "nas: connection refused") == (
        found.verdict.state,
        found.verdict.summary,
        found.ends[FAR].unreachable,
    )


def test_missing_path_is_the_answer() -> None:
    """Both hosts are there, no address joins them: the first note says why."""
    recording = replace(changed(FAR, address=None), notes=("the near end has no route to 192.0.2.2",))
    found = run(case(recording=recording))
    assert (State.UNDECIDED, "the near end has no route to 192.0.2.2") == (found.verdict.state, found.verdict.summary)


def test_missing_path_without_a_note_is_told() -> None:
    """There is always a sentence."""
    assert "no path between the two hosts was found" == run(case(recording=changed(NEAR, address=None))).verdict.summary


def test_nothing_understood_is_the_answer() -> None:
    """That no problem was found in it says nothing of the host."""
    prose = Reading(name="x.txt", line=1, first="hello", size=5, why="no source knows this text")
    alone = replace(RECORDING, ends={NEAR: EndRecord(target="the host")}, given=Given(readings=(prose,)))
    verdict = run(case(recording=alone)).verdict
    assert (State.UNDECIDED, True) == (
        verdict.state,
        verdict.summary.startswith("nothing of what was given is understood"),
    )


def test_what_a_program_told_needs_no_path() -> None:
    """Somebody else made the test: that its addresses are not told keeps nobody from reading it."""
    told = replace(trial(), told=True)
    found = run(case(told, recording=changed(FAR, address=None)))
    assert "no path" not in found.verdict.summary


def test_note_of_a_complete_collection_is_no_trouble() -> None:
    """Nothing was to be measured."""
    found = run(case(recording=replace(RECORDING, notes=("a note",))))
    assert (State.NOT_MEASURED, ("a note",)) == (found.verdict.state, found.notes)


def test_failed_trial_is_undecided() -> None:
    """Something was to be measured."""
    failed = Trial(id="t1", spec=bulk(), failure="unable to connect")
    recording = replace(RECORDING, trials=(TrialRecord(id="t1", spec=failed.spec, generator="iperf3"),))
    assert State.UNDECIDED == run(case(failed, recording=recording)).verdict.state


# --- notes


@pytest.mark.parametrize("difference", [None, 0.0, 0.01, -0.01])
def test_small_difference_of_the_two_figures_is_not_noted(difference: float | None) -> None:
    """Kernel and traffic program need not agree to the bit."""
    odd = replace(
        case(),
        summarise=lambda trials, found: (measured(OUT, 9e8, engine_difference=difference),),  # noqa: ARG005 - fixed
    )
    assert () == run(odd).notes


def test_large_difference_of_the_two_figures_is_noted() -> None:
    """A reader should know that one of them is wrong."""
    odd = replace(
        case(),
        summarise=lambda trials, found: (measured(BACK, 9e8, engine_difference=-0.034),),  # noqa: ARG005 - fixed
    )
    assert ("from far to near: the traffic program's figure differs by -3.4% from the kernel's",) == run(odd).notes


def test_check_of_a_link_is_asked_for_each_wire_below_it() -> None:
    """A bond's members may have negotiated different speeds."""
    bond = (link("bond0", kind="bond"), link("eth0", master="bond0"), link("eth1", master="bond0"))
    asked = Check(
        id="duplex-mismatch",
        cause="duplex-mismatch",
        per=Per.LINK,
        diagnose=lambda seen: finding("duplex-mismatch", subject=str(seen.here.interface)),
    )
    found = run(case(near=bond, recording=changed(NEAR, interface="bond0")), asked).findings
    assert [(NEAR, "eth0"), (NEAR, "eth1"), (FAR, "eth0")] == [(one.end, one.subject) for one in found]
