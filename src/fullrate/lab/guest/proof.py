"""The injector's own proof in the hardware lab: plain iperf3 between the guest's ends, as a person would run it."""

from fullrate.host.protocol import Command, Host, Process
from fullrate.lab.acting import act, ask
from fullrate.lab.guest.control import standing, wire_of
from fullrate.lab.guest.measuring import end_host
from fullrate.lab.guest.places import OpenEnd, Places, opened
from fullrate.lab.guest.wiring import Wire
from fullrate.lab.proof import received
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction
from fullrate.records.evidence import change, query
from fullrate.records.units import BitsPerSecond, Seconds

_PORT = "5201"
_TRIES, _PAUSE = 40, "0.25"
_PATIENCE: Seconds = 15.0  # for all it may wait for beside the traffic


def guest_rate(  # noqa: PLR0913 - what a person may ask of iperf3, all keywords
    host: Host,
    direction: Direction,
    *,
    seconds: int = 3,
    link: str | None = None,
    udp: BitsPerSecond | None = None,
    open_end: OpenEnd = end_host,
) -> BitsPerSecond:
    """What plain iperf3 receives in this direction of a wire, by default the one under test; 0 when it cannot run."""
    state = standing(host)
    wire = wire_of(state, link or "")
    with opened(host, state, open_end) as places:
        server = _serving(places, wire)
        try:
            if not _listens(places):
                return 0.0
            bounded = ("timeout", "-s", "KILL", f"{seconds + _PATIENCE - 2:.0f}")
            client = ("iperf3", "-J", "-t", str(seconds), "-c", wire.address("b"), "-p", _PORT)
            options = () if udp is None else ("-u", "-b", str(round(udp)))
            reverse = () if direction is Direction.NEAR_TO_FAR else ("-R",)
            argv = (*bounded, *client, "--connect-timeout", "8000", *options, *reverse)
            return received(places.at(Place.NEAR).perform(change(*argv, timeout=seconds + _PATIENCE)).payload)
        finally:
            server.stop()


def _serving(places: Places, wire: Wire) -> Process:
    argv = ("iperf3", "-s", "-1", "-B", wire.address("b"), "-p", _PORT)
    return places.at(Place.FAR).launch(Command(argv=argv, deadline=120.0))


def _listens(places: Places) -> bool:
    far = places.at(Place.FAR)
    for _ in range(_TRIES):
        if f":{_PORT} " in ask(far, query("ss", "-Hltn", f"sport = :{_PORT}"))[0]:
            return True
        act(far, change("sleep", _PAUSE))
    return False
