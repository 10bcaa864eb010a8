"""Where the time of CPUs went on a screen of top or mpstat that somebody showed; when it was taken is not told."""

import re

from fullrate.checks._common import saw
from fullrate.checks._cpu import SATURATED
from fullrate.checks._glance import again, suspect
from fullrate.checks._kinds import MOSTLY, STEAL
from fullrate.records.facts.cpu import Topology
from fullrate.records.facts.processor import CpuShares, ProcessShare
from fullrate.records.finding import Ask, Evidence, Finding
from fullrate.records.view import View

_ALL = 0.95  # of the time of all CPUs together
_DAEMON = re.compile(r"\[?ksoftirqd/(\d+)\]?")
# Of its CPU. The kernel hands softirqs to this thread only when they do not end (Documentation/networking/scaling.rst
# and kernel/softirq.c, __do_softirq): interrupts and the softirqs handled in them take the rest.
_FILLS = 0.8
_SHOWN = "on the screen that was shown"


def _evidence(view: View, one: CpuShares) -> Evidence:
    parts = ((one.softirq, "softirq"), (one.system, "system"), (one.user, "user"), (one.steal, "steal"))
    words = ", ".join(f"{name} {share:.0%}" for share, name in parts if share is not None)
    return saw(
        view.here.source_of(one), f"CPU {one.subject or 'all'} busy", f"{one.busy:.0%}" + f": {words}" * bool(words)
    )


def softirq_core(view: View, cause: str) -> Finding | None:
    """One CPU that softirqs fill while another has room; of the last screen of each CPU."""
    cores = list({one.subject: one for one in view.here.all(CpuShares) if one.subject}.values())
    full = [one for one in cores if one.busy >= SATURATED and (one.softirq or 0.0) >= MOSTLY * one.busy]
    if len(full) != 1:
        return None if full else _softirq_thread(view, cause)
    seen = [_evidence(view, one) for one in (full[0], *(one for one in cores if one is not full[0]))]
    words = f"softirqs fill CPU {full[0].subject}{' alone' if len(cores) > 1 else ''}, {_SHOWN}"
    return suspect(view, cause, words, seen, subject=f"cpu{full[0].subject}", asks=_asks(view))


def _softirq_thread(view: View, cause: str) -> Finding | None:
    """The one kernel thread that takes over softirqs and fills its CPU, where each CPU's time is not shown."""
    shown = [(one, _DAEMON.fullmatch(one.name)) for one in view.here.all(ProcessShare)]
    threads = {found[1]: one for one, found in shown if found}
    full = [(cpu, one) for cpu, one in threads.items() if one.share >= _FILLS]
    if len(full) != 1:
        return None
    cpu, busiest = full[0]
    seen = [saw(view.here.source_of(one), one.name, f"{one.share:.0%} of a CPU") for one in threads.values()]
    words = f"softirqs fill CPU {cpu}: {busiest.name} takes {busiest.share:.0%} of it, {_SHOWN}"
    return suspect(view, cause, words, seen, subject=f"cpu{cpu}", asks=_asks(view))


def _together(view: View) -> CpuShares | None:
    """The newest line of all CPUs."""
    return next((one for one in reversed(view.here.all(CpuShares)) if not one.subject), None)


def busy_host(view: View, cause: str) -> Finding | None:
    """All CPUs together full, with the kernel's work rather than a program's, or the only CPU."""
    newest = _together(view)
    if newest is None or newest.busy < _ALL or (newest.steal or 0.0) >= STEAL:
        return None
    kernel = (newest.softirq or 0.0) + (newest.system or 0.0)
    topology = view.here.want(Topology)
    if kernel < newest.busy / 2 and (topology is None or topology.cpus > 1):
        return None
    words = f"the CPUs of this host are full, {kernel:.0%} of their time with the kernel's work, {_SHOWN}"
    return suspect(view, cause, words, [_evidence(view, newest)], subject="", asks=_asks(view))


def stolen(view: View, cause: str) -> Finding | None:
    """A CPU of which the hypervisor takes a notable share."""
    found = [one for one in view.here.all(CpuShares) if (one.steal or 0.0) >= STEAL]
    if not found:
        return None
    most = max(found, key=lambda one: one.steal or 0.0)
    words = f"the hypervisor took {most.steal or 0.0:.0%} of CPU {most.subject or 'time'} away, {_SHOWN}"
    return suspect(view, cause, words, [_evidence(view, most)], subject="", asks=_asks(view))


def _asks(view: View) -> tuple[Ask, ...]:
    return again(view, "mpstat -P ALL 1 5", "perf top -g")
