"""UDP was sent at the program's default of 1 Mbit/s, for nobody said how much it was to send.

iperf3 and iperf 2 take 1,048,576 bit/s of each stream unless -b says otherwise (UDP_RATE in src/iperf.h, iperf(1)).
"""

from fullrate.checks._common import clear, not_applicable, problem, saw, unknown
from fullrate.checks._udp import udp_trial
from fullrate.records.finding import Ask, Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import EngineResult
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import View

CAUSE = "udp-default-rate"
_DEFAULT: BitsPerSecond = 1024 * 1024
_DIGITS = 0.02  # 1.05 Mbits/sec is what the text shows of it; the first datagrams add a little


def diagnose(view: View) -> Finding:
    """Whether the sender offered what it offers when it is not told."""
    trial = udp_trial(view)
    if trial is None:
        return not_applicable(CAUSE, "no UDP was sent")
    engine = trial.engine or EngineResult(program="")
    sent = engine.total_sent or next((one.throughput for one in engine.sent), None)
    if not trial.told:
        return not_applicable(CAUSE, "the rate was chosen")
    if sent is None:
        asks = (Ask(text="what the client printed"),)
        return unknown(CAUSE, "what the sender offered is not told", asks=asks)
    evidence = [
        saw(f"trial/{trial.id}", "sent_bps", round(sent)),
        saw(f"trial/{trial.id}", "streams", trial.spec.streams),
    ]
    default = _DEFAULT * trial.spec.streams
    if abs(sent - default) > _DIGITS * default:
        return clear(CAUSE, "it was not the default rate", evidence)
    return problem(
        CAUSE,
        "UDP was sent at the default of 1 Mbit/s a stream: say how much, -b 1G",
        evidence,
        end=view.sender.end,
        subject=engine.program,
        confidence=Confidence.HIGH,
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
