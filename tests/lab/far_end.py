"""Two network namespaces joined by a veth pair, and an sshd in the second that trusts one key made for the test."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

NEAR, FAR = f"frt-h-{os.getpid()}-a", f"frt-h-{os.getpid()}-b"  # of this test run alone
ADDRESS = "10.87.0.2"
PORT = 22
_CONFIG = """
Port {port}
ListenAddress 0.0.0.0
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/authorized_keys
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
MaxSessions 1
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FarEnd:
    """How to reach the sshd: with `tools` first in PATH, ssh runs in the near namespace."""

    folder: Path

    @property
    def tools(self) -> str:
        """The folder of that ssh."""
        return f"{self.folder}/tools"

    @property
    def ssh_args(self) -> tuple[str, ...]:
        """What ssh needs besides the name."""
        return (
            *("-F", "none", "-i", f"{self.folder}/key", "-o", "IdentitiesOnly=yes"),
            *("-o", f"UserKnownHostsFile={self.folder}/known_hosts"),
        )


def run(*argv: str) -> str:
    """What a command prints. Raises when it fails."""
    return subprocess.run(argv, check=True, capture_output=True, text=True, timeout=20).stdout


@contextmanager
def namespaces() -> Iterator[None]:
    """Both namespaces with a link between them; nothing is left of them or of what runs in them."""
    _remove()
    try:
        for name in (NEAR, FAR):
            run("ip", "netns", "add", name)
        run("ip", "-n", NEAR, "link", "add", "wire", "type", "veth", "peer", "name", "wire", "netns", FAR)
        for name, address in ((NEAR, "10.87.0.1/24"), (FAR, f"{ADDRESS}/24")):
            run("ip", "-n", name, "address", "add", address, "dev", "wire")
            for link in ("lo", "wire"):
                run("ip", "-n", name, "link", "set", link, "up")
        yield
    finally:
        _remove()


def _remove() -> None:
    for name in (NEAR, FAR):
        if Path("/run/netns", name).exists():
            for pid in run("ip", "netns", "pids", name).split():
                with suppress(ProcessLookupError):
                    os.kill(int(pid), 9)
            run("ip", "netns", "delete", name)


@contextmanager
def sshd(folder: Path) -> Iterator[FarEnd]:
    """An sshd in the far namespace that allows one session a connection."""
    for name in ("host_key", "key"):
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name))
    shutil.copy(folder / "key.pub", folder / "authorized_keys")
    kind, key, *_ = (folder / "host_key.pub").read_text().split()
    (folder / "known_hosts").write_text(f"{ADDRESS} {kind} {key}\n")
    (folder / "config").write_text(_CONFIG.format(folder=folder, port=PORT))
    tool = folder / "tools" / "ssh"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec ip netns exec {NEAR} {shutil.which("ssh")} "$@"\n')
    tool.chmod(0o755)
    Path("/run/sshd").mkdir(exist_ok=True)
    command = ("ip", "netns", "exec", FAR, "/usr/sbin/sshd", "-D", "-e", "-f", str(folder / "config"))
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: f":{PORT} " in run("ip", "netns", "exec", FAR, "ss", "-tlnH"), 5.0)
        yield FarEnd(folder=folder)
    finally:
        server.kill()
        server.wait()


def wait_until(holds: Callable[[], bool], within: float, *, every: float = 0.05) -> None:
    """Wait until it holds. Raises AssertionError when it does not in time."""
    end = time.monotonic() + within
    while not holds():
        assert time.monotonic() < end, f"not within {within:g} s"
        time.sleep(every)
