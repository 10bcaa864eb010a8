"""Binding the interrupts of a card to one CPU, and back to where they were.

Which numbers they have is known in the guest only: `device/msi_irqs` of the card lists them (Linux,
Documentation/ABI/testing/sysfs-bus-pci). What was found is kept in a file of the guest until it is healed. An
interrupt moves when it next comes (Documentation/core-api/irq/irq-affinity.rst), and stays where it is when that is
allowed: so each is first led back to its CPU, given the 2 s in which these drivers raise every interrupt once
(drivers/net/ethernet/intel/igb/igb_main.c, igb_watchdog_task), and then allowed what it was allowed before.
"""

from fullrate.lab.fault import Command, run
from fullrate.lab.topology import Place

_KEPT = "/run/fault-irqs.json"
_BIND = f"""
import json, os, sys
card, cpu = sys.argv[1:]
place = "/proc/irq/%s/%s_affinity_list"
irqs = sorted(os.listdir("/sys/class/net/%s/device/msi_irqs" % card), key=int)
kept = {{irq: [open(place % (irq, kind)).read() for kind in ("effective", "smp")] for irq in irqs}}
with open("{_KEPT}", "w") as file:
    json.dump(kept, file)
for irq in irqs:
    open(place % (irq, "smp"), "w").write(cpu)
"""
_LOOSE = f"""
import json, os, time
with open("{_KEPT}") as file:
    kept = json.load(file)
for turn in (0, 1):
    for irq, cpus in kept.items():
        open("/proc/irq/%s/smp_affinity_list" % irq, "w").write(cpus[turn])
    time.sleep(3 * (1 - turn))
os.remove("{_KEPT}")
"""


def bind(place: Place, card: str, cpu: int) -> Command:
    """The step that leads every interrupt of a card to one CPU."""
    return run(place, "python3", "-I", "-c", _BIND, card, str(cpu))


def bind_back(place: Place) -> Command:
    """The step that lets them go where they went before."""
    return run(place, "python3", "-I", "-c", _LOOSE)
