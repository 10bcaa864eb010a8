"""A UDP test whose datagrams a router refuses is made again with smaller ones, once its sender knows what fits."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bundled import BundledHost, Stage, golden
from fullrate.measure.attempt import Bench
from fullrate.records.ends import Direction, End
from fullrate.records.evidence import Reply, Request, Status
from fullrate.records.finding import Ask
from fullrate.records.recording import ProgramOutput, TrialRecord
from fullrate.records.trial import TrialSpec
from fullrate.records.units import Seconds
from fullrate.session import Session
from iperf3_recorded import UDP, printed
from session_fakes import collected

TOO_LONG = b'{"error": "unable to write to stream socket: Message too long"}'
SPEC = replace(UDP, datagram=1472)


class Refused:
    """Trials that a router refuses as long as their datagrams are larger than what fits."""

    def __init__(self, *, fits: int) -> None:
        """Nothing was tried."""
        self._fits = fits
        self.tried: list[int | None] = []

    def __call__(
        self, _: Bench, spec: TrialSpec, trial_id: str, ports: Sequence[int], *, connect_within: Seconds
    ) -> TrialRecord:
        """One attempt."""
        assert connect_within > 0
        self.tried.append(spec.datagram)
        output = printed("client", "3.12_complete_udp_client.json")
        if spec.datagram is None or spec.datagram > self._fits:
            output = ProgramOutput(role="client", end=End.NEAR, argv=("iperf3",), stdout=TOO_LONG, exit_code=1)
        return TrialRecord(id=trial_id, spec=spec, generator="iperf3", port=ports[0], outputs=(output,))


@pytest.fixture
def session() -> Session:
    """A session of the healthy practice network."""
    return collected(Stage(golden("healthy")[0]))


def learned(session: Session, monkeypatch: pytest.MonkeyPatch, end: End, mtu: int | None) -> list[str]:
    """The end's kernel has learned such an MTU of its path; what it is asked is kept."""
    host, asked = session.hosts[end], list[str]()
    assert isinstance(host, BundledHost)

    def ask(requests: Sequence[Request]) -> tuple[Reply, ...]:
        asked.extend(request.key for request in requests)
        metrics = [] if mtu is None else [{"mtu": mtu}]
        route = [{"dst": key.split()[5], "dev": "wire0", "prefsrc": "10.77.1.2", "metrics": metrics} for key in asked]
        return tuple(
            Reply(request=request, status=Status.OK, payload=json.dumps(route).encode()) for request in requests
        )

    monkeypatch.setattr(host, "ask", ask)
    return asked


def tried(session: Session, monkeypatch: pytest.MonkeyPatch, spec: TrialSpec = SPEC, *, fits: int = 1372) -> Refused:
    """The trial is made."""
    trials = Refused(fits=fits)
    monkeypatch.setattr("fullrate.session.trials.run", trials)
    session.answer(Ask(text="measure", trial=spec), None)
    return trials


def test_smaller_datagrams_are_sent(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """What fits into 1400 bytes; both attempts are kept."""
    asked = learned(session, monkeypatch, End.NEAR, 1400)
    assert [1472, 1372] == tried(session, monkeypatch).tried
    assert (["run ip -json route get 10.77.2.2"], 2) == (asked, len(session.recording.trials))


def test_the_sender_is_asked(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the way back the far end."""
    asked = learned(session, monkeypatch, End.FAR, 1400)
    back = replace(SPEC, direction=Direction.FAR_TO_NEAR)
    assert [1472, 1372] == tried(session, monkeypatch, back).tried
    assert ["run ip -json route get 10.77.1.2"] == asked


@pytest.mark.parametrize("mtu", [None, 1500])
def test_a_sender_that_learned_nothing_ends_the_matter(
    session: Session, monkeypatch: pytest.MonkeyPatch, mtu: int | None
) -> None:
    """The same test would fail again."""
    learned(session, monkeypatch, End.NEAR, mtu)
    assert [1472] == tried(session, monkeypatch).tried


def test_a_path_that_narrows_further_is_followed(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as the size shrinks."""
    learned(session, monkeypatch, End.NEAR, 1400)
    assert [1472, 1372] == tried(session, monkeypatch, fits=1000).tried


def test_a_size_of_the_programs_own_is_left(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows how large it was."""
    learned(session, monkeypatch, End.NEAR, 1400)
    assert [None] == tried(session, monkeypatch, UDP).tried
