"""How many receive queues a link has, and the verdict that one of them, or one CPU, takes all packets."""

from collections.abc import Iterable
from dataclasses import dataclass

from fullrate.checks._bus import offers_no
from fullrate.checks._common import UNTESTED, clear, measured, problem, saw
from fullrate.checks._receive import cpu_cost, limited
from fullrate.records.facts.ethtool import Channels
from fullrate.records.facts.queues import QueueCpus
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.view import EndView, View

_RECEIVE = "rx-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Queues:
    """Receive queues in use and the most there could be."""

    now: int
    most: int
    word: str  # ethtool's name for them
    evidence: Evidence


def receive_queues(end: EndView, link: str) -> Queues:
    """By the driver's channels; by the kernel's queues where the driver has none. Raises Missing."""
    channels = end.want(Channels, link)
    if channels is None:
        return _kernel_queues(end, link)
    word, now, most = "rx", channels.rx, channels.rx_max
    if channels.combined:
        word, now, most = "combined", channels.combined, channels.combined_max
    if not now:
        return _kernel_queues(end, link)
    most = max(most or 0, now)
    seen = saw(end.source_of(channels), f"{word} of its maximum", f"{now} of {most}")
    return Queues(now=now, most=most, word=word, evidence=seen)


def _kernel_queues(end: EndView, link: str) -> Queues:
    """A driver without channels has one queue for good; of one that was not asked, one may be a setting."""
    queues = receive_steering(end, link)
    if not queues or (len(queues) == 1 and not offers_no(end, Channels, link)):
        raise end.missing(Channels, link)
    seen = saw(end.source_of(queues[0]), "receive queues", len(queues))
    return Queues(now=len(queues), most=len(queues), word="rx", evidence=seen)


def receive_steering(end: EndView, link: str) -> tuple[QueueCpus, ...]:
    """The software steering of each receive queue."""
    return tuple(fact for fact in end.all(QueueCpus) if fact.subject == link and fact.queue.startswith(_RECEIVE))


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One queue or one CPU for all packets; `set_so`: a setting made it so, which is worth a word at no cost too."""

    cause: str
    words: str
    evidence: tuple[Evidence, ...]
    remedy: Remedy
    set_so: bool


def judge(view: View, claim: Claim) -> Finding:
    """What the one queue or the one CPU costs this direction."""
    end = view.receiver
    more = {"end": end.end, "subject": end.interface or ""}
    held = limited(view)
    if held is None and not claim.set_so:
        return clear(claim.cause, f"{claim.words}, at no cost", claim.evidence, **more)
    if held is None:
        cost = UNTESTED if view.alone else "at no cost here"
        return problem(claim.cause, f"{claim.words}, {cost}", claim.evidence, remedies=(claim.remedy,), **more)
    trial, load = held
    return problem(
        claim.cause,
        f"{claim.words}; CPU {load.cpu} is full with it while {trial.spec.streams} flows do not fill the link",
        (*claim.evidence, load.evidence, measured(trial)),
        confidence=Confidence.HIGH,
        costs_bps=cpu_cost(view, trial, load),
        remedies=(claim.remedy,),
        **more,
    )


def steering_remedy(view: View, queues: tuple[QueueCpus, ...], cpus: int) -> Remedy:
    """Spread the packets of these queues over all CPUs in software (RPS)."""
    end, link = view.receiver, view.receiver.interface or ""
    files = {queue: f"/sys/class/net/{link}/queues/{queue.queue}/rps_cpus" for queue in queues}
    mask = as_mask(range(cpus))
    return Remedy(
        knob="net.rps_cpus",
        subject=link,
        value=mask,
        end=end.end,
        commands=tuple(f"echo {mask} > {file}" for file in files.values()),
        undo=tuple(f"echo {as_mask(queue.rps_cpus)} > {file}" for queue, file in files.items()),
        note="receive packet steering costs an interrupt between CPUs; it spreads flows, never the packets of one",
    )


def as_mask(cpus: Iterable[int]) -> str:
    """A set of CPUs as the kernel reads it: hexadecimal words of 32 bits, the highest first."""
    bits = sum(1 << cpu for cpu in cpus)
    words = [f"{bits >> shift & 0xFFFFFFFF:08x}" for shift in range(0, max(bits.bit_length(), 1), 32)]
    return ",".join(reversed(words)).lstrip("0") or "0"
