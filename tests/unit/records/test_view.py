"""What a check sees, and what it says when something is missing."""

from dataclasses import replace
from typing import Any

import pytest

from fullrate.records.ends import ONE_WAY, Direction, End
from fullrate.records.evidence import Gap, ReadFile, Status
from fullrate.records.facts.base import Fact
from fullrate.records.facts.cpu import CgroupQuota, Softnet
from fullrate.records.facts.link import Link, Route
from fullrate.records.facts.net import Sysctl
from fullrate.records.finding import Ask
from fullrate.records.recording import Promise
from fullrate.records.snapshot import Observation, Snapshot, Window
from fullrate.records.trial import IDLE, Estimate, Trial, TrialKind, TrialSpec
from fullrate.records.view import EndView, Missing, View

OUT, BACK = ONE_WAY
NEAR, FAR = End.NEAR, End.FAR
GAP = Gap(wanted="softnet_stat", tried="read /proc/net/softnet_stat", status=Status.DENIED, reason="not permitted")
RATE = Estimate(n=1, median=9e8, ci_low=8.9e8, ci_high=9.1e8)


def softnet(cpu: str, processed: int = 1) -> Softnet:
    """One CPU's receive counter."""
    return Softnet(subject=cpu, processed=processed, dropped=0, time_squeeze=0)


def taken(*facts: Fact, gaps: tuple[Gap, ...] = (), source: str = "read it") -> Snapshot:
    """What was read."""
    found = tuple(Observation(fact=fact, taken_at=0.0, source=source) for fact in facts)
    return Snapshot(observations=found, gaps=gaps)


def end(*facts: Fact, gaps: tuple[Gap, ...] = (), which: End = NEAR) -> EndView:
    """One end with these facts; softnet lines come from one source."""
    sources: dict[type[Fact], tuple[str, ...]] = {Softnet: ("softnet_stat",)}
    return EndView(
        end=which, snapshot=taken(*facts, gaps=gaps), sources_of=lambda kind: sources.get(kind, ()), interface="eth0"
    )


def bulk(direction: Direction = OUT, **more: Any) -> TrialSpec:  # noqa: ANN401 - fields of TrialSpec
    """A trial to be made."""
    return TrialSpec(kind=TrialKind.BULK, direction=direction, **more)


def trial(name: str, spec: TrialSpec | None = None, **more: Any) -> Trial:  # noqa: ANN401 - fields of Trial
    """A measured trial."""
    fields: dict[str, Any] = {"id": name, "spec": spec or bulk(), "throughput": RATE} | more
    return Trial(**fields)


def view(*trials: Trial, direction: Direction = OUT, **more: Any) -> View:  # noqa: ANN401 - fields of View
    """Two ends of which nothing is known."""
    ends = {NEAR: end(), FAR: end(which=FAR)}
    fields: dict[str, Any] = {"ends": ends, "trials": trials, "promise": Promise(), "direction": direction} | more
    return View(**fields)


def missing(call: Any) -> Missing:  # noqa: ANN401 - any step that must not succeed
    """The signal that a step raises."""
    with pytest.raises(Missing) as signal:
        call()
    return signal.value


# --- one end


def test_end_gives_every_fact_of_a_kind() -> None:
    """In the order read."""
    assert (softnet("0"), softnet("1")) == end(softnet("0"), softnet("1")).all(Softnet)


def test_wanted_fact_may_be_absent() -> None:
    """The check decides what that means."""
    assert None is end().want(Softnet, "0")


def test_wanted_fact_is_the_subjects() -> None:
    """One CPU of several."""
    assert softnet("0") == end(softnet("0"), softnet("1")).want(Softnet, "0")


def test_needed_fact_is_given() -> None:
    """When it was read."""
    assert softnet("1") == end(softnet("0"), softnet("1")).need(Softnet, "1")


@pytest.mark.parametrize(
    ("which", "subject", "what"),
    [
        (NEAR, None, "Softnet on the near end"),
        (FAR, None, "Softnet on the far end"),
        (NEAR, "7", "Softnet of 7 on the near end"),
    ],
)
def test_needed_fact_that_is_missing_says_what_and_where(which: End, subject: str | None, what: str) -> None:
    """The sentence of the unknown finding."""
    assert what == missing(lambda: end(which=which).need(Softnet, subject)).what


