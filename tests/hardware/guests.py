"""What the tests of the hardware lab share."""

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fullrate.host.local import LocalHost
from fullrate.lab.guest import GENERATIONS, GuestState, down, up
from fullrate.lab.guest.state import FOLDER, PATH
from fullrate.lab.guest.wiring import NAMESPACE

ONE_BOOT = ("igb", "e1000", "e1000e")  # the cards of the faults; each pair more costs a second of a boot
AGAIN = 25.0  # seconds of an `up` whose files are there


@contextmanager
def guest(generation: str = GENERATIONS[0], *models: str) -> Iterator[GuestState]:
    """A guest for a while."""
    host = LocalHost()
    try:
        yield up(host, generation, models or ONE_BOOT)
    finally:
        down(host)
        host.close()


def remains() -> list[str]:
    """What a guest has left on this machine."""
    lines = _said("ip", "netns", "list").splitlines()
    kept = [line for line in lines if line.split()[0] == NAMESPACE]
    mounts = [line for line in Path("/proc/self/mounts").read_text().splitlines() if NAMESPACE in line]
    files = [str(path) for path in (PATH, FOLDER) if Path(path).exists()]
    return [*kept, *mounts, *files, *_machines()]


def kill_after(seconds: float, process: "subprocess.Popen[str]") -> None:
    """Kill a program of ours after a while, unless it ended before."""
    time.sleep(seconds)
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.communicate()


def _machines() -> list[str]:
    """The emulators whose console is a guest's."""
    lines = (path.read_bytes().replace(b"\0", b" ").decode() for path in _command_lines())
    return [line[:80] for line in lines if f"file:{FOLDER}/console" in line]


def _command_lines() -> Iterator[Path]:
    for folder in Path("/proc").glob("[0-9]*"):
        path = folder / "cmdline"
        if path.exists():
            yield path


def _said(*argv: str) -> str:
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout
