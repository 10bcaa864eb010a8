"""The lab's programs."""

import sys

import pytest

from fake_lab import FakeLab, FakeProgram
from fullrate.lab.cgroups import Cgroups
from fullrate.lab.processes import Entry, alive, await_text, end, end_all, start
from fullrate.lab.state import LabProcess
from fullrate.lab.topology import Place
from fullrate.records.errors import TargetError
from fullrate.records.evidence import query

SERVER = Entry(place=Place.FAR, argv=("iperf3", "-s"))
GROUPS = Cgroups(version=1)
NEAR = "fullrate-a"


def _lab(**programs: FakeProgram) -> FakeLab:
    return FakeLab(programs={int(name[1:]): program for name, program in programs.items()})


def test_command_of_an_entry() -> None:
    """A program is entered by its namespace and nothing else."""
    assert ("--", "ip", "netns", "exec", "fullrate-b", "iperf3", "-s") == SERVER.command()[3:]


def test_command_with_a_home() -> None:
    """It joins the cgroup and takes its CPU before the namespace hides both."""
    entry = Entry(place=Place.NEAR, argv=("true",), cpus=(0, 2), procs="/c/procs")
    expected = ("--detach", "--join", "/c/procs", "--", "taskset", "-c", "0,2", "ip", "netns", "exec", NEAR, "true")
    assert expected == entry.command(detach=True)[3:]


def test_the_interpreter_is_isolated() -> None:
    """Neither the user's environment nor the folder of the program leads its imports astray."""
    assert (sys.executable, "-I") == SERVER.command()[:2]


def test_start() -> None:
    """A started program is known by pid and start."""
    lab = FakeLab()
    process = start(lab.host(), SERVER)
    assert (lab.programs[process.pid].started, "iperf3 -s") == (process.started, process.what)


def test_start_that_fails() -> None:
    """What cannot be started is an error."""
    with pytest.raises(TargetError, match="no luck"):
        start(FakeLab(fails="iperf3").host(), SERVER)


@pytest.mark.parametrize(("started", "expected"), [(70, 1), (71, 0)])
def test_alive(started: int, expected: int) -> None:
    """A later program of the same pid is another one."""
    lab = _lab(p7=FakeProgram(started=70, namespace=NEAR))
    assert expected == len(alive(lab.host(), (LabProcess(pid=7, started=started, what=""),)))


def test_a_zombie_is_dead() -> None:
    """What only waits to be collected does not count."""
    lab = FakeLab(shows={"/proc/7/stat": "7 (x) Z " + " ".join(map(str, range(4, 25)))})
    assert () == alive(lab.host(), (LabProcess(pid=7, started=22, what=""),))


def test_end() -> None:
    """A program is ended, another one of its pid's past is not."""
    lab = _lab(p7=FakeProgram(started=70, namespace=NEAR), p8=FakeProgram(started=80, namespace=NEAR))
    end(lab.host(), (LabProcess(pid=7, started=70, what=""), LabProcess(pid=8, started=79, what="")))
    assert {8} == lab.programs.keys()


def test_nothing_to_end() -> None:
    """Without a living program nothing is done."""
    lab = FakeLab()
    end(lab.host(), (LabProcess(pid=7, started=70, what=""),))
    assert [] == lab.done


def test_end_all_finds_the_marked() -> None:
    """A program nobody recorded is found by its mark inside the lab."""
    lab = _lab(p7=FakeProgram(started=70, namespace=NEAR))
    end_all(lab.host(), None)
    assert {} == lab.programs


def test_end_all_spares_a_person_s_shell() -> None:
    """What does not carry the mark is somebody's, even inside the lab."""
    lab = _lab(p7=FakeProgram(started=70, namespace=NEAR, marked=False))
    end_all(lab.host(), None)
    assert {7} == lab.programs.keys()


def test_end_all_spares_other_namespaces() -> None:
    """A mark alone, elsewhere, is not enough."""
    lab = _lab(p7=FakeProgram(started=70, namespace="blue"))
    end_all(lab.host(), None)
    assert {7} == lab.programs.keys()


def test_end_all_empties_the_cgroups() -> None:
    """Whatever is in the lab's cgroups must go, or they cannot be removed."""
    lab = _lab(p7=FakeProgram(started=70, namespace="elsewhere", marked=False))
    lab.grouped.add(7)
    end_all(lab.host(), GROUPS)
    assert {} == lab.programs


def test_end_all_ends_the_recorded() -> None:
    """A recorded program is ended wherever it is."""
    lab = _lab(p7=FakeProgram(started=70, namespace="elsewhere"))
    end_all(lab.host(), None, (LabProcess(pid=7, started=70, what=""),))
    assert {} == lab.programs


def test_end_all_gives_up() -> None:
    """A program that does not end is named."""
    lab = _lab(p7=FakeProgram(started=70, namespace=NEAR, immortal=True))
    with pytest.raises(TargetError, match=r"do not end: 7; kill them"):
        end_all(lab.host(), None)


@pytest.mark.parametrize(("text", "expected"), [("LISTEN", True), ("ESTAB", False)])
def test_await_text(text: str, expected: bool) -> None:  # noqa: FBT001 - a table's column
    """It waits for a text and says whether it came."""
    lab = FakeLab(shows={"ss -ltn": "LISTEN 0 5"})
    assert expected is await_text(lab.host(), query("ss", "-ltn"), text)
