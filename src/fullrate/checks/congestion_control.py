"""The sender's congestion control gives way on purpose, and nothing else holds the flow back.

TCP Vegas, NV and CDG slow down when delay grows, TCP-LP takes only what others leave (net/ipv4/Kconfig; the heads of
tcp_vegas.c, tcp_nv.c, tcp_cdg.c and tcp_lp.c). On a link whose delay varies they stay below its rate without any loss.
What they hold is their window over the RTT.
"""

from fullrate.checks._common import clear, measured, not_applicable, problem, rate, saw, without_tcp
from fullrate.checks._flow import connections
from fullrate.checks._glance import again, suspect
from fullrate.checks._loss import NOTABLE, loss
from fullrate.checks._modes import gigabits
from fullrate.checks._tcp import congestion_controls, held_back, kept_from_running
from fullrate.checks._told_pairs import outdone_by
from fullrate.records.facts.net import Sysctl, TcpSocket
from fullrate.records.finding import Confidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond
from fullrate.records.view import View

CAUSE = "congestion-control"
_YIELDING = {"vegas", "nv", "cdg", "lp"}
_KEY = "net.ipv4.tcp_congestion_control"  # of both IP versions, in spite of its name
_USUAL = "cubic"  # Linux's default since 2.6.19


def diagnose(view: View) -> Finding:
    """Whether the algorithm in use caps this direction."""
    if without_tcp(view):
        return not_applicable(CAUSE, "only UDP was sent: it has no congestion control")
    trial, end = view.trial(), view.sender
    names = congestion_controls(view, trial)
    said = ", ".join(sorted(names))
    evidence = [saw(connections(view.window(trial, end))[0].source, "congestion control", said), measured(trial)]
    if not names & _YIELDING:
        return clear(CAUSE, f"{said} does not give way without loss", evidence, end=end.end)
    found = loss(view, trial)
    evidence += found.evidence
    if found.ratio >= NOTABLE or held_back(view, trial):
        return clear(CAUSE, "something else holds the flow back", evidence, end=end.end)
    if any(kept_from_running(view, trial, side) for side in (end, view.receiver)):
        return clear(CAUSE, "a CPU holds the flow back", evidence, end=end.end)
    return problem(
        CAUSE,
        f"{said} slows down as soon as the delay grows; nothing is lost and no window is full",
        evidence,
        end=end.end,
        subject=_KEY,
        confidence=Confidence.MEDIUM,
        costs_bps=view.ceiling - max(rate(trial), min(view.ceiling, _holds(view, trial))),
        remedies=_remedies(view, names),
    )


def _holds(view: View, trial: Trial) -> BitsPerSecond:
    """Window over RTT, of all connections."""
    total = 0.0
    for flow in connections(view.window(trial, view.sender)):
        last = flow.after
        if not (last.congestion_window and last.mss and last.rtt):
            raise view.sender.missing(TcpSocket)
        total += last.congestion_window * last.mss * BITS_PER_BYTE / last.rtt
    return total


def _remedies(view: View, names: frozenset[str]) -> tuple[Remedy, ...]:
    """Only where the setting is what chose the algorithm: a route or the program may have."""
    found = view.sender.want(Sysctl, _KEY)
    if found is None or found.value not in names:
        return ()
    return (
        Remedy(
            knob=f"sysctl.{_KEY}",
            subject=_KEY,
            value=_USUAL,
            end=view.sender.end,
            commands=(f"sysctl -w {_KEY}={_USUAL}",),
            undo=(f"sysctl -w {_KEY}={found.value}",),
            note="holds for new connections",
        ),
    )


def glance(view: View) -> Finding | None:
    """That a test with another algorithm, which somebody showed, carried clearly more."""
    found = outdone_by(view, lambda one, other: None not in {_used(one), _used(other)} and _used(one) != _used(other))
    if found is None:
        return None
    one, other = found
    words = f"{_used(one)} carries {gigabits(rate(one))} on this path, {_used(other)} {gigabits(rate(other))}"
    asks = again(view, "ss -tinm")
    return suspect(view, CAUSE, words, [measured(one), measured(other)], subject=_KEY, asks=asks)


def _used(trial: Trial) -> str | None:
    return trial.engine.congestion_control if trial.engine else None


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
