"""A far end whose name means the near end itself."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bundled import BundledHost, Stage, golden
from fullrate.host.protocol import Host
from fullrate.records.ends import End
from fullrate.records.errors import TargetError, UsageError
from fullrate.records.evidence import Reply, Request, Status
from fullrate.records.target import LOCAL, Target, TargetKind, parse_target
from fullrate.session import Session
from session_fakes import session

REFUSES = "root@nas refuses the connection"
SSH_SAYS = b"127.0.0.1 40000 127.0.1.1 22\n"


@pytest.fixture
def stage() -> Stage:
    """The healthy practice network."""
    return Stage(golden("healthy")[0])


def facing(near: Target, text: str = "root@nas") -> Session:
    """A session from a near end to a host over SSH."""
    found = session()
    found.job = replace(found.job, targets={End.NEAR: near, End.FAR: parse_target(text)})
    return found


def answering(host: BundledHost, part: str, payload: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a host answer this to requests that hold a word."""
    known = host._reply

    def ask(requests: Sequence[Request]) -> tuple[Reply, ...]:
        return tuple(
            Reply(request=one, status=Status.OK, payload=payload) if part in one.key else known(one) for one in requests
        )

    monkeypatch.setattr(host, "ask", ask)


def test_a_name_that_leads_back_here_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """SSH got in, and what it reached is this very host."""
    found, far = facing(LOCAL), Stage(golden("healthy")[0]).near
    answering(far, "SSH_CONNECTION", SSH_SAYS, monkeypatch)
    found.hosts = {End.NEAR: Stage(golden("healthy")[0]).near, End.FAR: far}
    with pytest.raises(UsageError, match=r"^nas leads back to the near end itself: .* arrived at 127\.0\.1\.1"):
        found.collect()


def unreachable(near: Target, stage: Stage, text: str = "root@nas") -> str:
    """Why the far end cannot be read, as the run tells it."""
    found = facing(near, text)

    def open_(one: Target) -> Host:
        if one.kind is TargetKind.SSH:
            raise TargetError(REFUSES)
        return stage.near

    found.open(open_)
    found.collect()
    return found.recording.ends[End.FAR].unreachable


def test_a_name_that_means_this_host_and_is_refused(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """No sshd runs here: the refusal alone would send the user to the other host."""
    answering(stage.near, "getent", b"127.0.1.1       STREAM nas\n", monkeypatch)
    expected = f"{REFUSES}; and nas means this host itself here (127.0.1.1): name the other host's address"
    assert expected == unreachable(LOCAL, stage)


def test_an_address_of_this_host(stage: Stage) -> None:
    """Nothing is to be resolved."""
    assert "127.0.0.1 means this host itself here" in unreachable(LOCAL, stage, "root@127.0.0.1")


def test_a_name_that_means_another_host(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A near miss: the reason stays as it was."""
    answering(stage.near, "getent", b"192.0.2.9       STREAM nas\n", monkeypatch)
    assert unreachable(LOCAL, stage) == REFUSES


def test_a_name_is_looked_up_where_ssh_started(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A near miss: the near end's names are not those of the machine that ran ssh."""
    answering(stage.near, "getent", b"127.0.1.1       STREAM nas\n", monkeypatch)
    assert unreachable(Target(kind=TargetKind.NETNS, text="netns:a", name="a"), stage) == REFUSES


def test_a_far_end_behind_a_jump_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where SSH came from elsewhere, the near end sees which address answers it; here none does."""
    stage = Stage(golden("healthy")[0])
    found = facing(LOCAL, "nas")
    answering(stage.far, "SSH_CONNECTION", b"203.0.113.9 40000 198.51.100.7 22\n", monkeypatch)
    found.hosts = {End.NEAR: stage.near, End.FAR: stage.far}
    with pytest.raises(TargetError, match=r"^nas was reached by way of 203\.0\.113\.9, and none of its own addresses"):
        found.collect()
    asked = {
        reply.request.key.split()[1] for moment in found.recording.ends[End.NEAR].moments for reply in moment.replies
    }
    assert {"ping", "getent"} < asked
