"""One partner of the link speaks half duplex, the other full: collisions and damaged frames under load.

A partner that is forced does not negotiate, and the end that finds no negotiation falls back to half duplex (IEEE
802.3, clause 28.2.3.1, parallel detection). The half-duplex side counts late collisions. Nothing runs half duplex at
1 Gbit/s and above: a driver that says so (cdc_ncm) does not know.
"""

from dataclasses import replace

from fullrate.checks._common import clear, growth, is_full, link_of, measured, problem, saw
from fullrate.checks._glance import again, counters, grown, latest, suspect
from fullrate.checks._phy import loss_cost, on_wires
from fullrate.records.facts.ethtool import LinkMode, NicCounters
from fullrate.records.facts.link import LinkCounters
from fullrate.records.finding import Confidence, Evidence, Finding, Judgement, Remedy
from fullrate.records.leaf import Check
from fullrate.records.recipe import matching
from fullrate.records.snapshot import increase
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "duplex-mismatch"
_FAST_ETHERNET = 100e6  # the fastest that anything runs at half duplex
# a collision after the first 512 bits: only a partner that does not listen makes one; igb, e1000e, tg3, stmmac, r8125
_LATE = ("tx_abort_late_coll", "tx_late_collisions", "tx_late_collision", "tx_window_errors")


def diagnose(view: View) -> Finding:
    """Whether the sender's link talks while its partner does, or does not hear that it does."""
    return on_wires(view, CAUSE, view.sender, lambda end: _wire(view, end))


def _wire(view: View, end: EndView) -> Finding:
    mode = end.need(LinkMode, link_of(end))
    if mode.duplex is None:
        raise end.missing(LinkMode, link_of(end))
    evidence = [saw(end.source_of(mode), "Duplex", mode.duplex)]
    if mode.duplex != "Half":
        return clear(CAUSE, "full duplex", evidence, end=end.end, subject=mode.subject)
    if mode.speed is None or mode.speed > _FAST_ETHERNET:
        why = "the driver says half duplex, which this speed does not have: a placeholder"
        return clear(CAUSE, why, evidence, end=end.end, subject=mode.subject, confidence=Confidence.MEDIUM)
    return _half(view, end, mode, evidence)


def _half(view: View, end: EndView, mode: LinkMode, evidence: list[Evidence]) -> Finding:
    trial = view.want_trial()
    late = 0 if trial is None else _late(view, trial, end, evidence)
    costs = 0.0
    if trial is not None and not is_full(view, trial):
        evidence.append(measured(trial))
        costs = loss_cost(view, trial, _share(view, trial, end, late))
    return problem(
        CAUSE,
        f"{mode.subject} runs at half duplex" + (f"; {late} late collisions: its partner does not" if late else ""),
        evidence,
        end=end.end,
        subject=mode.subject,
        confidence=Confidence.HIGH if late else Confidence.MEDIUM,
        costs_bps=costs,
        remedies=(_remedy(end, mode),),
    )


def _late(view: View, trial: Trial, end: EndView, evidence: list[Evidence]) -> int:
    delta = view.window(trial, end).want(NicCounters, link_of(end))
    if delta is None:
        return 0
    before, after = delta.before.counters, delta.after.counters
    rows = {name: growth(end, NicCounters, before.get(name), after[name]) for name in matching(after, _LATE)}
    evidence += [saw(delta.source, name, f"+{grown}") for name, grown in rows.items()]
    return max(rows.values(), default=0)


def _share(view: View, trial: Trial, end: EndView, late: int) -> float:
    delta = view.window(trial, end).want(LinkCounters, link_of(end))
    sent = 0 if delta is None else increase(delta.before.tx_packets, delta.after.tx_packets) or 0
    return late / (sent + late) if late else 0.0


def _remedy(end: EndView, mode: LinkMode) -> Remedy:
    link, speed = mode.subject, (mode.speed or 0.0) / 1e6
    forced = mode.autonegotiation is False
    return Remedy(
        knob="link.autonegotiation",
        subject=link,
        value="on",
        end=end.end,
        commands=(f"ethtool -s {link} autoneg on",) if forced else (),
        undo=(f"ethtool -s {link} speed {speed:.0f} duplex half autoneg off",) if forced else (),
        note="both partners must negotiate: the port behind it too; the link drops for seconds",
    )


# The drivers' names, and the kernel's (igb, e1000e, r8169, tg3, stmmac, bcmgenet)
_COLLIDED = ("collisions", "tx_*collisions", "*_late_coll*", "tx_total_col*")
_MANY = 1000  # since boot, and of the frames sent at least
_NOTABLE = 0.001


def glance(view: View) -> Finding | None:
    """The same, of a link that nobody listed; or collisions, which a link of full duplex does not have."""
    mode = latest(view, LinkMode)
    unknown = mode is None or mode.link_detected is False or mode.is_start
    found = None if unknown else _wire(replace(view, trials=()), view.here)
    return found if found is not None and found.verdict is Judgement.PROBLEM else _collided(view) or found


def _collided(view: View) -> Finding | None:
    known = counters(view)
    most = max(grown(known, _COLLIDED), key=lambda one: (one.twice, one.value), default=None)
    sent = known.get("tx_packets")
    if most is None or most.value < max(_MANY, _NOTABLE * sent.value if sent else 0):
        return None
    words = f"{most.value:,} collisions ({most.name}), {most.when}: full duplex has none, so the link runs at half"
    seen = [most.evidence, *([sent.evidence] if sent else [])]
    return suspect(view, CAUSE, words, seen, asks=again(view, "ethtool {link}", "ethtool -S {link}"))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, alone=True, glance=glance)
