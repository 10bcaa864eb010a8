"""What the lab may have made so far, in one file that is written and synced before anything is done."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

import msgspec

from fullrate.host.protocol import Host
from fullrate.lab.acting import act, ask
from fullrate.lab.cgroups import Cgroups
from fullrate.lab.readings import Reading
from fullrate.lab.topology import LINKS
from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError, TargetError
from fullrate.records.evidence import ListGlob, ReadFile, Status, change

PATH = PurePosixPath("/run/fullrate/lab.json")


class Phase(StrEnum):
    """How far the lab is; all but READY and BROKEN mean that a command did not finish."""

    BUILDING = "building"
    READY = "ready"
    BREAKING = "breaking"
    BROKEN = "broken"
    HEALING = "healing"
    REMOVING = "removing"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabProcess:
    """A program the lab runs: `started` in clock ticks since boot tells it from a later one of the same pid."""

    pid: int
    started: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabState:
    """The lab as the state file tells it."""

    phase: Phase
    link: str = LINKS[0].name  # the one `lab:` tests
    faults: tuple[str, ...] = ()  # as they were put in
    cpus: tuple[int, ...] = ()  # near's and far's; empty: one CPU for all
    cgroups: Cgroups | None = None
    processes: tuple[LabProcess, ...] = ()
    readings: tuple[Reading, ...] = ()  # of the healthy lab


def encode(state: LabState) -> str:
    """The state as JSON."""
    return msgspec.json.encode(state).decode()


def decode(text: bytes) -> LabState:
    """The state from JSON. Raises FormatError."""
    try:
        return decoded(text, LabState)
    except FormatError as error:
        raise FormatError(f"{PATH} is not a lab's state: {error}; `fullrate lab down` clears what is there") from error


def load_state(host: Host) -> LabState | None:
    """The state of the lab, or None when there is none. Raises TargetError, FormatError."""
    (reply,) = host.ask((ReadFile(path=str(PATH)),))
    if reply.status is Status.ABSENT:
        return None
    if reply.status is not Status.OK:
        raise TargetError(f"{PATH} on {host.label} cannot be read: {reply.error or reply.status}; run it with sudo")
    return decode(reply.payload)


def save(host: Host, state: LabState) -> LabState:
    """The same state, once it is on disk."""
    write_synced(host, PATH, encode(state))
    return state


def write_synced(host: Host, path: PurePosixPath, text: str) -> None:
    """Write a text beside the path, sync it, then move it into place."""
    beside = f"{path}.new"
    act(host, change("mkdir", "-p", str(path.parent)))
    act(host, change("dd", f"of={beside}", "conv=fsync", "status=none", stdin=text))
    act(host, change("mv", "-T", beside, str(path)))


def forget(host: Host) -> None:
    """Remove the state: there is no lab any more."""
    act(host, change("rm", "-f", f"{PATH}.new", str(PATH)))
    host.perform(change("rmdir", str(PATH.parent)))  # stays when others keep something there


def tidy(host: Host) -> None:
    """Remove what a command killed while writing or removing the state has left of it."""
    if any(ask(host, ListGlob(pattern=str(PATH.parent)))):
        forget(host)
