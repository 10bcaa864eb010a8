"""What the hardware lab may have made so far, in one file that is written and synced before anything is done."""

from dataclasses import dataclass
from pathlib import PurePosixPath

import msgspec

from fullrate.host.protocol import Host
from fullrate.lab.acting import act
from fullrate.lab.guest.wiring import Wire
from fullrate.lab.readings import Reading
from fullrate.lab.state import LabProcess, Phase, write_synced
from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError, TargetError
from fullrate.records.evidence import ReadFile, Status, change
from fullrate.records.units import BitsPerSecond

PATH = PurePosixPath("/run/fullrate/guest.json")
FOLDER = PurePosixPath("/run/fullrate/guest")  # what the guest sees of its lab, and its console


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestState:
    """The hardware lab as the state file tells it."""

    phase: Phase
    generation: str
    wires: tuple[Wire, ...]
    token: str
    speed: BitsPerSecond = 0.0  # of every wire; 0: not measured yet
    process: LabProcess | None = None  # QEMU
    link: str = ""  # the model of the wire that `guest:` tests; empty: the first
    faults: tuple[str, ...] = ()  # as they were put in
    programs: tuple[LabProcess, ...] = ()  # of the faults, in the guest
    readings: tuple[Reading, ...] = ()  # of that wire, before the faults


def load_state(host: Host) -> GuestState | None:
    """The state of the hardware lab, or None when there is none. Raises TargetError, FormatError."""
    (reply,) = host.ask((ReadFile(path=str(PATH)),))
    if reply.status is Status.ABSENT:
        return None
    if reply.status is not Status.OK:
        raise TargetError(f"{PATH} on {host.label} cannot be read: {reply.error or reply.status}; run it with sudo")
    try:
        return decoded(reply.payload, GuestState)
    except FormatError as error:
        raise FormatError(
            f"{PATH} is not a guest's state: {error}; `fullrate lab down` clears what is there"
        ) from error


def save(host: Host, state: GuestState) -> GuestState:
    """The same state, once it is on disk: written beside, synced, then moved into place."""
    write_synced(host, PATH, msgspec.json.encode(state).decode())
    return state


def forget(host: Host) -> None:
    """Remove the state and the folder: there is no guest any more."""
    act(host, change("rm", "-rf", str(FOLDER), f"{PATH}.new", str(PATH)))
    host.perform(change("rmdir", str(PATH.parent)))  # stays when others keep something there
