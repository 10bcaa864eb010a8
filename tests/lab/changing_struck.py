"""Whoever changes something is killed: which of its processes, and what is then done to end in order."""

import subprocess
from pathlib import Path

from lab.changing import Changing, kill
from lab.far_end import wait_until

VICTIMS = ("controller", "agent", "maker", "one guard", "both guards", "all")
UNGUARDED = {"both guards", "all"}  # afterwards nothing puts anything back by itself
_ENDS_WITHIN = 90.0


def strike(world: Changing, victim: str, controller: "subprocess.Popen[str]") -> None:
    """SIGKILL; what is not there at that moment is spared."""
    parts = {
        "controller": lambda: [controller.pid] if controller.poll() is None else [],
        "agent": lambda: _children(controller.pid),
        "maker": world.makers,
        "one guard": lambda: sorted(world.guards())[:1],
        "both guards": world.guards,
    }
    for name in ("controller", "maker", "both guards") if victim == "all" else (victim,):
        kill(parts[name]())


def settle(world: Changing, plan: str, victim: str, controller: "subprocess.Popen[str]") -> str:
    """Wait until nobody is at work, recover where nothing guards any more; the state that the journal then says."""
    try:
        controller.communicate(timeout=_ENDS_WITHIN)
    finally:
        controller.kill()
    if victim in UNGUARDED:
        wait_until(lambda: not world.makers(), _ENDS_WITHIN)
        recovered = world.user.runs("recover", world.target, "--json")
        assert 0 == recovered.code, recovered.stdout + recovered.stderr
    wait_until(lambda: not world.programs(), _ENDS_WITHIN)
    return world.state(plan)


def _children(parent: int) -> list[int]:
    try:
        text = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    except OSError:  # it ended, or the kernel has no such file: CONFIG_PROC_CHILDREN
        return []
    return [int(word) for word in text.split()]
