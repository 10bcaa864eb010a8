"""An sshd in the lab's far end that trusts one key made for the test, and a user in the near end who holds it."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lab.driving import DIRECT, FAR, IN_NEAR, User, shell
from lab.far_end import wait_until

ADDRESS = "10.77.2.2"
TARGET = f"root@{ADDRESS}"
_IN_FAR = ("ip", "netns", "exec", FAR)  # with a mount namespace of its own
_SERVER = """
Port {port}
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/authorized_keys
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
"""
_CLIENT = """
Host *
IdentityFile {folder}/key
IdentitiesOnly yes
UserKnownHostsFile {folder}/known_hosts
GlobalKnownHostsFile none
"""
_TOOL = '#!/bin/sh\nexec {ssh} -F {folder}/client "$@"\n'
# Puts a folder of links in a tool's folder's place: all it has, but not the tool.
_HIDE = """
set -e
mkdir -p "$1"; mount --bind "$2" "$1"; mount -t tmpfs tmpfs "$2"
PATH=$PATH:$1; ln -s "$1"/* "$2"; rm "$2/$3"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SshEnd:
    """Where the keys and settings of both sides stand."""

    folder: Path

    def user(self, state: Path) -> User:
        """Somebody in the near end whose ssh knows the key."""
        return User(state=state, tools=self.folder / "tools", before=IN_NEAR)

    @property
    def known_hosts(self) -> Path:
        """The host keys that the user knows."""
        return self.folder / "known_hosts"


def make(folder: Path) -> SshEnd:
    """Keys and settings, nothing running yet."""
    for name in ("host_key", "key"):
        shell("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name))
    shutil.copy(folder / "key.pub", folder / "authorized_keys")
    kind, key, *_ = (folder / "host_key.pub").read_text().split()
    (folder / "known_hosts").write_text(f"{ADDRESS},{DIRECT} {kind} {key}\n")
    (folder / "client").write_text(_CLIENT.format(folder=folder))
    tool = folder / "tools" / "ssh"
    tool.parent.mkdir()
    tool.write_text(_TOOL.format(ssh=shutil.which("ssh"), folder=folder))
    tool.chmod(0o755)
    return SshEnd(folder=folder)


@contextmanager
def sshd(end: SshEnd, *, port: int = 22, without: str = "", more: Sequence[str] = ()) -> Iterator[None]:
    """The server, with `more` lines of settings; its sessions do not have the tool `without`."""
    settings = end.folder / f"server-{port}"
    settings.write_text("\n".join((_SERVER.format(folder=end.folder, port=port), *more, "")))
    Path("/run/sshd").mkdir(exist_ok=True)
    command = (*_IN_FAR, *_hiding(end, without), "/usr/sbin/sshd", "-D", "-e", "-f", str(settings))
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: f":{port} " in shell(*_IN_FAR, "ss", "-tlnH"), 5.0)
        yield
    finally:
        server.kill()
        server.wait()


def home(end: SshEnd, name: str, *, profile: str = "", path: str = "") -> str:
    """The setting that gives sessions a home of their own, with what their shell runs at its start, and a PATH."""
    folder = end.folder / name
    folder.mkdir()
    (folder / ".bashrc").write_text(profile)  # bash(1): it is run for commands that come by sshd too
    return f"SetEnv HOME={folder}" + (f" PATH={path}" if path else "")


def path_without(end: SshEnd, *tools: str) -> str:
    """A folder with all programs of this machine's system, but not those whose names begin so."""
    links = end.folder / "-".join(("without", *tools))
    links.mkdir()
    for program in (one for folder in ("/usr/sbin", "/usr/bin") for one in Path(folder).iterdir()):
        link = links / program.name
        if not program.name.startswith(tools) and not link.exists():
            link.symlink_to(program)
    return str(links)


def _hiding(end: SshEnd, tool: str) -> Sequence[str]:
    """What runs before a command that is not to find the tool."""
    found = shutil.which(tool) if tool else None
    if found is None:
        return ()
    script, links = f'{_HIDE}shift 3; exec "$@"', end.folder / f"all-but-{tool}"
    return ("sh", "-c", script, "sh", str(links), str(Path(found).parent), tool)
