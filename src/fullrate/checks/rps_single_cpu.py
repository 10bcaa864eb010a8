"""Receive packet steering sends all packets to one CPU, and that CPU is full.

rps_cpus of each receive queue is a mask of CPUs (Documentation/networking/scaling.rst, RPS); zero, the default,
switches it off. A mask with one CPU moves the work there and spreads nothing. One flow is never spread, so only several
that are held back together show that the mask costs anything.
"""

from fullrate.checks._common import clear, link_of, measured, problem, saw
from fullrate.checks._glance import again, suspect
from fullrate.checks._queues import receive_steering, steering_remedy
from fullrate.checks._receive import cpu_cost, limited
from fullrate.records.facts.cpu import Topology
from fullrate.records.facts.queues import QueueCpus
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.view import View

CAUSE = "rps-single-cpu"


def diagnose(view: View) -> Finding:
    """Whether the receiver steers all packets of this direction to one CPU that is full."""
    end, link = view.receiver, link_of(view.receiver)
    queues = receive_steering(end, link)
    if not queues:
        raise end.missing(QueueCpus, link)
    more = {"end": end.end, "subject": link}
    masks = {queue.rps_cpus for queue in queues}
    evidence = [saw(end.source_of(queue), f"{queue.queue} rps_cpus", _words(queue)) for queue in queues]
    cpus = {cpu for mask in masks for cpu in mask}
    if len(cpus) != 1 or () in masks:
        words = "receive packet steering is off" if masks == {()} else f"it uses more than CPU {min(cpus)}"
        return clear(CAUSE, words, evidence, **more)
    return _judge(view, min(cpus), queues, evidence)


def _judge(view: View, cpu: int, queues: tuple[QueueCpus, ...], evidence: list[Evidence]) -> Finding:
    end, link = view.receiver, link_of(view.receiver)
    more = {"end": end.end, "subject": link}
    held = limited(view)
    if held is None or held[1].cpu != str(cpu):
        return clear(CAUSE, f"packets are steered to CPU {cpu} alone, at no cost", evidence, **more)
    trial, load = held
    return problem(
        CAUSE,
        f"all packets of {link} are steered to CPU {cpu}: full with it, while {trial.spec.streams} flows do not fill"
        " the link",
        [*evidence, load.evidence, measured(trial)],
        confidence=Confidence.HIGH,
        costs_bps=cpu_cost(view, trial, load),
        remedies=(steering_remedy(view, queues, end.need(Topology).cpus),),
        **more,
    )


def _words(queue: QueueCpus) -> str:
    return ",".join(map(str, queue.rps_cpus)) or "none"


def glance(view: View) -> Finding | None:
    """A mask of one CPU for every receive queue shown, on a host that has more."""
    link = view.here.interface or ""
    queues = receive_steering(view.here, link)
    cpus = {cpu for queue in queues for cpu in queue.rps_cpus}
    topology = view.here.want(Topology)
    if len(cpus) != 1 or any(not queue.rps_cpus for queue in queues) or (topology and topology.cpus == 1):
        return None
    seen = [saw(view.here.source_of(queue), f"{queue.queue} rps_cpus", _words(queue)) for queue in queues]
    words = f"all packets of {link} are steered to CPU {min(cpus)}"
    return suspect(view, CAUSE, words, seen, asks=again(view, "mpstat -P ALL 1", "nproc"))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, glance=glance)
