"""A bond's hash puts all of the test on one member, which is full.

A hashing bond keeps each flow on one member (Documentation/networking/bonding.rst, xmit_hash_policy), so one flow never
has more than one member's rate, and several flows may fall on the same. The members' own counters show it. What a host
receives, its peer or the switch has spread.
"""

from fullrate.checks._bonds import Member, bond_of, members
from fullrate.checks._common import (
    clear,
    is_full,
    link_of,
    measured,
    mtu,
    not_applicable,
    problem,
    rate,
    saw,
    version,
    worst,
)
from fullrate.checks._glance import again, suspect
from fullrate.checks._modes import gigabits
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.goodput import SPEEDS, link_goodput
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import EndView, View

CAUSE = "bond-hash-one-member"
_HASHING = {"balance-xor", "802.3ad", "balance-tlb", "balance-alb"}
_ONE = 0.9  # of the bytes of all members; the rest is other traffic and what the host says by itself
_FULL = 0.9  # of what the member can carry: with more room than that it is not the limit
_NARROW = {"layer2", "layer2+3", "vlan+srcmac"}  # policies that do not look at ports


def diagnose(view: View) -> Finding:
    """Whether one member of a bond caps this direction."""
    trial = view.want_trial() or view.want_trial("udp") or view.trial()
    return worst(lambda: _side(view, trial, view.sender), lambda: _side(view, trial, view.receiver))


def _side(view: View, trial: Trial, end: EndView) -> Finding:
    link, bond = link_of(end), bond_of(end)
    if bond is None or bond.mode not in _HASHING:
        return not_applicable(CAUSE, f"{link} is no bond that keeps flows apart by a hash", end=end.end, subject=link)
    found = members(view, trial, end, bond)
    total = sum(member.size for member in found)
    evidence = [*_evidence(end, bond, found), measured(trial)]
    if len(found) <= 1 or is_full(view, trial) or not total or found[0].size < _ONE * total:
        return clear(CAUSE, "the members share the load, or fill the link", evidence, end=end.end, subject=bond.subject)
    most = _carries(view, end, found)
    if rate(trial) < _FULL * most:
        return clear(CAUSE, f"{found[0].link} has room left", evidence, end=end.end, subject=bond.subject)
    flows = "the one flow" if trial.spec.streams == 1 else f"all {trial.spec.streams} flows"
    return problem(
        CAUSE,
        f"{flows} went by one of {len(found)} members of {bond.subject}: {found[0].link}, which is full",
        evidence,
        end=end.end,
        subject=bond.subject,
        confidence=Confidence.HIGH,
        costs_bps=view.ceiling - max(rate(trial), most),
        remedies=_remedies(view, end, bond),
    )


def _evidence(end: EndView, bond: Bond, found: tuple[Member, ...]) -> list[Evidence]:
    """The bond's mode and what each member carried."""
    mode = saw(end.source_of(bond), "mode, policy", f"{bond.mode} {bond.hash_policy or ''}".strip())
    return [mode, *(saw(member.source, f"{member.link}, bytes", f"+{member.size}") for member in found)]


def _carries(view: View, end: EndView, found: tuple[Member, ...]) -> BitsPerSecond:
    """The goodput of the busiest member; an equal part of the link where its speed is not told."""
    mode = end.want(LinkMode, found[0].link)
    if mode is None or not mode.speed:
        return view.ceiling / len(found)
    return min(view.ceiling, link_goodput(mode.speed, mtu(view), version=version(view)))


def _remedies(view: View, end: EndView, bond: Bond) -> tuple[Remedy, ...]:
    """Let ports decide too; only what is sent, and only where the policy found is known."""
    if end.end is not view.sender.end or bond.hash_policy not in _NARROW:
        return ()
    change = f"ip link set dev {bond.subject} type bond xmit_hash_policy"
    return (
        Remedy(
            knob="bond.xmit_hash_policy",
            subject=bond.subject,
            value="layer3+4",
            end=end.end,
            commands=(f"{change} layer3+4",),
            undo=(f"{change} {bond.hash_policy}",),
            note="spreads several flows, never a single one; the switch spreads the other direction by its own rule",
        ),
    )


_USUAL_MTU = 1500


def glance(view: View) -> Finding | None:
    """That a test which somebody showed got what one member carries, of a bond that keeps each flow on one."""
    bond = next((one for one in view.here.all(Bond) if one.mode in _HASHING), None)
    tests = [one for one in view.trials if one.spec.sends and one.spec.protocol == "tcp" and one.throughput]
    best = max(tests, key=rate, default=None)
    if bond is None or best is None:
        return None
    shown = {one.speed for one in view.here.all(LinkMode) if one.speed and one.subject != bond.subject}
    member = next((speed for speed in sorted(shown) or SPEEDS if _is_filled(speed, rate(best))), None)
    if member is None:
        return None
    seen = [saw(view.here.source_of(bond), "mode, policy", f"{bond.mode} {bond.hash_policy or ''}".strip())]
    words = f"the test got what one {gigabits(member)} member carries, and a bond ({bond.mode}) keeps each flow on one"
    asks = again(view, "ip -s link", "cat /proc/net/bonding/{link}")
    more = {"subject": bond.subject, "confidence": Confidence.LOW, "asks": asks}
    return suspect(view, CAUSE, words, [*seen, measured(best)], **more)


def _is_filled(speed: BitsPerSecond, measured_rate: BitsPerSecond) -> bool:
    return _FULL * link_goodput(speed, _USUAL_MTU) <= measured_rate <= speed


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