def test_needed_fact_asks_for_the_request_that_failed() -> None:
    """With the end it failed on and the reason."""
    signal = missing(lambda: end(gaps=(GAP,), which=FAR).need(Softnet))
    wanted = Ask(
        text="read /proc/net/softnet_stat  (far end: not permitted)",
        end=FAR,
        request=ReadFile(path="/proc/net/softnet_stat"),
    )
    assert (wanted,) == signal.asks


def test_needed_fact_without_a_gap_asks_in_words() -> None:
    """No request is known that would bring it."""
    signal = missing(lambda: end(gaps=(GAP,)).need(Sysctl, "net.core.rmem_max"))
    assert (Ask(text="Sysctl of net.core.rmem_max on the near end", end=NEAR),) == signal.asks


def test_gaps_are_those_of_the_kinds_sources() -> None:
    """Another source's gap explains nothing."""
    other = replace(GAP, wanted="sysctl")
    assert (GAP,) == end(gaps=(other, GAP)).gaps(Softnet)


def test_source_of_a_fact() -> None:
    """Evidence names the request."""
    assert "read it" == end(softnet("0")).source_of(softnet("0"))


def test_source_of_a_fact_read_twice_is_the_later() -> None:
    """Where two requests gave the same."""
    twice = taken(softnet("0"), source="run a") + taken(softnet("0"), source="run b")
    assert "run b" == EndView(end=NEAR, snapshot=twice).source_of(softnet("0"))


def test_missing_takes_any_asks() -> None:
    """Also a generator; the text is the exception's own."""
    signal = Missing("the speed", (Ask(text=text) for text in ("a", "b")))
    assert ("the speed", ["a", "b"]) == (str(signal), [ask.text for ask in signal.asks])


# --- the directions


@pytest.mark.parametrize(("direction", "sender", "receiver"), [(OUT, NEAR, FAR), (BACK, FAR, NEAR)])
def test_roles_follow_the_direction(direction: Direction, sender: End, receiver: End) -> None:
    """The same ends, the other way round."""
    seen = view(direction=direction)
    assert (sender, receiver) == (seen.sender.end, seen.receiver.end)


def test_end_is_given_by_name() -> None:
    """Whatever its role."""
    assert FAR is view().end(FAR).end


@pytest.mark.parametrize(("direction", "ceiling"), [(OUT, 1.0), (BACK, 2.0)])
def test_ceiling_is_the_directions(direction: Direction, ceiling: float) -> None:
    """Both may differ."""
    assert ceiling == view(direction=direction, ceilings={OUT: 1.0, BACK: 2.0}).ceiling


def test_unknown_ceiling_asks_for_the_speed() -> None:
    """A person knows what was promised."""
    signal = missing(lambda: view().ceiling)
    assert ("the link's speed", ["state the promised rate: --link-speed 1G"]) == (
        signal.what,
        [ask.text for ask in signal.asks],
    )


# --- trials


def test_newest_measured_trial_is_given() -> None:
    """A failed repetition does not take it away."""
    seen = view(trial("t1"), trial("t2"), trial("t3", throughput=None))
    assert "t2" == seen.trial().id


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param(bulk(BACK), id="other direction"),
        pytest.param(bulk(streams=8), id="more flows"),
        pytest.param(bulk(protocol="udp"), id="other protocol"),
        pytest.param(IDLE, id="link at rest"),
    ],
)
def test_trial_of_another_kind_is_not_given(spec: TrialSpec) -> None:
    """It answers another question."""
    assert None is view(trial("t1", spec)).want_trial()


@pytest.mark.parametrize("same", [{"near_serves": True}, {"max_seconds": 3}, {"rate": 1e9}])
def test_roles_duration_and_rate_do_not_matter(same: dict[str, Any]) -> None:
    """It is the same question."""
    assert 1 == len(view(trial("t1", bulk(**same))).runs(bulk()))


def test_trial_with_more_flows_is_given_when_wanted() -> None:
    """And only then."""
    seen = view(trial("t1"), trial("t2", bulk(streams=8)), trial("t3", bulk(protocol="udp")))
    assert ("t2", "t3") == (seen.trial(streams=8).id, seen.trial(protocol="udp").id)


