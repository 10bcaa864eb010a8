"""How fast the guest's wires are made: well below what the emulation carries, so that the ceiling is the wire's."""

from dataclasses import dataclass

from fullrate.host.guest import GuestHost
from fullrate.host.protocol import Command, Host
from fullrate.lab.acting import act, ask
from fullrate.lab.guest.state import GuestState
from fullrate.lab.guest.wiring import NAMESPACE
from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, change, query
from fullrate.records.units import MEGABIT, BitsPerSecond

LEAST, MOST = 50 * MEGABIT, 100 * MEGABIT
OPEN = 500 * MEGABIT  # while it is measured: more than it carries frame by frame
_SHARE = 0.25  # of what it carries frame by frame: the emulation's speed swings with the machine's load
_STEP = 10 * MEGABIT
_SECONDS = "3"
_PORT = "5201"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sum:
    bits_per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    sum_received: _Sum


@dataclass(frozen=True, slots=True, kw_only=True)
class _Document:
    end: _End


def speed(host: Host, state: GuestState, work: str) -> BitsPerSecond:
    """The speed for the wires, measured on the first when this machine first has these cards."""
    name = f"{work}/speed-frames-{'-'.join(wire.model for wire in state.wires)}"
    known = ask(host, ReadFile(path=name))[0].strip()
    if known:
        return float(known)
    found = min(MOST, max(LEAST, _SHARE * _carried(state) // _STEP * _STEP))
    act(host, change("dd", f"of={name}", "status=none", stdin=f"{found:.0f}"))
    return found


def end_host(state: GuestState, end: str) -> GuestHost:
    """An end of the guest. Raises TargetError."""
    return GuestHost(f"guest:{end}", end=end, namespace=NAMESPACE, token=state.token)


def _carried(state: GuestState) -> BitsPerSecond:
    """What the first wire, open, carries from near to far; 0 when that cannot be told."""
    wire = state.wires[0]
    near, far = end_host(state, "a"), end_host(state, "b")
    try:
        server = far.launch(Command(argv=("iperf3", "-s", "-1", "-B", wire.address("b"), "-p", _PORT), deadline=60.0))
        client = ("iperf3", "-c", wire.address("b"), "-p", _PORT, "-t", _SECONDS, "-J", "--connect-timeout", "20000")
        (reply,) = near.ask((query(*client, timeout=40.0),))
        server.stop()
        return decoded(reply.payload, _Document).end.sum_received.bits_per_second
    except FormatError:
        return 0.0
    finally:
        near.close()
        far.close()
