"""A session whose far end is somebody else's server: how its address is found, and where a trial is tried."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from bundled import Stage, golden
from fullrate.measure.attempt import Bench
from fullrate.pairing import Wish
from fullrate.records.ends import End
from fullrate.records.errors import TargetError, UsageError
from fullrate.records.evidence import Reply, Request, Status
from fullrate.records.finding import Ask
from fullrate.records.recording import EndRecord, TrialRecord
from fullrate.records.target import parse_target
from fullrate.records.trial import IDLE, TrialSpec
from fullrate.records.units import Seconds
from fullrate.session import Session
from iperf3_recorded import FORWARD, REVERSE
from session_fakes import PORTS, session
from trial_fakes import Ticks
from unit.test_session_places import Places, attempt

ADDRESS = "10.77.2.2"  # of the far end in the practice network
NAMED = b"10.77.2.2       STREAM nas.example.org\n10.77.2.2       DGRAM  \n10.77.2.2       RAW    \n"


@pytest.fixture
def stage() -> Stage:
    """The healthy practice network; its far host must not be touched."""
    return Stage(golden("healthy")[0])


def facing(stage: Stage, text: str = f"iperf3://{ADDRESS}", wish: Wish | None = None) -> Session:
    """A session of the near host and a server, opened."""
    found = session(wish)
    server = parse_target(text)
    found.job = replace(found.job, targets={**found.job.targets, End.FAR: server})
    ends = {**found.recording.ends, End.FAR: EndRecord(target=server.text)}
    found.recording = replace(found.recording, ends=ends)
    found.clock = stage.clock
    found.open(lambda one: stage.hosts[End(one.name)])
    return found


def resolving(stage: Stage, reply: Callable[[Request], Reply], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the near host answer this when a name is to be resolved."""
    known = stage.near._reply

    def ask(requests: Sequence[Request]) -> tuple[Reply, ...]:
        return tuple(reply(one) if one.key.startswith("run getent") else known(one) for one in requests)

    monkeypatch.setattr(stage.near, "ask", ask)


@pytest.fixture
def ready(stage: Stage) -> Session:
    """A session that may test."""
    found = facing(stage)
    found.collect()
    return found


# --- finding the way


def test_only_the_near_end_is_opened(stage: Stage) -> None:
    """There is nobody else to reach."""
    assert [End.NEAR] == list(facing(stage).hosts)


def test_only_the_near_end_is_reached_and_read_aloud(stage: Stage) -> None:
    """A person is not told of a host that is left alone."""
    found = facing(stage)
    progress = Ticks()
    found.progress = progress
    found.open(lambda one: stage.hosts[End(one.name)])
    found.collect()
    assert ["reaching netns:near", "reading the near host"] == progress.phases


def test_an_address_needs_no_resolver(ready: Session) -> None:
    """The path is known, the far end's link is not, and nothing was asked there."""
    near, far = (ready.recording.ends[end] for end in End)
    assert ("wire0", "10.77.1.2", ADDRESS, None, ()) == (
        near.interface,
        near.address,
        far.address,
        far.interface,
        far.moments,
    )
    assert not any(reply.request.key.startswith("run getent") for reply in ready.replies(End.NEAR))


def test_a_test_is_possible_with_one_host(ready: Session) -> None:
    """As soon as the way is known."""
    assert ready.can_test()


def test_without_a_way_it_is_not(stage: Stage) -> None:
    """Before anything was read."""
    assert not facing(stage).can_test()


