"""The NIC waits for PCIe or for memory: its own counters say so, frames are lost, and no CPU is full.

Only drivers that count such waits can show it (recipes name the counters, for example outbound_pci_stalled_wr of mlx5:
Documentation/networking/device_drivers/ethernet/mellanox/mlx5/counters.rst).
"""

from fullrate.checks._common import link_of
from fullrate.checks._count_glance import waits_for_bus
from fullrate.checks._overrun_why import judge
from fullrate.records.finding import Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.view import View

CAUSE = "pcie-stall"


def diagnose(view: View) -> Finding:
    """Whether waiting for PCIe or memory makes the receiver's NIC lose frames."""
    return judge(view, CAUSE, _remedies)


def _remedies(view: View) -> tuple[Remedy, ...]:
    return (
        Remedy(
            knob="pci.slot",
            subject=link_of(view.receiver),
            value="a wider or nearer slot",
            end=view.receiver.end,
            commands=(),
            undo=(),
            note="compare slot width (lspci -vv, LnkSta) and memory node; firmware settings for PCIe payload and"
            " relaxed ordering matter too; nothing here can be changed safely from the running system",
        ),
    )


def glance(view: View) -> Finding | None:
    """What the driver counts of such waits."""
    return waits_for_bus(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, alone=True, glance=glance)
