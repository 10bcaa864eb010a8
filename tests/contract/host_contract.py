"""What every kind of host must do. A kind's test module subclasses one of these and provides the fixture `host`."""

import time
from collections.abc import Callable

import pytest

from fullrate.host.protocol import Command, Host, Process, ProcessState, SamplePlan
from fullrate.records.errors import TargetError
from fullrate.records.evidence import DumpSockets, ListGlob, ReadFile, Reply, Status, WriteFile, change, query
from fullrate.records.frames import Frame, read_frames

BOOT_ID = ReadFile(path="/proc/sys/kernel/random/boot_id")
NOWHERE = ReadFile(path="/nowhere/at/all")


def one(host: Host, request: ReadFile | ListGlob) -> Reply:
    """The reply to one request."""
    return host.ask([request])[0]


def until(process: Process, holds: Callable[[ProcessState], bool]) -> ProcessState:
    """The first state for which it holds, the present one after five seconds."""
    end = time.monotonic() + 5.0
    state = process.poll()
    while not holds(state) and time.monotonic() < end:
        state = process.poll()
    return state


def ended(state: ProcessState) -> bool:
    """Whether the program has ended."""
    return state.exit_code is not None


class HostContract:
    """Every host, also one that is only a recording; it knows BOOT_ID, and that there is no NOWHERE."""

    def test_label_can_be_printed(self, host: Host) -> None:
        """A label is not empty and has nothing that a terminal would act on."""
        assert host.label.isprintable()
        assert host.label

    def test_answers_in_order(self, host: Host) -> None:
        """Each reply stands at its request's place."""
        wanted = (NOWHERE, BOOT_ID)
        assert wanted == tuple(reply.request for reply in host.ask(wanted))

    def test_reads_a_file(self, host: Host) -> None:
        """A file's content comes as bytes."""
        reply = one(host, BOOT_ID)
        assert (Status.OK, 37) == (reply.status, len(reply.payload))

    def test_missing_file_is_absent(self, host: Host) -> None:
        """A file that is not there is a reply, not an error."""
        assert Status.ABSENT == one(host, NOWHERE).status

    def test_nothing_asked_nothing_answered(self, host: Host) -> None:
        """No request, no reply."""
        assert () == host.ask([])

    def test_lease_can_be_renewed(self, host: Host) -> None:
        """Renewing leaves the host usable."""
        host.renew()
        assert Status.OK == one(host, BOOT_ID).status

    def test_close_twice(self, host: Host) -> None:
        """A second close has nothing left to do."""
        host.close()
        host.close()
        assert host.label


class ReadingHostContract(HostContract):
    """A host that reads a machine."""

    def test_boot_id_identifies_the_kernel(self, host: Host) -> None:
        """The identity holds what the kernel says, and a namespace."""
        assert one(host, BOOT_ID).payload.decode().strip() == host.identify().boot_id
        assert 0 < host.identify().namespace

    def test_lists_paths_sorted(self, host: Host) -> None:
        """One path a line, sorted."""
        lines = one(host, ListGlob(pattern="/proc/self/net/[dt]*")).payload.split()
        assert b"/proc/self/net/dev" in lines
        assert sorted(lines) == lines

    def test_pattern_without_match_lists_nothing(self, host: Host) -> None:
        """No match is an answer."""
        reply = one(host, ListGlob(pattern="/nowhere/*"))
        assert (Status.OK, b"") == (reply.status, reply.payload)

    def test_folder_is_no_file(self, host: Host) -> None:
        """What exists and is no file fails; it is not called absent."""
        reply = one(host, ReadFile(path="/proc"))
        assert (Status.FAILED, "EISDIR") == (reply.status, reply.error)

    def test_command_prints(self, host: Host) -> None:
        """A command's output and exit code come back."""
        reply = host.ask([query("echo", "a b")])[0]
        assert (Status.OK, b"a b\n", 0) == (reply.status, reply.payload, reply.exit_code)

    def test_command_fails(self, host: Host) -> None:
        """A failed command keeps its output, its words and its exit code."""
        reply = host.ask([query("sh", "-c", "echo out; echo why >&2; exit 3")])[0]
        assert (Status.FAILED, b"out\n", "why\n", 3) == (reply.status, reply.payload, reply.error, reply.exit_code)

    def test_missing_program_is_absent(self, host: Host) -> None:
        """A program that is not installed is told from one that fails."""
        assert Status.ABSENT == host.ask([query("fullrate-no-such-program")])[0].status

    def test_command_over_its_time(self, host: Host) -> None:
        """A command that does not end is killed, with what it started, and its first output is kept."""
        reply = host.ask([query("sh", "-c", "echo first; sleep 61 & sleep 62", timeout=0.1)])[0]
        assert (Status.TIMED_OUT, b"first\n") == (reply.status, reply.payload)
        assert 0.1 <= reply.finished - reply.started < 2

    def test_commands_speak_english(self, host: Host) -> None:
        """Every command runs in the C locale, whatever the user's is."""
        assert b"C C\n" == host.ask([query("sh", "-c", "echo $LANG $LC_ALL")])[0].payload

    def test_times_are_the_hosts(self, host: Host) -> None:
        """Replies carry the wall clock of the host."""
        offset = host.clock_offset()
        assert abs(one(host, BOOT_ID).started - time.time() - offset.seconds) < 5

    def test_closed_host_answers_nothing(self, host: Host) -> None:
        """After close every verb says so."""
        host.close()
        with pytest.raises(TargetError, match="closed"):
            host.ask([BOOT_ID])


