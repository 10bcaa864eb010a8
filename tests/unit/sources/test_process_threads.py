"""The source process_threads."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.processor import ThreadTimes
from fullrate.records.leaf import Scope
from fullrate.sources.process_threads import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

LINUX618 = fixture("recorded/linux-6.18/process_threads.txt")


def counted(width: int) -> bytes:
    """A line of stat, every field its own number."""
    return f"/proc/7/task/9/stat:9 (a) (b) R {' '.join(map(str, range(4, width + 1)))}\n".encode()


def test_threads_of_a_program() -> None:
    """Both of them, each with its ticks, its CPU, its moves and its waiting."""
    first, second = parsed(SOURCE, LINUX618, ThreadTimes).values()
    expected = ThreadTimes(
        subject="28742", pid=28742, name="python", user=3, system=0, last_cpu=0, migrations=1, waited=0.003714313
    )
    assert expected == first
    assert ("28743", 28742, 3, 1, 0) == (second.subject, second.pid, second.user, second.system, second.migrations)


def test_waiting_time() -> None:
    """The second number of schedstat, nanoseconds."""
    payload = counted(52) + b"/proc/7/task/9/schedstat:1500000000 250000000 33\n"
    assert 0.25 == parsed(SOURCE, payload, ThreadTimes)["9"].waited


def test_kernel_that_does_not_count_waiting() -> None:
    """Zeros for a thread that has run."""
    payload = counted(52) + b"/proc/7/task/9/schedstat:0 0 0\n"
    assert None is parsed(SOURCE, payload, ThreadTimes)["9"].waited


@pytest.mark.parametrize("width", [44, 47, 52])
def test_fields_are_told_apart(width: int) -> None:
    """No two fields are mixed up, on older kernels and without the file sched too."""
    expected = ThreadTimes(subject="9", pid=7, name="a) (b", user=14, system=15, last_cpu=39, migrations=None)
    assert expected == parsed(SOURCE, counted(width), ThreadTimes)["9"]


@pytest.mark.parametrize(
    "payload",
    [
        LINUX618[:-30],
        counted(40),
        b"/proc/7/task/9/sched:se.nr_migrations : 3\n",
        b"/proc/7/stat:9\n",
        counted(52) + b"/proc/7/task/9/schedstat:5\n",
        GARBAGE,
        b"",
    ],
)
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A cut line, an unknown width, moves alone, another file, a cut schedstat, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_one_request_for_each_program() -> None:
    """Threads are found by the folder, without listing it first."""
    assert ["/proc/11/task", "/proc/13/task"] == [
        request.key.rpartition(" ")[2] for request in SOURCE.requests(Scope(pids=(11, 13)))
    ]


def test_no_request_without_a_process() -> None:
    """Before the traffic runs there is nothing to ask."""
    assert () == SOURCE.requests(Scope())


def test_does_not_answer_another_grep() -> None:
    """Another folder is not its own."""
    assert not SOURCE.answers(query("grep", "-r", "", "/proc/11/net"))
