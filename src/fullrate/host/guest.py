"""An end of the hardware lab: a namespace inside an emulated machine, reached through the port that QEMU forwards."""

import sys
import tempfile
from pathlib import Path

from fullrate.host import _guest_pipe
from fullrate.host.piped import PipedHost
from fullrate.host.zipapp import write_agent
from fullrate.records.errors import TargetError

_PROGRAM = str(Path(_guest_pipe.__file__))


class GuestHost(PipedHost):
    """Namespace `a` or `b` of the guest whose wires are in `namespace` of this machine."""

    def __init__(self, label: str, *, end: str, namespace: str, token: str) -> None:
        """Open it. Raises TargetError."""
        self._folder = tempfile.TemporaryDirectory(prefix="fullrate-")
        agent = Path(self._folder.name, "agent.pyz")
        write_agent(agent)
        within = ("ip", "netns", "exec", namespace)
        argv = (*within, "env", f"FULLRATE_AGENT={agent}", sys.executable, "-I", _PROGRAM, token, end)
        try:
            super().__init__(label, argv, path="its agent", explain=lambda words: _explain(label, words))
        except TargetError:
            self._folder.cleanup()
            raise

    def close(self) -> None:
        """End the agent, its programs and the connection."""
        super().close()
        self._folder.cleanup()


def _explain(label: str, words: str) -> TargetError:
    last = (words.strip().splitlines() or ["nothing was said"])[-1]
    return TargetError(f"{label} does not answer ({last}): `fullrate lab down`, then `fullrate lab up --guest`")
