"""Whether the one thread of an old iperf3 was the limit of a test of which only its output is known."""

from fullrate.checks._common import clear, measured, not_applicable, problem, rate, saw, unknown
from fullrate.checks._cpu import SATURATED
from fullrate.checks._told import ceiling_reached, older, outdone, program_share
from fullrate.records.ends import End
from fullrate.records.finding import Ask, Confidence, Evidence, Finding
from fullrate.records.goodput import FULL_SHARE
from fullrate.records.trial import EngineResult, Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import View

CAUSE = "iperf3-single-thread"
THREADED = (3, 16)
# What one thread carries at least on a server: 10 to 60 Gbit/s by its age (measured, and reports with 20 to 35). What
# stops below has more likely causes.
_ONE_THREAD: BitsPerSecond = 10e9
_WORTH_ASKING: BitsPerSecond = 1e9  # what is slower is seldom the thread's doing: others are to be asked first
_ASKS = (Ask(text="iperf3 --version on both ends"), Ask(text="the same test with -V: its CPU line decides"))
_WHY = "this iperf3 drives all {} streams with one thread, {}: take 3.16 or later, or several processes"


def judge_told(view: View, trial: Trial) -> Finding:
    """The finding by version, CPU line, retransmits and other programs' results, as far as they are told."""
    engine = trial.engine or EngineResult(program="")
    old, share = older(engine, THREADED), _busiest(trial)
    evidence = [*_seen(trial, engine, share), measured(trial)]
    if old is False:
        return not_applicable(CAUSE, "this iperf3 has a thread for each stream")
    if ceiling_reached(view, trial, FULL_SHARE) or 0 < share < SATURATED:
        return clear(CAUSE, "the one thread has time left, or fills the link", evidence, confidence=Confidence.MEDIUM)
    faster = outdone(view, trial)
    if faster is not None:
        evidence.append(measured(faster))
        sure = Confidence.HIGH if old else Confidence.MEDIUM
        return _problem(trial, "and another program carries more", evidence, sure)
    sign = _sign(trial, engine, share) if old else None
    if sign is not None:
        return _problem(trial, sign, evidence, Confidence.MEDIUM)
    asks = _ASKS if rate(trial) >= _WORTH_ASKING else ()
    return unknown(CAUSE, "its version, or how busy its thread was, is not told", evidence, asks=asks)


def _busiest(trial: Trial) -> float:
    """The larger share of a CPU that the program used on one of the ends; zero where none is told."""
    return max(program_share(trial, end) or 0.0 for end in End)


def _sign(trial: Trial, engine: EngineResult, share: float) -> str | None:
    """What points to the one thread of an old version; None when nothing does."""
    if share >= SATURATED:
        return "which is full"
    return "and nothing was lost on the way" if engine.retransmits == 0 and rate(trial) >= _ONE_THREAD else None


def _seen(trial: Trial, engine: EngineResult, share: float) -> list[Evidence]:
    told = engine.client_version or (f"before {engine.older_than}" if engine.older_than else None)
    known = {
        "version": told,
        "streams": trial.spec.streams,
        "retransmits": engine.retransmits,
        "CPU of the program": f"{share:.0%}" if share else None,
    }
    return [saw(f"trial/{trial.id}", field, value) for field, value in known.items() if value is not None]


def _problem(trial: Trial, why: str, evidence: list[Evidence], sure: Confidence) -> Finding:
    summary = _WHY.format(trial.spec.streams, why)
    return problem(CAUSE, summary, evidence, subject="iperf3", confidence=sure)
