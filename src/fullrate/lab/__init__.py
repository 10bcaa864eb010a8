"""Practice networks on this machine, and faults to break them with."""

from fullrate.lab.build import down, up
from fullrate.lab.catalog import faults
from fullrate.lab.control import break_, heal
from fullrate.lab.fault import Fault
from fullrate.lab.lock import alone
from fullrate.lab.pairs import PAIRS, Pair
from fullrate.lab.proof import plain_rate
from fullrate.lab.score import Exam, Ground, Task, doubles, namespaces, practising, score, singles
from fullrate.lab.state import LabState, load_state
from fullrate.lab.targets import LabEnd, LabTargets, targets

__all__ = [
    "PAIRS",
    "Exam",
    "Fault",
    "Ground",
    "LabEnd",
    "LabState",
    "LabTargets",
    "Pair",
    "Task",
    "alone",
    "break_",
    "doubles",
    "down",
    "faults",
    "heal",
    "load_state",
    "namespaces",
    "plain_rate",
    "practising",
    "score",
    "singles",
    "targets",
    "up",
]
