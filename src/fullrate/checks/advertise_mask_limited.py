"""A speed that both partners support is not offered by this end: its advertisement, or a forced speed, is the limit.

Autonegotiation picks the best of what both ends advertise (IEEE 802.3, clause 28); `ethtool IFNAME` shows what this end
supports and advertises and, for most drivers of copper ports, what the partner advertises.
"""

from fullrate.checks._common import clear, link_of, not_applicable, problem, saw, unknown
from fullrate.checks._glance import latest
from fullrate.checks._modes import best_unadvertised, fastest, gigabits, lower_rate_cost
from fullrate.checks._phy import on_wires
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.finding import Ask, Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

CAUSE = "advertise-mask-limited"
_COPPER = {"Twisted Pair", "MII"}  # fibre and direct attach often run without autonegotiation


def diagnose(view: View) -> Finding:
    """Whether this end keeps a mode to itself that the link could run at."""
    return on_wires(view, CAUSE, view.here, lambda end: _wire(view, end))


def _wire(view: View, end: EndView) -> Finding:
    mode = end.need(LinkMode, link_of(end))
    able = fastest(mode.supported)
    if able is None:
        return not_applicable(CAUSE, f"the driver of {mode.subject} lists no link modes", end=end.end)
    evidence = _evidence(end, mode)
    if _is_forced(mode, able):
        return _forced(view, end, mode, evidence)
    hidden = best_unadvertised(mode)
    if hidden:
        return _hidden(view, end, mode, hidden, evidence)
    if mode.autonegotiation and not mode.partner_advertised and (fastest(mode.advertised) or able) < able:
        ask = Ask(text=f"what can the port behind {mode.subject} do?", end=end.end)
        why = f"{mode.subject} does not offer {gigabits(able)}; whether its partner could is not shown"
        return unknown(CAUSE, why, evidence, asks=(ask,), end=end.end, subject=mode.subject)
    return clear(CAUSE, "every mode that both ends support is offered", evidence, end=end.end, subject=mode.subject)


def _is_forced(mode: LinkMode, able: BitsPerSecond) -> bool:
    slower = mode.speed is not None and mode.speed < able
    return slower and mode.autonegotiation is False and mode.port in _COPPER


def _evidence(end: EndView, mode: LinkMode) -> list[Evidence]:
    source = end.source_of(mode)
    return [
        saw(source, "Supported link modes", " ".join(mode.supported)),
        saw(source, "Advertised link modes", " ".join(mode.advertised) or "none"),
        saw(source, "Link partner advertised link modes", " ".join(mode.partner_advertised) or "not shown"),
    ]


def _hidden(view: View, end: EndView, mode: LinkMode, hidden: str, evidence: list[Evidence]) -> Finding:
    link = mode.subject
    remedy = Remedy(
        knob="link.advertise",
        subject=link,
        value=f"{hidden} on",
        end=end.end,
        commands=(f"ethtool -s {link} advertise {hidden} on",),
        undo=(f"ethtool -s {link} advertise {hidden} off",),
        note="renegotiates: the link drops for seconds. Someone or a driver's default left it out: look for the reason",
    )
    return problem(
        CAUSE,
        f"{link} does not offer {hidden}, which both ends support",
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.HIGH,
        costs_bps=lower_rate_cost(view, mode.speed or 0.0),
        remedies=(remedy,),
    )


def _forced(view: View, end: EndView, mode: LinkMode, evidence: list[Evidence]) -> Finding:
    link, speed = mode.subject, mode.speed or 0.0
    evidence.append(saw(end.source_of(mode), "Auto-negotiation", "off"))
    remedy = Remedy(
        knob="link.autonegotiation",
        subject=link,
        value="on",
        end=end.end,
        commands=(f"ethtool -s {link} autoneg on",),
        undo=(f"ethtool -s {link} speed {speed / 1e6:.0f} duplex {(mode.duplex or 'full').lower()} autoneg off",),
        note="renegotiates: the link drops for seconds. With a partner that is forced as well, change both",
    )
    return problem(
        CAUSE,
        f"{link} is forced to {gigabits(speed)}; it could do {gigabits(fastest(mode.supported) or 0.0)}",
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.MEDIUM,
        costs_bps=lower_rate_cost(view, speed),
        remedies=(remedy,),
    )


def glance(view: View) -> Finding | None:
    """The same, of a link that nobody listed."""
    return None if latest(view, LinkMode) is None else _wire(view, view.here)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=glance)
