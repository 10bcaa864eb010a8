"""BBR paces every connection by a timer of its own while a CPU of the sender is full.

BBR must pace. With fq the queue does it, without fq TCP sets a timer for every socket (net/ipv4/tcp_output.c,
tcp_pacing_check; net/ipv4/tcp_bbr.c says that fq is preferred). How much CPU that takes is not measured here, so this
is a hint at no stated cost beside the cause that names the full CPU.
"""

from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, saw, without_tcp
from fullrate.checks._cpu import SATURATED, busiest_cpu
from fullrate.checks._flow import connections
from fullrate.checks._qdiscs import queues
from fullrate.checks._tcp import congestion_controls
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import View

CAUSE = "bbr-pacing-cpu-cost"


def diagnose(view: View) -> Finding:
    """Whether pacing without fq loads a full CPU of the sender."""
    if without_tcp(view):
        return not_applicable(CAUSE, "only UDP was sent: TCP's pacing had no part in it")
    trial, end = view.trial(), view.sender
    names = congestion_controls(view, trial)
    window = view.window(trial, end)
    said = ", ".join(sorted(names))
    evidence = [saw(connections(window)[0].source, "congestion control", said), measured(trial)]
    if not any(name.startswith("bbr") for name in names):
        return clear(CAUSE, f"{said} does not have to pace", evidence, end=end.end)
    load = busiest_cpu(view, trial, end)
    evidence.append(saw(load.source, f"CPU {load.cpu} busy", f"{load.busy:.0%}"))
    if load.busy < SATURATED or is_full(view, trial):
        return clear(CAUSE, "the sender has CPU to spare", evidence, end=end.end)
    return _judge(view, trial, said, evidence)


def _judge(view: View, trial: Trial, said: str, evidence: list[Evidence]) -> Finding:
    end, found = view.sender, queues(view.window(trial, view.sender))
    kinds = sorted({delta.after.kind for delta in found})
    evidence.append(saw(found[0].source, "qdiscs", ", ".join(kinds)))
    if "fq" in kinds:
        return clear(CAUSE, "fq paces the connections", evidence, end=end.end)
    return problem(
        CAUSE,
        f"{said} paces by a timer of each connection, for {', '.join(kinds)} on {end.interface} cannot",
        evidence,
        end=end.end,
        subject=end.interface or "",
        confidence=Confidence.LOW,
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
