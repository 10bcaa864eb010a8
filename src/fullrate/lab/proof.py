"""The injector's own proof that a fault costs rate: plain iperf3 between the ends, as a person would run it."""

from dataclasses import dataclass, replace

from fullrate.host.protocol import Host
from fullrate.lab.acting import ask
from fullrate.lab.fault import EFFECT_SHARE
from fullrate.lab.processes import Entry, await_text, end, start
from fullrate.lab.state import LabState, load_state
from fullrate.lab.targets import end_of
from fullrate.lab.topology import Place, other
from fullrate.records.decoding import decoded
from fullrate.records.ends import Direction
from fullrate.records.errors import FormatError, UsageError
from fullrate.records.evidence import ReadFile, change, query
from fullrate.records.units import BitsPerSecond, Bytes

_PORT = "5201"
_ENOUGH: Bytes = 4 * 2**20
_PATIENCE = 6  # seconds for all it may wait for beside the traffic


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sum:
    bits_per_second: BitsPerSecond = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    sum_received: _Sum = _Sum()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    """The part of an iperf3 report that is read."""

    error: str = ""
    end: _End = _End()


def plain_rate(  # noqa: PLR0913 - what a person may ask of iperf3, all keywords
    host: Host,
    direction: Direction,
    *,
    seconds: int = 2,
    near_serves: bool = False,
    link: str | None = None,
    udp: BitsPerSecond | None = None,
) -> BitsPerSecond:
    """What plain iperf3 receives in this direction of a link, by default the one under test; 0 when it cannot run.

    `udp`: it sends so much by UDP and does not slow down, so what it receives is the rate without what was lost.
    """
    state = load_state(host)
    if state is None:
        raise UsageError(f"there is no lab on {host.label}; `fullrate lab up` makes one")
    state = state if link is None else replace(state, link=link)
    serving = Place.NEAR if near_serves else Place.FAR
    address = end_of(state, serving).address
    server = start(host, _entry(state, serving, "iperf3", "-s", "-B", address, "-p", _PORT))
    try:
        listeners = query("ip", "netns", "exec", serving.namespace, "ss", "-Hltnp", f"sport = :{_PORT}")
        if not await_text(host, listeners, f"pid={server.pid},"):
            return 0.0
        reverse = ("-R",) if Place(direction.sender) is serving else ()
        client = ("iperf3", "-J", "-t", str(seconds), "-c", address, "-p", _PORT, "--connect-timeout", "2000")
        options = () if udp is None else ("-u", "-b", str(round(udp)), "-w", _buffer(host))
        bounded = ("timeout", "-s", "KILL", str(seconds + _PATIENCE), *client, *options, *reverse)
        entry = _entry(state, other(serving), *bounded)
        return received(host.perform(change(*entry.command(), timeout=seconds + _PATIENCE + 2.0)).payload)
    finally:
        end(host, (server,))


def _buffer(host: Host) -> str:
    """What the host's kernel lets iperf3 ask for: with the usual 208 kB a healthy lab loses up to 22 % of 900 Mbit/s.

    The limits are the host's, not a namespace's; iperf3 refuses to run with less than it asked for.
    """
    texts = ask(host, *(ReadFile(path=f"/proc/sys/net/core/{name}") for name in ("rmem_max", "wmem_max")))
    return str(min([_ENOUGH, *(int(text) for text in texts if text)]))


def effective(healthy: BitsPerSecond, broken: BitsPerSecond) -> bool:
    """Whether a fault costs enough to be scored as one with an effect."""
    return broken <= (1 - EFFECT_SHARE) * healthy


def received(output: bytes) -> BitsPerSecond:
    """The receiver's rate in `iperf3 -J` output; 0 when it holds none, as after an error."""
    try:
        report = decoded(output, _Report)
    except FormatError:
        return 0.0
    return 0.0 if report.error else report.end.sum_received.bits_per_second


def _entry(state: LabState, place: Place, *argv: str) -> Entry:
    there = end_of(state, place)
    return Entry(place=place, argv=argv, cpus=there.cpus, procs=next(iter(there.cgroups), None))
