"""The NIC hangs on one memory node, the traffic program runs on another, and a CPU is full.

/sys/class/net/X/device/numa_node and local_cpulist name the near CPUs (Documentation/ABI/testing/sysfs-bus-pci).
Distance makes every byte dearer, how much differs from machine to machine: only a test on the near node can tell, so
no cost is claimed.
"""

from fullrate.checks._bus import file_of, is_virtual
from fullrate.checks._common import clear, is_full, link_of, measured, not_applicable, problem, saw, worst
from fullrate.checks._cpu import SATURATED, busiest_cpu
from fullrate.records.facts.bus import DevicePath
from fullrate.records.facts.cpu import ProcessTimes, Topology
from fullrate.records.finding import Ask, Confidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "numa-distance"


def diagnose(view: View) -> Finding:
    """Whether the traffic program of either end runs far from its NIC while a CPU is full."""
    return worst(lambda: _side(view, view.sender), lambda: _side(view, view.receiver))


def _side(view: View, end: EndView) -> Finding:
    link = link_of(end)
    if is_virtual(end, link):
        return not_applicable(CAUSE, f"{link} is no physical link", end=end.end, subject=link)
    path = end.need(DevicePath, link)
    if path.numa_node is None or not path.local_cpus or (end.need(Topology).numa_nodes or 1) == 1:
        return not_applicable(CAUSE, "the host has one memory node", end=end.end, subject=link)
    return _placed(view, view.trial(), end, path)


def _placed(view: View, trial: Trial, end: EndView, path: DevicePath) -> Finding:
    window = view.window(trial, end)
    programs = window.known(ProcessTimes)
    if not programs:
        raise end.missing(ProcessTimes)
    evidence = [
        saw(file_of(path, (path.pci or path.steps)[0], "numa_node"), "node", path.numa_node),
        *(saw(window.source_of(program), f"{program.name} ran on CPU", program.last_cpu) for program in programs),
    ]
    more = {"end": end.end, "subject": path.subject}
    if any(program.last_cpu in path.local_cpus for program in programs):
        return clear(CAUSE, f"the traffic program runs on the node of {path.subject}", evidence, **more)
    load = busiest_cpu(view, trial, end)
    evidence += [saw(load.source, f"CPU {load.cpu} busy", f"{load.busy:.0%}"), measured(trial)]
    if load.busy < SATURATED or is_full(view, trial):
        return clear(CAUSE, "the traffic program runs on another node than the NIC, at no cost", evidence, **more)
    near = ",".join(map(str, path.local_cpus))
    return problem(
        CAUSE,
        f"the traffic program runs far from node {path.numa_node} of {path.subject}, and CPU {load.cpu} is full",
        evidence,
        confidence=Confidence.LOW,
        asks=(Ask(text=f"run the test again on the near CPUs: taskset -c {near} ...", end=end.end),),
        **more,
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC)
