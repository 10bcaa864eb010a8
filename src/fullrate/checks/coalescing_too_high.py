"""The NIC delays its interrupts so long that the receive ring fills before the CPU hears of it.

rx-usecs is how long a received frame may wait for its interrupt, rx-frames after how many it comes at once
(Documentation/networking/ethtool-netlink.rst, COALESCE_GET). Frames at line rate times that delay must fit in the ring.
"""

from fullrate.checks._common import link_of
from fullrate.checks._overrun_why import judge
from fullrate.records.facts.ethtool import Coalescing
from fullrate.records.finding import Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.view import View

CAUSE = "coalescing-too-high"
_MODERATE = 50  # microseconds: 20,000 interrupts a second at most, and 41 frames of 10 Gbit/s


def diagnose(view: View) -> Finding:
    """Whether late interrupts overflow the receiver's ring in this direction."""
    return judge(view, CAUSE, _remedies)


def _remedies(view: View) -> tuple[Remedy, ...]:
    end, link = view.receiver, link_of(view.receiver)
    found = end.need(Coalescing, link).parameters["rx-usecs"]
    return (
        Remedy(
            knob="nic.coalesce.rx_usecs",
            subject=link,
            value=str(_MODERATE),
            end=end.end,
            commands=(f"ethtool -C {link} rx-usecs {_MODERATE}",),
            undo=(f"ethtool -C {link} rx-usecs {found}",),
            note="more interrupts cost CPU time; some drivers reset their queues",
        ),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, alone=True)
