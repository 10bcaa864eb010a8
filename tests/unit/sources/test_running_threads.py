"""The source running_threads."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.processor import RunningThread
from fullrate.records.leaf import Scope
from fullrate.sources.running_threads import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

LINUX618 = fixture("recorded/linux-6.18/ps_eL.txt")
HEAD = b"    PID     LWP PSR     TIME COMMAND\n"


def test_kernel_thread() -> None:
    """Its name is as long as the kernel makes it."""
    expected = RunningThread(subject="14", pid=14, name="ksoftirqd/0", cpu=0, seconds=7)
    assert expected == parsed(SOURCE, LINUX618, RunningThread)["14"]


def test_every_row_is_read() -> None:
    """No thread is dropped."""
    assert len(LINUX618.splitlines()) - 1 == len(parsed(SOURCE, LINUX618, RunningThread))


def test_columns_are_told_apart() -> None:
    """Each its own number; a name may hold spaces. Newer versions print wider columns."""
    expected = RunningThread(subject="786", pid=785, name="napi/phy0 rx", cpu=3, seconds=127)
    assert expected == parsed(SOURCE, HEAD + b"    785     786   3      127 napi/phy0 rx\n", RunningThread)["786"]


def test_thread_that_ends_meanwhile() -> None:
    """It has no CPU any more."""
    payload = HEAD + b"      9       9   -        0 sh\n      8       8   1        2 sh\n"
    assert ["8"] == list(parsed(SOURCE, payload, RunningThread))


@pytest.mark.parametrize("payload", [HEAD, LINUX618[:45], HEAD + b" 1 2 3\n", b"PID TTY\n1 ?\n", GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """No thread, a cut row, missing columns, another table, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_one_request_while_traffic_runs() -> None:
    """It is about the host, however many programs there are."""
    assert (query("ps", "-eLo", "pid,lwp,psr,times,comm"),) == SOURCE.requests(Scope(pids=(11, 13)))


def test_no_request_at_rest() -> None:
    """What runs then is nobody's concern."""
    assert () == SOURCE.requests(Scope(links=("eth0",)))
