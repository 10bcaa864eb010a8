"""The hardware lab: an emulated machine with real NIC drivers, its cards wired back to back between two namespaces."""

from fullrate.lab.guest.build import down, up
from fullrate.lab.guest.catalog import guest_faults
from fullrate.lab.guest.control import break_guest, heal_guest
from fullrate.lab.guest.measuring import end_host
from fullrate.lab.guest.proof import guest_rate
from fullrate.lab.guest.score import guest_ground, guest_tasks, practising_in_guest
from fullrate.lab.guest.state import GuestState, load_state
from fullrate.lab.guest.wiring import GENERATIONS, MODELS, Wire, wires

__all__ = [
    "GENERATIONS",
    "MODELS",
    "GuestState",
    "Wire",
    "break_guest",
    "down",
    "end_host",
    "guest_faults",
    "guest_ground",
    "guest_rate",
    "guest_tasks",
    "heal_guest",
    "load_state",
    "practising_in_guest",
    "up",
    "wires",
]
