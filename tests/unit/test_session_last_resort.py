"""Where iperf3 is missing: it is said once, and the last-resort sender takes its place if both ends can run it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bundled import BundledHost, Stage, golden
from fullrate.generators.python import GENERATOR as PYTHON
from fullrate.measure.attempt import Bench
from fullrate.records.ends import End
from fullrate.records.evidence import Reply, Request, Status, query
from fullrate.records.finding import Ask
from fullrate.records.recording import TrialRecord
from fullrate.records.trial import TrialSpec
from fullrate.records.units import Seconds
from fullrate.session import Session
from iperf3_recorded import FORWARD, UDP
from session_fakes import collected

PROBE = query("python3", "--version")


def having(host: BundledHost, *, iperf3: bool, python: bool) -> object:
    """The host's `ask`, where these are installed or not."""

    def answer(request: Request) -> Reply:
        there = {"run iperf3 --version": iperf3, PROBE.key: python}.get(request.key)
        if there is None or (there and request != PROBE):
            return host._reply(request)
        return Reply(request=request, status=Status.OK if there else Status.ABSENT, payload=b"Python 3.6.8\n" * there)

    def ask(requests: Sequence[Request]) -> tuple[Reply, ...]:
        host.asked += requests
        return tuple(map(answer, requests))

    return ask


def tried(monkeypatch: pytest.MonkeyPatch, *specs: TrialSpec, far: bool = False, python: bool = True) -> Session:
    """A session after these trials; iperf3 is on the near end, on the far end only if `far`."""
    stage = Stage(golden("healthy")[0])
    for host, iperf3 in ((stage.near, True), (stage.far, far)):
        monkeypatch.setattr(host, "ask", having(host, iperf3=iperf3, python=python))
    found = collected(stage)
    found.generators = (*found.generators, PYTHON)

    def run(bench: Bench, spec: TrialSpec, name: str, ports: Sequence[int], *, connect_within: Seconds) -> TrialRecord:
        assert connect_within
        taken = bench.takes(spec)
        return TrialRecord(
            id=name, spec=spec, generator=taken.id if taken else "iperf3", port=ports[0], failure="made up"
        )

    monkeypatch.setattr("fullrate.session.trials.run", run)
    for spec in specs:
        found.answer(Ask(text="measure", trial=spec), None)
    return found


def test_the_last_resort_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """For this trial and all that follow."""
    assert ["python", "python"] == [one.generator for one in tried(monkeypatch, FORWARD, FORWARD).recording.trials]


def test_what_is_missing_and_what_brings_it_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the words of that end's distribution."""
    expected = ("the far host has no iperf3: apt-get install iperf3 there",)
    assert expected == tried(monkeypatch, FORWARD, FORWARD).recording.notes


def test_that_it_can_run_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """On both ends, asked once."""
    found = tried(monkeypatch, FORWARD, FORWARD)
    asked = [reply.request for end in End for reply in found.replies(end) if reply.request == PROBE]
    assert [PROBE, PROBE] == asked


def test_where_iperf3_is_on_both_ends_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is anything asked."""
    found = tried(monkeypatch, FORWARD, far=True)
    assert (["iperf3"], ()) == ([one.generator for one in found.recording.trials], found.recording.notes)
    assert PROBE not in [reply.request for end in End for reply in found.replies(end)]


def test_without_python_iperf3_says_why_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """It refuses; the note says what to install."""
    found = tried(monkeypatch, FORWARD, python=False)
    assert (["iperf3"], 1) == ([one.generator for one in found.recording.trials], len(found.recording.notes))


def test_udp_is_left_to_iperf3(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last resort cannot send it."""
    assert ["iperf3"] == [one.generator for one in tried(monkeypatch, UDP).recording.trials]


def test_a_test_within_one_host_asks_only_that_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the other lacks is of no matter, and is not said."""
    found = tried(monkeypatch, replace(FORWARD, within=End.NEAR), far=False)
    assert (["iperf3"], ()) == ([one.generator for one in found.recording.trials], found.recording.notes)
