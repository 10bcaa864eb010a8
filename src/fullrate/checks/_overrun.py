"""Frames that the receiver's NIC discarded during a trial, and whether that matters."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from fullrate.checks._common import growth, is_full, link_delta, link_of, measured, rate, saw
from fullrate.checks._loss import cost, loss
from fullrate.checks._receive import ReceiveLoad, main_trial, receive_load
from fullrate.records.facts.ethtool import DriverInfo, NicCounters
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.queues import ReceiveDrops
from fullrate.records.finding import Evidence
from fullrate.records.recipe import matching
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import View

_NOTABLE = 0.0001  # of the frames: the project's bar for a loss worth a word (design.md, "Full")
_MATTERS = 0.02  # of the ceiling: what a full link may lack


class State(StrEnum):
    """What the discards mean."""

    NONE = "the NIC discarded nothing worth a word"
    HARMLESS = "the NIC discards frames, and the link is full or could be in spite of it"
    CPU = "the NIC discards frames because the CPU that takes them is full"
    OPEN = "the NIC discards frames while the CPU that takes them has room"


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrun:
    """The discards of one trial and what they cost."""

    trial: Trial
    state: State
    frames: int
    received: int
    load: ReceiveLoad | None
    price: BitsPerSecond
    evidence: tuple[Evidence, ...]

    @property
    def acts(self) -> bool:
        """Whether the discards hold the flow back."""
        return self.state in {State.CPU, State.OPEN}


def overrun(view: View) -> Overrun:
    """What the receiver's NIC discarded in this direction. Raises Missing."""
    trial = main_trial(view)
    frames, evidence = _discards(view, trial)
    delta = link_delta(view, trial, view.receiver)
    received = growth(view.receiver, LinkCounters, delta.before.rx_packets, delta.after.rx_packets)
    ratio = frames / max(1, frames + received)
    evidence += [saw(delta.source, "frames received", f"+{received}"), measured(trial)]
    load, price, state = None, 0.0, State.NONE
    if ratio >= _NOTABLE:
        load = receive_load(view, trial)
        evidence.append(load.evidence)
        price = 0.0 if view.alone else _price(view, trial, ratio)
        state = _state(view, trial, load, price)
    return Overrun(
        trial=trial,
        state=state,
        frames=frames,
        received=received,
        load=load,
        price=price if state is State.OPEN else 0.0,
        evidence=tuple(evidence),
    )


def _state(view: View, trial: Trial, load: ReceiveLoad, price: BitsPerSecond) -> State:
    if not view.alone and (is_full(view, trial) or price < _MATTERS * view.ceiling):
        return State.HARMLESS
    return State.CPU if load.saturated else State.OPEN


def _price(view: View, trial: Trial, ratio: float) -> BitsPerSecond:
    """TCP: what this loss takes, and no more of it than was sent again; UDP: what was discarded."""
    if trial.spec.protocol == "udp":
        return min(max(0.0, view.ceiling - rate(trial)), rate(trial) * ratio / (1 - ratio))
    found = loss(view, trial)
    return cost(view, trial, found, min(ratio, found.ratio))


def _discards(view: View, trial: Trial) -> tuple[int, list[Evidence]]:
    """By the kernel's counters; by the driver's own where those stand still. Raises Missing."""
    end = view.receiver
    delta = view.window(trial, end).need(ReceiveDrops, link_of(end))
    grown = {
        name: growth(end, ReceiveDrops, getattr(delta.before, name), getattr(delta.after, name))
        for name in ("missed", "fifo", "over")
        if getattr(delta.after, name) is not None
    }
    if not grown:
        raise end.missing(ReceiveDrops, end.interface)
    evidence = [saw(delta.source, f"rx_{name}_errors", f"+{number}") for name, number in grown.items()]
    end.need(DriverInfo, link_of(end))
    recipe = view.recipe(end)
    names = (*recipe.ring_full, *recipe.bus_slow) if recipe else ()
    own, more = driver_counters(view, trial, names) if names else (0, [])
    return max(grown.values()) or own, [*evidence, *more]


def driver_counters(view: View, trial: Trial, patterns: Iterable[str]) -> tuple[int, list[Evidence]]:
    """How much the receiver's driver counters of these names grew together, and which did. Raises Missing."""
    end = view.receiver
    delta = view.window(trial, end).need(NicCounters, link_of(end))
    before, after = delta.before.counters, delta.after.counters
    grown = {name: growth(end, NicCounters, before.get(name), after[name]) for name in matching(after, patterns)}
    return sum(grown.values()), [saw(delta.source, name, f"+{number}") for name, number in grown.items() if number]