def test_somebody_elses_trial_with_more_flows_is_given() -> None:
    """It is the test there is; one of ours with one flow comes before it."""
    theirs = trial("t1", bulk(streams=4), throughput=RATE, told=True)
    ours = trial("t2", throughput=RATE)
    assert (theirs, ours) == (view(theirs).want_trial(), view(ours, theirs).want_trial())


def test_our_own_trial_with_more_flows_is_not() -> None:
    """One flow can be measured."""
    assert view(trial("t1", bulk(streams=4), throughput=RATE)).want_trial() is None


def test_runs_are_given_oldest_first() -> None:
    """Failed ones too."""
    seen = view(trial("t1"), trial("t2", bulk(BACK)), trial("t3", throughput=None))
    assert ["t1", "t3"] == [run.id for run in seen.runs(bulk())]


def test_trial_that_was_not_made_is_asked_for() -> None:
    """With the direction of the view, and within what the user allowed."""
    promise = Promise(max_seconds=7, max_rate=5e8)
    (ask,) = missing(lambda: view(direction=BACK, promise=promise).trial(streams=4)).asks
    wanted = bulk(BACK, streams=4, max_seconds=7, rate=5e8)
    assert Ask(text="measure: tcp 4 flows far to near", trial=wanted) == ask


@pytest.mark.parametrize(("most", "rate"), [(None, 5e8), (9e8, 5e8), (1e8, 1e8)])
def test_udp_that_was_asked_for_replaces_tcp(most: float | None, rate: float) -> None:
    """Every test is then one of UDP, at the rate that was asked for, and never above what may be sent."""
    signal = missing(lambda: view(promise=Promise(udp=5e8, max_rate=most)).trial())
    assert [("udp", rate)] == [(ask.trial.protocol, ask.trial.rate) for ask in signal.asks if ask.trial]


MTU, LIMITS = 9000, (4_194_304, 212_992)


def sized(*more: Fact, mtu: int = MTU) -> TrialSpec:
    """The UDP trial between two links of such an MTU, and hosts with such limits."""
    link = Link(subject="eth0", ifindex=2, mtu=mtu, operstate="UP")
    keys = zip(("net.core.rmem_max", "net.core.wmem_max"), LIMITS, strict=True)
    facts = (link, *(Sysctl(subject=key, value=str(size)) for key, size in keys))
    near, far = end(*facts, *more), end(*facts, which=FAR)
    ends = {NEAR: replace(near, address="192.0.2.1"), FAR: replace(far, address="192.0.2.2")}
    return view(ends=ends, promise=Promise(udp=5e8)).bulk()


def test_udp_has_the_size_of_a_packet_and_the_buffer_both_kernels_allow() -> None:
    """What fits into MTU 9000, and the smallest of the limits."""
    assert (8972, 212_992) == (sized().datagram, sized().buffer)


def test_a_path_mtu_that_a_host_knows_is_heeded() -> None:
    """It learned it, or somebody set it."""
    assert 1372 == sized(Route(subject="192.0.2.2", ifname="eth0", mtu=1400)).datagram


@pytest.mark.parametrize(
    "other", [Route(subject="192.0.2.9", ifname="eth0", mtu=1400), Route(subject="192.0.2.2", ifname="eth0")]
)
def test_other_routes_say_nothing_of_this_path(other: Route) -> None:
    """Nor does one without an MTU of its own."""
    assert 8972 == sized(other).datagram


def test_without_an_mtu_the_program_chooses() -> None:
    """The buffer is what every kernel allows."""
    spec = view(promise=Promise(udp=5e8)).bulk()
    assert (None, 212_992) == (spec.datagram, spec.buffer)


def test_tcp_has_neither() -> None:
    """Its buffers tune themselves."""
    assert (None, None) == (view().bulk().datagram, view().bulk().buffer)


def test_udp_trial_that_was_asked_for_is_given() -> None:
    """A check that asks for the trial gets the one there is."""
    seen = view(trial("t1", bulk(protocol="udp")), promise=Promise(udp=5e8))
    assert "t1" == seen.trial().id


