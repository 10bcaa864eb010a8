"""A recorder passes on and keeps the replies."""

from fullrate.host.fake import FAKE_ID, NO_OFFSET, FakeHost
from fullrate.host.protocol import Command, ProcessState, SamplePlan
from fullrate.host.recording import RecordingHost
from fullrate.records.evidence import ReadFile, Reply, Request, Status, WriteFile, query

STAT, TRUE = ReadFile(path="/proc/stat"), query("true")
STATE = ProcessState(pid=7, started=1.0, exit_code=0, stdout=b"out", stderr=b"")


def _ok(request: Request) -> Reply:
    return Reply(request=request, status=Status.OK, payload=request.key.encode())


def _inner() -> FakeHost:
    return FakeHost(_ok, programs=lambda _: [STATE], frames=[b"frames"])


def test_keeps_replies_in_order() -> None:
    """Replies of all calls are kept, oldest first, and given to the caller."""
    host = RecordingHost(_inner())
    first, second = host.ask([STAT]), host.ask([TRUE, STAT])
    assert first + second == host.replies
    assert (STAT, TRUE, STAT) == tuple(reply.request for reply in host.replies)


def test_begins_empty() -> None:
    """Nothing asked, nothing kept."""
    assert () == RecordingHost(_inner()).replies


def test_changes_are_not_replies() -> None:
    """An action reaches the inner host; its reply answers no question and is not kept."""
    inner = _inner()
    host = RecordingHost(inner)
    assert Status.UNSUPPORTED == host.perform(WriteFile(path="/x", content="1")).status
    assert (1, ()) == (len(inner.performed), host.replies)


def test_what_the_guard_says_is_not_evidence() -> None:
    """Its words and text reach the inner host; the reply is not kept."""
    inner = _inner()
    host = RecordingHost(inner)
    assert Status.UNSUPPORTED == host.guard("apply", text="{}").status
    assert ([(("apply",), "{}")], ()) == (inner.guarded, host.replies)


def test_launches_on_the_inner_host() -> None:
    """The program is the inner host's."""
    assert STATE == RecordingHost(_inner()).launch(Command(argv=("x",), deadline=1)).poll()


def test_samples_the_inner_host() -> None:
    """The frames are the inner host's."""
    assert b"frames" == RecordingHost(_inner()).sample(SamplePlan(fast=(STAT,))).take()


def test_identity_is_the_inner_hosts() -> None:
    """Name, identity and clock are the inner host's."""
    host = RecordingHost(_inner())
    assert ("fake", FAKE_ID, NO_OFFSET) == (host.label, host.identify(), host.clock_offset())


def test_closes_and_renews_the_inner_host() -> None:
    """Lease and end reach the inner host."""
    inner = _inner()
    host = RecordingHost(inner)
    host.renew()
    host.close()
    assert (1, True) == (inner.renewed, inner.closed)
