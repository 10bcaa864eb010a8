"""UDP runs that somebody showed, with datagrams that fit into a packet and with larger ones: which of them arrive."""

from fullrate.checks._common import measured, mtu, problem, saw, version
from fullrate.records.finding import Ask, Confidence, Evidence, Finding
from fullrate.records.goodput import payload_per_frame
from fullrate.records.trial import Trial
from fullrate.records.units import Bytes
from fullrate.records.view import Missing, View

_USUAL: Bytes = 1500  # the MTU of Ethernet (IEEE 802.3), where nobody shows another
_GONE = 0.5  # of the datagrams: with so few left, more than a full queue is at work
_ARRIVED = 0.05  # lost, at most, of those in one packet each


def told_fragments(view: View, cause: str) -> Finding | None:
    """That most of the large datagrams were lost; surer when those that fit arrived."""
    fits = payload_per_frame(_mtu(view), version=version(view), protocol="udp")
    runs = [(one, lost, size) for one in view.trials for lost, size in _known(view, one)]
    large = next((run for run in reversed(runs) if run[2] > fits and run[1] >= _GONE), None)
    if large is None:
        return None
    small = next((run for run in reversed(runs) if run[2] <= fits and run[1] <= _ARRIVED), None)
    trial, lost, size = large
    evidence = [measured(trial), *(_evidence(*run) for run in (large, small) if run)]
    but = f"; of those of {small[2]} bytes, {small[1]:.1%}" if small else ""
    return problem(
        cause,
        f"datagrams of {size} bytes travel in fragments, and {lost:.0%} of them were lost{but}",
        evidence,
        end=view.sender.end,
        subject=view.sender.interface or "",
        confidence=Confidence.MEDIUM if small else Confidence.LOW,
        asks=(Ask(text=f"the same test with -l {fits}: does it lose as many?", end=view.sender.end),),
    )


def _mtu(view: View) -> Bytes:
    try:
        return mtu(view)
    except (Missing, ValueError):  # min() of no end that was seen
        return _USUAL


def _known(view: View, trial: Trial) -> list[tuple[float, Bytes]]:
    """The share of a UDP run of this direction that was lost, and the size of its datagrams."""
    lost = trial.engine.lost_ratio if trial.engine else None
    size = trial.spec.datagram
    mine = trial.told and trial.spec.protocol == "udp" and trial.spec.direction is view.direction
    return [(lost, size)] if mine and lost is not None and size else []


def _evidence(trial: Trial, lost: float, size: Bytes) -> Evidence:
    return saw(f"trial/{trial.id}", f"datagrams of {size} bytes lost", f"{lost:.2%}")