def test_a_name_is_resolved_on_the_near_end(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the answer is part of the recording."""
    resolving(stage, lambda one: Reply(request=one, status=Status.OK, payload=NAMED), monkeypatch)
    found = facing(stage, "iperf3://nas")
    found.collect()
    assert ADDRESS == found.recording.ends[End.FAR].address
    assert 1 == sum(reply.request.key == "run getent ahosts nas" for reply in found.replies(End.NEAR))


def test_a_name_that_nobody_knows(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run goes no further, with a sentence."""
    resolving(stage, lambda one: Reply(request=one, status=Status.FAILED, exit_code=2), monkeypatch)
    with pytest.raises(TargetError, match="cannot resolve nas"):
        facing(stage, "iperf3://nas").collect()


def test_a_name_of_this_host(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loopback is no link."""
    payload = NAMED.replace(ADDRESS.encode(), b"127.0.1.1")
    resolving(stage, lambda one: Reply(request=one, status=Status.OK, payload=payload), monkeypatch)
    with pytest.raises(UsageError, match="no link lies between"):
        facing(stage, "iperf3://nas").collect()


def test_the_wished_family_is_kept_to(stage: Stage) -> None:
    """-6 with an IPv4 address cannot be."""
    with pytest.raises(UsageError, match="no IPv6 address"):
        facing(stage, wish=Wish(family=6)).collect()


def test_an_unreachable_near_end_ends_it(stage: Stage) -> None:
    """Then there is nobody to read at all."""
    found = facing(stage)
    found.hosts.clear()
    found.collect()
    assert not found.can_test()


def test_the_link_at_rest_is_watched(ready: Session, stage: Stage) -> None:
    """On the near end alone."""
    ready.answer(Ask(text="watch", trial=IDLE), None)
    assert [End.NEAR] == [log.end for log in ready.recording.trials[0].frames]
    assert [] == stage.far.asked


# --- where a trial is tried


class Refusing(Places):
    """A build that does not know an option, as long as it is given it."""

    def __call__(
        self, bench: Bench, spec: TrialSpec, trial_id: str, ports: Sequence[int], *, connect_within: Seconds
    ) -> TrialRecord:
        """One attempt."""
        found = super().__call__(bench, spec, trial_id, ports, connect_within=connect_within)
        if bench.server is None or not bench.server.output:
            return found
        failed = attempt("refused", spec, trial_id, ports[0])
        words = b"iperf3: unrecognized option '--get-server-output'\n"
        return replace(failed, outputs=(replace(failed.outputs[0], stdout=b"", stderr=words, exit_code=1),))


def measure(
    found: Session, monkeypatch: pytest.MonkeyPatch, places: Places, specs: Sequence[TrialSpec] = (FORWARD,)
) -> Places:
    """Trials of these kinds, with these outcomes."""
    monkeypatch.setattr("fullrate.session.trials.run", places)
    for spec in specs:
        found.answer(Ask(text="measure", trial=spec), 1e9)
    return places


def test_a_bench_against_a_server(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """One party, the server's address, and a server program that is taken for there."""
    bench = measure(ready, monkeypatch, Places("good")).benches[0]
    assert bench.server is not None
    assert ([End.NEAR], ADDRESS, True) == (list(bench.parties), bench.server.address, bench.server.output)
    assert {(end, "iperf3") for end in End} == set(bench.versions)


def test_a_missing_client_is_still_missing(ready: Session, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's being there does not help."""
    ready.recording = replace(
        ready.recording,
        ends={**ready.recording.ends, End.NEAR: replace(ready.recording.ends[End.NEAR], moments=())},
    )
    assert [(End.FAR, "iperf3")] == list(measure(ready, monkeypatch, Places("good")).benches[0].versions)
    assert 0 == stage.clock.now()


@pytest.mark.parametrize("outcome", ["refused", "timeout"])
def test_every_port_is_tried_once_and_no_role_swapped(
    ready: Session, monkeypatch: pytest.MonkeyPatch, outcome: str
) -> None:
    """A server of somebody else's is never a client."""
    assert [(False, port) for port in PORTS] == measure(ready, monkeypatch, Places(outcome)).tried


def test_a_busy_server_is_asked_again(ready: Session, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every port three times, after short pauses; then it is left alone."""
    tried = measure(ready, monkeypatch, Places("busy")).tried
    assert [(False, port) for port in PORTS] * 3 == tried
    assert 5 == stage.clock.now()


def test_only_busy_ports_are_asked_again(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that refused will refuse again."""
    tried = measure(ready, monkeypatch, Places("refused", "busy", "timeout", "good")).tried
    assert [5201, 5202, 5203, 5202] == [port for _, port in tried]


def test_a_free_port_needs_no_pause(ready: Session, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next of the range comes before waiting."""
    assert [(False, 5201), (False, 5202)] == measure(ready, monkeypatch, Places("busy", "good")).tried
    assert 0 == stage.clock.now()


def test_the_pause_is_told(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that nobody thinks it hangs."""
    progress = Ticks()
    ready.progress = progress
    measure(ready, monkeypatch, Places("busy"))
    assert 2 == progress.phases.count("waiting for the busy server")


def test_the_port_that_worked_comes_first(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the other direction too."""
    tried = measure(ready, monkeypatch, Places("busy", "good"), (FORWARD, REVERSE)).tried
    assert [5201, 5202, 5202] == [port for _, port in tried]


def test_a_build_that_cannot_ask_the_server_goes_on_without(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the same port, and never asks again."""
    places = measure(ready, monkeypatch, Refusing("good"), (FORWARD, REVERSE))
    assert [5201, 5201, 5201] == [port for _, port in places.tried]
    assert [True, False, False] == [bench.server.output for bench in places.benches if bench.server is not None]


def test_its_refusal_is_kept(ready: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what it said; the trial stands beside it."""
    measure(ready, monkeypatch, Refusing("good"))
    refused, good = ready.recording.trials
    assert b"unrecognized option" in refused.outputs[0].stderr
    assert ("t1", "t2", "") == (refused.id, good.id, good.failure)
