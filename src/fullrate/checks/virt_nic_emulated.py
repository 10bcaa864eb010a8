"""The virtual machine's NIC imitates real hardware, where a paravirtual one would cost the host far less.

Every access to a register of an imitated NIC stops the guest; virtio and its like exchange buffers in memory
(virtio specification, 1). What that costs depends on the host, so none is claimed here.
"""

from fullrate.checks._bus import is_virtual
from fullrate.checks._common import clear, link_of, not_applicable, problem, saw
from fullrate.checks._imitated import imitated
from fullrate.records.facts.cpu import Topology
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.finding import Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.view import EndView, View

CAUSE = "virt-nic-emulated"


def diagnose(view: View) -> Finding:
    """Whether a hypervisor imitates this link's NIC."""
    end, link = view.here, link_of(view.here)
    if is_virtual(end, link):
        return not_applicable(CAUSE, f"{link} is no device", subject=link)
    driver, topology = end.need(DriverInfo, link), end.need(Topology)
    evidence = [
        saw(end.source_of(driver), "driver", driver.driver),
        saw(end.source_of(topology), "hypervisor", topology.hypervisor or "none"),
    ]
    recipe = view.recipe(end)
    if topology.hypervisor is None or recipe is None or not recipe.emulated:
        return clear(CAUSE, f"{link} is not known for an imitated NIC", evidence, subject=link)
    words = f"{topology.hypervisor} imitates the NIC of {link} ({driver.driver}); its price is not measured here"
    return problem(CAUSE, words, evidence, subject=link, remedies=(_remedy(end, link),))


def _remedy(end: EndView, link: str) -> Remedy:
    return Remedy(
        knob="vm.nic_model",
        subject=link,
        value="a paravirtual NIC",
        end=end.end,
        commands=(),
        undo=(),
        note="set in the hypervisor (virtio, vmxnet3); the link gets another name: mind the network settings",
    )


def glance(view: View) -> Finding | None:
    """An imitated model in a virtual machine, or the question whether it is in one."""
    return imitated(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.LINK, glance=glance)
