"""iperf3 before 3.16 drives all streams with one thread, and that thread fills a CPU.

Since 3.16 each stream of -P has a thread (its RELEASE_NOTES.md, pull request 1591); before, -P adds connections but no
CPU.
"""

from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, rate, saw
from fullrate.checks._cpu import SATURATED, cpu_loads
from fullrate.checks._told_threads import CAUSE, THREADED, judge_told
from fullrate.checks._work import Work, program_work
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.parsing import version_numbers
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

_PROGRAM = "iperf3"


def diagnose(view: View) -> Finding:
    """Whether one thread of an old iperf3 carries several streams and fills a CPU."""
    trial = _several(view)
    if trial is None:
        view.trial()
        return not_applicable(CAUSE, "a single stream was sent: one thread is what it needs")
    if trial.engine is not None and trial.engine.program != _PROGRAM:
        return not_applicable(CAUSE, "another program than iperf3 made the traffic")
    if trial.told:
        return judge_told(view, trial)
    ends = [end for end in (view.sender, view.receiver) if _version(end) < THREADED]
    if not ends:
        return not_applicable(CAUSE, "both ends have an iperf3 with a thread for each stream")
    work = [(end, program_work(view.window(trial, end))[0]) for end in ends]
    end, thread = max(work, key=lambda pair: pair[1].share)
    evidence = [
        saw(thread.source, f"thread {thread.tid} {thread.name}", f"{thread.share:.0%} of CPU {thread.cpu}"),
        saw(end.source_of(end.need(ProgramVersion, _PROGRAM)), "version", end.need(ProgramVersion, _PROGRAM).version),
        measured(trial),
    ]
    if thread.share < SATURATED or is_full(view, trial):
        return clear(CAUSE, "the one thread of an old iperf3 has time left, or fills the link", evidence, end=end.end)
    return problem(
        CAUSE,
        f"this iperf3 drives all {trial.spec.streams} streams with one thread, which is full: take 3.16 or later",
        evidence,
        end=end.end,
        subject=_PROGRAM,
        confidence=Confidence.HIGH,
        costs_bps=_cost(view, trial, end, thread),
    )


def _several(view: View) -> Trial | None:
    """The newest measured trial of this direction with several streams; of other programs none."""
    found = [
        trial
        for trial in view.trials
        if trial.spec.direction is view.direction and trial.spec.streams > 1 and trial.throughput is not None
        if not trial.told or (trial.engine is not None and trial.engine.program == _PROGRAM)
    ]
    return found[-1] if found else None


def _version(end: EndView) -> tuple[int, ...]:
    """Numbers of a version such as 3.12 or 3.17.1+. Raises Missing when there are none."""
    numbers = version_numbers(end.need(ProgramVersion, _PROGRAM).version)
    if not numbers:
        raise end.missing(ProgramVersion, _PROGRAM)
    return numbers


def _cost(view: View, trial: Trial, end: EndView, thread: Work) -> BitsPerSecond:
    """What as many threads as streams and CPUs would carry."""
    cpus = len(cpu_loads(view.window(trial, end))) or 1
    return min(view.ceiling, rate(trial) / thread.share * min(trial.spec.streams, cpus)) - rate(trial)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