class LiveHostContract(ReadingHostContract):
    """A host that can do everything."""

    def test_more_than_read(self, host: Host) -> None:
        """Nothing keeps it from that."""
        assert "" == host.reads_only

    def test_change_is_fed(self, host: Host) -> None:
        """A changing command reads what it is given."""
        assert b"fed" == host.perform(change("cat", stdin="fed")).payload

    def test_only_existing_files_are_written(self, host: Host) -> None:
        """A write never makes a file."""
        assert Status.ABSENT == host.perform(WriteFile(path="/proc/nowhere", content="1")).status

    def test_guard_program_answers(self, host: Host) -> None:
        """It is put on the host and run there; the reply holds its words and its exit code."""
        reply = host.guard("frobnicate")
        assert ("run fullrate_guard.py frobnicate", Status.FAILED, 2) == (
            reply.request.key,
            reply.status,
            reply.exit_code,
        )
        assert reply.error.startswith("usage: ")

    def test_guard_program_is_fed(self, host: Host) -> None:
        """It reads the change that it is to make, and makes none of what is none."""
        reply = host.guard("--folder", "/proc/nowhere", "apply", text="no change")
        assert (Status.FAILED, False) == (reply.status, b"waiting" in reply.payload)

    def test_launched_program_ends_by_itself(self, host: Host) -> None:
        """All output and the exit code are there when it has ended."""
        process = host.launch(Command(argv=("sh", "-c", "echo out; echo err >&2; exit 4"), deadline=5))
        state = until(process, ended)
        assert (4, b"out\n", b"err\n") == (state.exit_code, state.stdout, state.stderr)

    def test_launched_program_is_followed(self, host: Host) -> None:
        """Output can be seen while it runs, and stays."""
        process = host.launch(Command(argv=("sh", "-c", "echo out; exec sleep 63"), deadline=5))
        running = until(process, lambda state: state.stdout != b"")
        assert (None, b"out\n") == (running.exit_code, running.stdout)
        assert b"out\n" == process.stop().stdout

    def test_stop_interrupts(self, host: Host) -> None:
        """A program is asked to end first."""
        script = "trap 'echo bye; exit 5' INT; echo ready; while :; do sleep 0.01; done"
        process = host.launch(Command(argv=("sh", "-c", script), deadline=5))
        until(process, lambda state: state.stdout != b"")
        assert (5, b"ready\nbye\n") == (process.stop().exit_code, process.poll().stdout)

    def test_stop_kills_what_does_not_listen(self, host: Host) -> None:
        """A program that ignores the request is killed after the grace."""
        script = "trap '' INT; echo ready; while :; do sleep 0.01; done"
        process = host.launch(Command(argv=("sh", "-c", script), deadline=5))
        until(process, lambda state: state.stdout != b"")
        assert -9 == process.stop(grace=0.05).exit_code

    def test_deadline_kills(self, host: Host) -> None:
        """A program does not outlive its deadline."""
        process = host.launch(Command(argv=("sleep", "64"), deadline=0.05))
        assert -9 == until(process, ended).exit_code

    def test_missing_program_cannot_be_launched(self, host: Host) -> None:
        """It is an error with the program's and the host's name."""
        with pytest.raises(TargetError, match=f"fullrate-no-such-program on {host.label}"):
            host.launch(Command(argv=("fullrate-no-such-program",), deadline=5))

    def test_samples(self, host: Host) -> None:
        """The first frame holds every reading of the plan, an unreadable one with its errno."""
        plan = SamplePlan(fast=(BOOT_ID, NOWHERE), slow=(query("echo", "1"), DumpSockets(ports=(1,))))
        sampling = host.sample(plan)
        first = next(read_frames(sampling.take() + sampling.stop()))
        assert [(0, 0, 37), (1, 2, 0), (2, 0, 2), (3, 0, 0)] == [
            (reading.number, reading.error, len(reading.payload)) for reading in first.readings
        ]

    def test_samples_come_live(self, host: Host) -> None:
        """Frames come while sampling goes on, a tenth of a second apart; nothing comes after the end."""
        sampling = host.sample(SamplePlan(fast=(BOOT_ID,)))
        frames: list[Frame] = []
        end = time.monotonic() + 5.0
        while len(frames) < 2 and time.monotonic() < end:
            frames += read_frames(sampling.take())
            time.sleep(0.01)
        sampling.stop()
        assert 0.1 == pytest.approx(frames[1].monotonic - frames[0].monotonic, abs=0.09)
        assert b"" == sampling.stop()
