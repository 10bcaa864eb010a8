"""The virtual machine's network link has one queue pair, so one CPU takes all packets, and it is full.

The hypervisor decides how many pairs there can be (virtio specification, 5.1.6.5.5, automatic receive steering), the
guest how many it uses: `ethtool -L`.
"""

from fullrate.checks._bus import is_virtual
from fullrate.checks._common import link_of, not_applicable
from fullrate.checks._one_queue import one_queue
from fullrate.checks._settings_glance import one_channel
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.finding import Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.view import View

CAUSE = "virtio-single-queue"


def diagnose(view: View) -> Finding:
    """Whether the only queue pair of the receiver's virtio link holds this direction back."""
    end, link = view.receiver, link_of(view.receiver)
    if is_virtual(end, link):
        return not_applicable(CAUSE, f"{link} is no device of a hypervisor", end=end.end, subject=link)
    if end.need(DriverInfo, link).driver != "virtio_net":
        return not_applicable(CAUSE, f"{link} is no virtio link", end=end.end, subject=link)
    return one_queue(view, CAUSE, hint="give the virtual machine more queue pairs: queues=N in the hypervisor")


def glance(view: View) -> Finding | None:
    """One queue in use where the driver allows more."""
    return one_channel(view, CAUSE, virtio=True)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, alone=True, glance=glance)
