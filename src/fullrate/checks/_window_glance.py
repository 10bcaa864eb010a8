"""A window that the program itself set, by arithmetic: what was sent in a round trip is the buffer it asked for."""

from fullrate.checks._common import measured, rate, saw
from fullrate.checks._glance import again, suspect
from fullrate.checks._told import ceiling_reached
from fullrate.records.facts.net import EchoProbe
from fullrate.records.finding import Evidence, Finding
from fullrate.records.goodput import FULL_SHARE
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, Seconds
from fullrate.records.view import View

# The kernel doubles the size asked for, to hold its own structures too (socket(7), SO_RCVBUF): of that a half to all
# is payload, by the size of the packets (tcp_win_from_space, net/ipv4/tcp_input.c). So between the half and the double
# of what was asked for is on the way.
_LEAST, _MOST = 0.5, 2.0
_LOSSLESS = 0.0005  # of the packets: with more, what is on the way may be what the losses leave
_PACKET = 1448  # bytes of payload, where retransmits are counted by packets
_FAR: Seconds = 0.002  # below it such a buffer is no limit: of 256 kB at 2 ms 1 Gbit/s


def fixed_window(view: View, cause: str) -> Finding | None:
    """A test with a fixed window that carried just that much in each round trip."""
    for trial in view.trials:
        found = _held(view, cause, trial)
        if found is not None:
            return found
    return None


def _held(view: View, cause: str, trial: Trial) -> Finding | None:
    asked, trip = trial.spec.buffer, _round_trip(view, trial)
    if not trial.told or not asked or trip is None or trial.spec.protocol != "tcp" or not rate(trial):
        return None
    seconds, seen = trip
    flight = rate(trial) * seconds / BITS_PER_BYTE / max(1, trial.spec.streams)
    fits = _LEAST * asked <= flight <= _MOST * asked and seconds >= _FAR
    if not fits or _loses(trial) or ceiling_reached(view, trial, FULL_SHARE):
        return None
    evidence = [
        measured(trial),
        saw(f"trial/{trial.id}", "socket buffer asked for, bytes", asked),
        seen,
        saw("arithmetic", "bytes a round trip and stream: rate x RTT / 8", round(flight)),
    ]
    words = f"the test set its window to {asked:,} bytes (-w), and in an RTT of {seconds * 1000:.1f} ms no more is sent"
    asks = again(view, "iperf3 -c PEER without -w", "ss -tinm")
    return suspect(view, cause, words, evidence, subject="", asks=asks)


def _round_trip(view: View, trial: Trial) -> tuple[Seconds, Evidence] | None:
    """The round trip of the test by the kernel's own word, else by an echo that somebody showed."""
    steps = trial.engine.sent if trial.engine else ()
    known = sorted(one.rtt for one in steps if one.rtt)
    if known:
        middle = known[len(known) // 2]
        return middle, saw(f"trial/{trial.id}", "RTT", f"{middle * 1000:.1f} ms")
    probes = [one for one in view.here.all(EchoProbe) if one.rtt]
    if not probes:
        return None
    least = min(probes, key=lambda one: one.rtt or 0.0)
    return least.rtt or 0.0, saw(view.here.source_of(least), "RTT", f"{(least.rtt or 0.0) * 1000:.1f} ms")


def _loses(trial: Trial) -> bool:
    engine = trial.engine
    again_sent = engine.retransmits if engine else None
    seconds = engine.seconds if engine and engine.seconds else trial.spec.max_seconds
    packets = rate(trial) * seconds / BITS_PER_BYTE / _PACKET
    return (again_sent or 0) > _LOSSLESS * packets
