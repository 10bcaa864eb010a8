"""A recording answers what it holds and refuses to act."""

from collections.abc import Callable

import pytest

from fullrate.host.protocol import Command, Host, HostId, SamplePlan
from fullrate.host.recorded import RecordedHost
from fullrate.records.errors import TargetError
from fullrate.records.evidence import ReadFile, Reply, Status, WriteFile, query

STAT = ReadFile(path="/proc/stat")
REPLY = Reply(request=STAT, status=Status.OK, payload=b"cpu 1 2 3\n")


def test_gives_the_recorded_reply() -> None:
    """What was recorded comes back unchanged."""
    assert (REPLY,) == RecordedHost({STAT.key: REPLY}).ask([STAT])


def test_the_rest_is_not_recorded() -> None:
    """What was not recorded is told from what was absent."""
    request = query("ss", "-tin")
    assert (Reply(request=request, status=Status.NOT_RECORDED),) == RecordedHost({STAT.key: REPLY}).ask([request])


def test_timeout_is_no_part_of_the_question() -> None:
    """A recorded command answers a request with another timeout."""
    reply = Reply(request=query("ss"), status=Status.OK, payload=b"x")
    assert b"x" == RecordedHost({"run ss": reply}).ask([query("ss", timeout=9)])[0].payload


def test_knows_which_host_it_was() -> None:
    """A known identity is given."""
    identity = HostId(boot_id="b", namespace=3)
    assert identity == RecordedHost({}, identity=identity).identify()


@pytest.mark.parametrize(
    ("verb", "said"),
    [
        (lambda host: host.identify(), "say which host it was"),
        (lambda host: host.perform(WriteFile(path="/x", content="1")), "carry out 'echo 1 > /x'"),
        (lambda host: host.guard("confirm", "X"), "change a setting"),
        (lambda host: host.launch(Command(argv=("iperf3",), deadline=1)), "start 'iperf3'"),
        (lambda host: host.sample(SamplePlan(fast=(STAT,))), "sample 1 counters"),
        (lambda host: host.clock_offset(), "tell the time"),
    ],
    ids=["identify", "perform", "guard", "launch", "sample", "clock_offset"],
)
def test_refuses_to_act(verb: Callable[[Host], object], said: str) -> None:
    """Everything that needs a machine is refused, in words."""
    with pytest.raises(TargetError, match=f"^old is a recording and cannot {said}: name the live host$"):
        verb(RecordedHost({}, label="old"))
