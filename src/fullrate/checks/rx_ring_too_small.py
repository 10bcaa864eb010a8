"""Bursts overflow the receive ring while the CPU that empties it has room, and the driver allows a larger one.

A larger ring holds a longer burst. It helps only where the CPU keeps up on average: with a full CPU it merely delays
the loss. `ethtool -g` shows the ring and its limit (Documentation/networking/ethtool-netlink.rst, RINGS_GET).
"""

from fullrate.checks._common import link_of, saw
from fullrate.checks._cpu import SATURATED
from fullrate.checks._glance import again, latest, suspect
from fullrate.checks._overrun_glance import overruns
from fullrate.checks._overrun_why import judge
from fullrate.records.facts.ethtool import Rings
from fullrate.records.facts.processor import CpuShares
from fullrate.records.finding import Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.view import View

CAUSE = "rx-ring-too-small"
_GROW = 4  # times what was found: enough to tell whether it helps, and no more memory and latency than that


def diagnose(view: View) -> Finding:
    """Whether the receive ring is too small for this direction's bursts."""
    return judge(view, CAUSE, _remedies)


def _remedies(view: View) -> tuple[Remedy, ...]:
    end, link = view.receiver, link_of(view.receiver)
    rings = end.need(Rings, link)
    found, most = rings.rx or 0, rings.rx_max or 0
    size = min(most, found * _GROW)
    return (
        Remedy(
            knob="nic.ring.rx",
            subject=link,
            value=str(size),
            end=end.end,
            commands=(f"ethtool -G {link} rx {size}",),
            undo=(f"ethtool -G {link} rx {found}",),
            note="many drivers stop the link for a moment; read back with ethtool -g, some round the number",
        ),
    )


def glance(view: View) -> Finding | None:
    """Discards of a ring that could be larger, unless a CPU was seen full: then a ring only delays the loss."""
    found, rings = overruns(view), latest(view, Rings)
    full = any(one.subject and one.busy >= SATURATED for one in view.here.all(CpuShares))
    if found is None or rings is None or rings.rx is None or rings.rx_max is None or rings.rx >= rings.rx_max or full:
        return None
    seen = saw(view.here.source_of(rings), "rx of rx_max", f"{rings.rx} of {rings.rx_max}")
    words = f"{rings.subject} {found.words}; its ring holds {rings.rx} of at most {rings.rx_max}"
    asks = again(view, "ethtool -S {link}", "mpstat -P ALL 1")
    return suspect(view, CAUSE, words, (seen, *found.evidence), asks=asks)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, alone=True, glance=glance)
