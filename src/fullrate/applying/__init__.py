"""Carrying a plan out: the guard program on the machine does it, this tells it what and reads what it says."""

from fullrate.applying.change import DEADLINE, FOLDER, apply, changes, confirm, recover, revert
from fullrate.applying.unsettled import unsettled

__all__ = ["DEADLINE", "FOLDER", "apply", "changes", "confirm", "recover", "revert", "unsettled"]
