"""The receiver's NIC has one receive queue, so one CPU takes all packets, and it is full.

Documentation/networking/scaling.rst, RSS and RPS: with several queues the NIC spreads flows over CPUs; with one the
kernel can (RPS). A virtio link with one queue is a case of its own (virtio-single-queue).
"""

from fullrate.checks._bus import is_virtual
from fullrate.checks._common import link_of, not_applicable
from fullrate.checks._one_queue import one_queue
from fullrate.checks._settings_glance import one_channel
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.finding import Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.view import View

CAUSE = "single-rx-queue"


def diagnose(view: View) -> Finding:
    """Whether the only receive queue of the receiver's NIC holds this direction back."""
    end, link = view.receiver, link_of(view.receiver)
    if is_virtual(end, link):
        return not_applicable(CAUSE, f"{link} is no physical link", end=end.end, subject=link)
    if end.need(DriverInfo, link).driver == "virtio_net":
        return not_applicable(CAUSE, f"{link} is a virtio link", end=end.end, subject=link)
    return one_queue(view, CAUSE, hint="this NIC has no second queue")


def glance(view: View) -> Finding | None:
    """One queue in use where the driver allows more."""
    return one_channel(view, CAUSE, virtio=False)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, alone=True, glance=glance)
