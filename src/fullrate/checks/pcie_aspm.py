"""The PCIe link of the NIC naps (ASPM L1), and until it is awake the small FIFO of the NIC overflows.

L1 never changes the link's speed or width, so it costs nothing by itself; what shows it is frames that the NIC
discards although the CPU has room. Documentation/ABI/testing/sysfs-bus-pci (link/l1_aspm, since Linux 5.5).
"""

from fullrate.checks._bus import file_of
from fullrate.checks._common import link_of, saw
from fullrate.checks._glance import again, suspect
from fullrate.checks._overrun_glance import overruns
from fullrate.checks._overrun_why import judge
from fullrate.records.facts.bus import DevicePath, PciDevice
from fullrate.records.finding import Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.view import View

CAUSE = "pcie-aspm"


def diagnose(view: View) -> Finding:
    """Whether the receiver's NIC loses frames while its PCIe link sleeps."""
    return judge(view, CAUSE, _remedies)


def _remedies(view: View) -> tuple[Remedy, ...]:
    end, path = view.receiver, view.receiver.need(DevicePath, link_of(view.receiver))
    files = [file_of(path, step, "link/l1_aspm").removeprefix("read ") for step in path.pci if step.l1_aspm]
    return (
        Remedy(
            knob="pci.aspm.l1",
            subject=path.subject,
            value="0",
            end=end.end,
            commands=tuple(f"echo 0 > {file}" for file in files),
            undo=tuple(f"echo 1 > {file}" for file in reversed(files)),
            note="takes effect at once, costs some power; pcie_aspm=off on the kernel command line does not do this:"
            " it leaves what the firmware set",
        ),
    )


def glance(view: View) -> Finding | None:
    """Discards of a NIC whose PCIe link may sleep, as lspci shows it."""
    found = overruns(view)
    asleep = [one for one in view.here.all(PciDevice) if one.is_network and one.l1_aspm]
    if found is None or not asleep:
        return None
    seen = saw(view.here.source_of(asleep[0]), f"LnkCtl of {asleep[0].subject or 'the device'}", "ASPM L1 Enabled")
    words = f"{view.here.interface or 'the NIC'} {found.words}, and its PCIe link may sleep (ASPM L1)"
    return suspect(view, CAUSE, words, (seen, *found.evidence), asks=again(view, "ethtool -S {link}"))


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, alone=True, glance=glance)
