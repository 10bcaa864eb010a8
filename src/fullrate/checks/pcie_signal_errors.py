"""The PCIe link repeats damaged packets, and the NIC loses frames meanwhile.

Corrected errors are repaired by sending again and lose nothing by themselves: many a healthy host counts some. They
are a cause only together with frames that the NIC had to discard while the CPU had room
(Documentation/PCI/pcieaer-howto.rst).
"""

from fullrate.checks._common import link_of
from fullrate.checks._overrun_why import judge
from fullrate.records.finding import Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.view import View

CAUSE = "pcie-signal-errors"


def diagnose(view: View) -> Finding:
    """Whether a bad PCIe connection makes the receiver's NIC lose frames."""
    return judge(view, CAUSE, _remedies)


def _remedies(view: View) -> tuple[Remedy, ...]:
    return (
        Remedy(
            knob="pci.slot",
            subject=link_of(view.receiver),
            value="a clean connection",
            end=view.receiver.end,
            commands=(),
            undo=(),
            note="reseat the card, try another slot or riser, update the firmware; the counters then stand still",
        ),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, alone=True)
