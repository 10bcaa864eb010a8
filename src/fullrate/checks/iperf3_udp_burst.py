"""An old iperf3 sends UDP in bursts, and the bursts overflow what a steady flow of the same rate would not.

Before 3.2 its timer runs every 100 ms (iperf_create_send_timers in src/iperf_api.c of 3.0 and 3.1): all that a tenth of
a second is to carry goes out at once. 3.2 paces in steps of 1 ms.
"""

from fullrate.checks._common import clear, measured, not_applicable, problem, saw, unknown
from fullrate.checks._told import ceiling_reached, older
from fullrate.checks._udp import arrives, udp_trial
from fullrate.records.finding import Ask, Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import EngineResult, Trial
from fullrate.records.units import BITS_PER_BYTE, Bytes
from fullrate.records.view import View

CAUSE = "iperf3-udp-burst"
_PACED = (3, 2)
_TICK = 0.1  # seconds, before
# A burst that fits into the smallest queue on the way is harmless: net.core.rmem_default, 212992 (SK_RMEM_MAX in
# include/net/sock.h), holds some 100 kB of payload.
_HARMLESS: Bytes = 100_000
_BUSY = 0.5  # of the ceiling: above it a queue may be full for other reasons


def diagnose(view: View) -> Finding:
    """Whether UDP of a small rate is lost because it comes in bursts."""
    trial = udp_trial(view)
    if trial is None:
        return not_applicable(CAUSE, "no UDP was sent")
    engine = trial.engine or EngineResult(program="")
    old = older(engine, _PACED)
    if engine.program not in {"iperf3", ""} or old is False or trial.spec.rate is None:
        return not_applicable(CAUSE, "it is paced in steps of 1 ms, or sends without a limit")
    evidence = [saw(f"trial/{trial.id}", "lost_ratio", f"{engine.lost_ratio or 0:.2%}"), measured(trial)]
    if engine.lost_ratio is not None and arrives(trial):
        return clear(CAUSE, "what was sent arrives", evidence)
    if old is None or engine.lost_ratio is None:
        asks = (Ask(text="iperf3 --version of the sender, and the last lines of its client"),)
        return unknown(CAUSE, "the version, or what was lost, is not told", evidence, asks=asks)
    return _judge(view, trial, trial.spec.rate * _TICK / BITS_PER_BYTE)


def _judge(view: View, trial: Trial, burst: float) -> Finding:
    ratio = trial.engine.lost_ratio if trial.engine else None
    evidence = [
        saw(f"trial/{trial.id}", "lost_ratio", f"{ratio or 0:.2%}"),
        saw(f"trial/{trial.id}", "bytes in a burst", round(burst)),
        measured(trial),
    ]
    if burst < _HARMLESS or ceiling_reached(view, trial, _BUSY):
        return unknown(CAUSE, "its bursts are small, or so much of the link was used that other queues fill", evidence)
    return problem(
        CAUSE,
        f"this iperf3, older than 3.2, sends UDP in bursts of {burst / 1e3:.0f} kB: take a newer one",
        evidence,
        end=view.sender.end,
        subject="iperf3",
        confidence=Confidence.MEDIUM,
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
