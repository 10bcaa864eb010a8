"""Broadcasts and multicasts of others fill a part of the receiver's link.

The kernel counts what IPv4 packets of both kinds it took in (IpExtInBcastOctets, IpExtInMcastOctets; RFC 4293). They
must be there at rest and during the test. ARP and other protocols are not among them, so the true load may be higher.
"""

from fullrate.checks._common import clear, is_full, measured, not_applicable, on_loopback, problem, saw
from fullrate.checks._counters import counted
from fullrate.records.facts.net import ProtocolCounters
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond, bits_per_second
from fullrate.records.view import View

CAUSE = "broadcast-flood"
_NAMES = ("IpExtInBcastOctets", "IpExtInMcastOctets")
_MATTERS = 0.03  # of the ceiling, as for competing traffic


def diagnose(view: View) -> Finding:
    """Whether broadcasts take a part of this direction."""
    if on_loopback(view):
        return not_applicable(CAUSE, "the test does not leave the host")
    trial = view.want_trial() or view.want_trial("udp") or view.trial()
    if is_full(view, trial):
        return clear(CAUSE, "the test got the whole link", [measured(trial)])
    seen: list[Evidence] = []
    rates = [_arriving(view, one, seen) for one in (view.idle(), trial)]
    load, evidence = min(rates), [*seen, measured(trial)]
    end = view.receiver
    if load < _MATTERS * view.ceiling:
        return clear(CAUSE, "few broadcasts arrive", evidence, end=end.end)
    return problem(
        CAUSE,
        f"broadcasts and multicasts take {load / view.ceiling:.0%} of the link to {end.target or end.end}",
        evidence,
        end=end.end,
        subject=end.interface or "",
        confidence=Confidence.HIGH,
        costs_bps=load,
    )


def _arriving(view: View, trial: Trial, evidence: list[Evidence]) -> BitsPerSecond:
    """Bits per second of broadcasts and multicasts that the receiver took in. Raises Missing."""
    window = view.window(trial, view.receiver)
    count = counted(window, "netstat", *_NAMES)
    evidence += count.evidence
    seconds = window.need(ProtocolCounters, "netstat").seconds
    if seconds <= 0:
        raise view.receiver.missing(ProtocolCounters, "netstat")
    load = bits_per_second(count.total, seconds)
    evidence.append(saw("arithmetic", f"broadcast and multicast in trial {trial.id}, bit/s", round(load)))
    return load


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