def test_trial_that_failed_is_not_asked_for_again() -> None:
    """Its failure is why it is missing."""
    signal = missing(lambda: view(trial("t1", throughput=None, failure="unable to connect")).trial())
    assert ("unable to connect", ()) == (signal.what, signal.asks)


def test_idle_look_that_was_not_made_is_asked_for() -> None:
    """It sends nothing."""
    (ask,) = missing(lambda: view(trial("t1")).idle()).asks
    assert IDLE == ask.trial


def test_look_stands_for_the_trial_of_a_link_alone() -> None:
    """No test is asked for where there is nobody to test with."""
    look = trial("t1", IDLE, throughput=None)
    assert look == view(look, alone=True).trial()


def test_newest_idle_look_is_given() -> None:
    """A second one was made because something came between."""
    assert "t3" == view(trial("t1", IDLE), trial("t2"), trial("t3", IDLE)).idle().id


# --- what happened during a trial


def during(*pairs: tuple[Fact, Fact], alone: tuple[Fact, ...] = ()) -> tuple[View, Trial]:
    """A trial during which the near end showed these facts twice, and some only before."""
    before = taken(*(first for first, _ in pairs), *alone, source="first")
    window = Window(before=before, after=taken(*(last for _, last in pairs), source="last"))
    seen = trial("t1", windows={NEAR: window})
    return view(seen), seen


def test_window_gives_a_facts_difference() -> None:
    """One CPU of several."""
    seen, made = during((softnet("0", 1), softnet("0", 4)), (softnet("1", 1), softnet("1", 9)))
    delta = seen.window(made, seen.sender).need(Softnet, "1")
    assert (1, 9) == (delta.before.processed, delta.after.processed)


def test_window_gives_every_difference() -> None:
    """Of one kind."""
    seen, made = during((softnet("0", 1), softnet("0", 4)), (softnet("1", 1), softnet("1", 9)))
    assert ["0", "1"] == [delta.after.subject for delta in seen.window(made, seen.sender).deltas(Softnet)]


def test_window_of_an_end_that_was_not_watched_is_empty() -> None:
    """No counters, no differences, no source."""
    seen, made = during((softnet("0", 1), softnet("0", 4)))
    found = seen.window(made, seen.receiver)
    assert ((), None, (), (), "") == (
        found.deltas(Softnet),
        found.want(Softnet, "0"),
        found.latest(Softnet),
        found.known(Softnet),
        found.source_of(softnet("0", 4)),
    )


def test_window_without_a_needed_fact_says_where() -> None:
    """The end that was not seen."""
    seen, made = during()
    signal = missing(lambda: seen.window(made, seen.receiver).need(Softnet, "3"))
    assert "Softnet of 3 on the far end" == signal.what


def test_latest_facts_are_those_of_the_end_of_the_trial() -> None:
    """As last read."""
    seen, made = during((softnet("0", 1), softnet("0", 4)))
    assert (softnet("0", 4),) == seen.window(made, seen.sender).latest(Softnet)


def test_counters_of_a_program_that_ended_are_not_taken_from_its_start() -> None:
    """What moves is not what it was."""
    seen, made = during(alone=(softnet("0", 1),))
    assert () == seen.window(made, seen.sender).latest(Softnet)


def test_setting_is_known_from_the_windows_end() -> None:
    """The last reading first."""
    seen, made = during((CgroupQuota(subject="/a", cpus=1.0), CgroupQuota(subject="/a", cpus=0.5)))
    assert (CgroupQuota(subject="/a", cpus=0.5),) == seen.window(made, seen.sender).known(CgroupQuota)


def test_setting_of_a_program_that_ended_is_known_from_its_start() -> None:
    """It was gone at the second reading; settings do not move."""
    seen, made = during(alone=(CgroupQuota(subject="/a", cpus=0.5),))
    assert (CgroupQuota(subject="/a", cpus=0.5),) == seen.window(made, seen.sender).known(CgroupQuota)


@pytest.mark.parametrize(("processed", "source"), [(1, "first"), (4, "last"), (9, "")])
def test_source_of_a_fact_during_a_trial(processed: int, source: str) -> None:
    """Of either reading; empty for a foreign fact."""
    seen, made = during((softnet("0", 1), softnet("0", 4)))
    assert source == seen.window(made, seen.sender).source_of(softnet("0", processed))
