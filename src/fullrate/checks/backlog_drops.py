"""The queue of packets that wait for a CPU overflows: net.core.netdev_max_backlog is too short for the bursts.

Packets that RPS hands to another CPU, and those of loopback, veth and tun, wait in a queue of that CPU; beyond the
limit they are dropped and counted in the second column of softnet_stat (net/core/dev.c, enqueue_to_backlog). A NIC that
polls without RPS does not pass this queue.
"""

from collections.abc import Callable, Mapping

from fullrate.checks._common import clear, is_full, measured, problem, saw
from fullrate.checks._cores import main_trial
from fullrate.checks._cpu import one_kernel
from fullrate.checks._glance import BOOT, NOTABLE, TWICE, again, suspect
from fullrate.checks._received import MATTERS, drops_cost
from fullrate.records.facts.cpu import ProcessPlacement, Softnet
from fullrate.records.facts.net import Sysctl
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.snapshot import Delta, increase
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "backlog-drops"
_KEY = "net.core.netdev_max_backlog"
_LONGER = 10  # times the length found: 1000 becomes what the kernel's own advice for 10 Gbit/s and more uses


def diagnose(view: View) -> Finding:
    """Whether packets of this direction overflow a CPU's input queue."""
    trial, end = main_trial(view), view.receiver
    deltas = view.window(trial, end).deltas(Softnet)
    if not deltas:
        raise end.missing(Softnet)
    dropped = sum(map(_dropped, deltas))
    if dropped and one_kernel(view):
        dropped = sum(_dropped(delta) for delta in deltas if delta.after.subject in _own(view, trial, end))
    evidence = [saw(deltas[0].source, "dropped, column 2", f"+{dropped}"), measured(trial)]
    if not dropped or is_full(view, trial):
        return clear(CAUSE, "no input queue overflowed, or it cost nothing", evidence, end=end.end)
    return _judge(view, trial, dropped, evidence)


def _dropped(delta: Delta[Softnet]) -> int:
    return increase(delta.before.dropped, delta.after.dropped) or 0


def _own(view: View, trial: Trial, end: EndView) -> set[str]:
    placed = view.window(trial, end).known(ProcessPlacement)
    if not placed:
        raise end.missing(ProcessPlacement)
    return {str(cpu) for placement in placed for cpu in placement.cpus_allowed}


def _judge(view: View, trial: Trial, dropped: int, evidence: list[Evidence]) -> Finding:
    end, price = view.receiver, drops_cost(view, trial, dropped)
    if price < MATTERS * view.ceiling:
        return clear(CAUSE, f"{dropped} packets overflowed an input queue, at no cost", evidence, end=end.end)
    setting = end.need(Sysctl, _KEY)
    evidence.append(saw(end.source_of(setting), _KEY, setting.value))
    return problem(
        CAUSE,
        f"{dropped} packets found the input queue of their CPU full ({setting.value} packets)",
        evidence,
        end=end.end,
        subject=_KEY,
        confidence=Confidence.HIGH,
        costs_bps=price,
        remedies=(_remedy(end, setting),),
    )


def _remedy(end: EndView, setting: Sysctl) -> Remedy:
    if not setting.numbers:
        raise end.missing(Sysctl, _KEY)
    longer = setting.numbers[0] * _LONGER
    return Remedy(
        knob=f"sysctl.{_KEY}",
        subject=_KEY,
        value=str(longer),
        end=end.end,
        commands=(f"sysctl -w {_KEY}={longer}",),
        undo=(f"sysctl -w {_KEY}={setting.value}",),
        note="a longer queue takes bursts; where its CPU is full all the time it only adds delay",
    )


def glance(view: View) -> Finding | None:
    """The packets that the host counts as dropped from its backlog."""
    rows = view.here.all(Softnet)
    last = {one.subject: one for one in rows}
    twice = len(rows) > len(last)
    first = {one.subject: one for one in reversed(rows)} if twice else {}
    dropped = _counted(first, last, lambda one: one.dropped)
    handled = _counted(first, last, lambda one: one.processed)
    if not dropped or dropped < NOTABLE * handled:
        return None
    when = TWICE if twice else BOOT
    seen = [saw(view.here.source_of(rows[-1]), f"dropped, processed, {when}", f"{dropped}, {handled}")]
    words = f"{dropped:,} packets were dropped from the queues before the CPUs (softnet_stat), {when}"
    return suspect(view, CAUSE, words, seen, subject=_KEY, asks=again(view, "cat /proc/net/softnet_stat"))


def _counted(first: Mapping[str, Softnet], last: Mapping[str, Softnet], of: Callable[[Softnet], int]) -> int:
    """How much a counter of all CPUs grew since the first reading; since boot where there is none."""
    return sum(increase(of(first[cpu]) if cpu in first else 0, of(one)) or 0 for cpu, one in last.items())


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
