"""A near end, a jump host and a far end in namespaces; sshds there with users and mounts of their own.

    near  10.88.1.1 -- 10.88.1.2  jump  10.88.2.1 -- 10.88.2.2  far
    near  10.88.3.1 ------------------------------ 10.88.3.2    far      also fd88:3::1 and fd88:3::2

No packet is forwarded by the jump host.
"""

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from lab.driving import User, shell
from lab.far_end import wait_until

NEAR, JUMP, FAR = "frt-s-near", "frt-s-jump", "frt-s-far"
VIA_JUMP, DIRECT, DIRECT6 = "10.88.2.2", "10.88.3.2", "fd88:3::2"
JUMP_HOST = "10.88.1.2"
_WIRES = ((NEAR, "jump", JUMP, "near", 1), (JUMP, "far", FAR, "jump", 2), (NEAR, "far", FAR, "near", 3))
_SERVER = """
Port {port}
HostKey /mnt/host_key
AuthorizedKeysFile /mnt/authorized_keys
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
"""
_CLIENT = """
{first}
Host *
IdentityFile {folder}/key
IdentitiesOnly yes
UserKnownHostsFile {folder}/known_hosts
GlobalKnownHostsFile none
"""
# In a mount namespace that ends with the server: what users need stands in /mnt.
_SETUP = """
set -e
mount -t tmpfs -o mode=755 tmpfs /mnt
cp {folder}/authorized_keys {folder}/host_key /mnt; cp {folder}/server-{place} /mnt/server
chmod 644 /mnt/authorized_keys
own() {{ cp -p "$1" "/mnt/${{1##*/}}"; cat >>"/mnt/${{1##*/}}"; mount --bind "/mnt/${{1##*/}}" "$1"; }}
{more}
exec /usr/sbin/sshd -D -e -f /mnt/server
"""
# The user joe, and what sudo lets him do.
JOE = """
mkdir /mnt/joe; chown 4242:4242 /mnt/joe
own /etc/passwd <<'END'
joe:x:4242:4242::/mnt/joe:{shell}
END
own /etc/shadow <<'END'
joe:*:19000:0:99999:7:::
END
"""
ROOT_SHELL = "sed 's|^\\(root:.*\\):[^:]*$|\\1:{}|' /etc/passwd >/mnt/passwd; mount --bind /mnt/passwd /etc/passwd\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Where the keys and settings stand."""

    folder: Path

    def user(self, state: Path, settings: str = "", *, before: Sequence[str] = ()) -> User:
        """Somebody in the near end who knows the key, with these settings of ssh in front."""
        config, tool = state / "ssh_config", state / "tools" / "ssh"
        config.write_text(_CLIENT.format(folder=self.folder, first=settings))
        tool.parent.mkdir()
        tool.write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {config} "$@"\n')
        tool.chmod(0o755)
        return User(state=state, tools=tool.parent, before=("ip", "netns", "exec", NEAR, *before))


@contextmanager
def world(folder: Path) -> Iterator[World]:
    """The namespaces, their links and the keys; nothing is left of them or of what runs in them."""
    for name in ("host_key", "key"):
        shell("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name))
    shutil.copy(folder / "key.pub", folder / "authorized_keys")
    (folder / "known_hosts").write_text(f"* {(folder / 'host_key.pub').read_text()}")
    _remove()
    try:
        for name in (NEAR, JUMP, FAR):
            shell("ip", "netns", "add", name)
            shell("ip", "-n", name, "link", "set", "lo", "up")
        for wire in _WIRES:
            _join(*wire)
        yield World(folder=folder)
    finally:
        _remove()


def _join(one: str, link: str, other: str, back: str, net: int) -> None:
    shell("ip", "-n", one, "link", "add", link, "type", "veth", "peer", "name", back, "netns", other)
    for place, name, number in ((one, link, 1), (other, back, 2)):
        shell("ip", "-n", place, "address", "add", f"10.88.{net}.{number}/24", "dev", name)
        shell("ip", "-n", place, "address", "add", f"fd88:{net}::{number}/64", "dev", name, "nodad")
        shell("ip", "-n", place, "link", "set", name, "up")


def _remove() -> None:
    for name in (NEAR, JUMP, FAR):
        if Path("/run/netns", name).exists():
            for pid in shell("ip", "netns", "pids", name).split():
                with suppress(ProcessLookupError):
                    os.kill(int(pid), 9)
            shell("ip", "netns", "delete", name)


@contextmanager
def sshd(
    world: World, place: str = FAR, *, port: int = 22, settings: Sequence[str] = (), setup: str = ""
) -> Iterator[None]:
    """A server in a namespace, with settings of sshd in front, after `setup` was run in its mount namespace."""
    config = world.folder / f"server-{place}"
    config.write_text("\n".join((*settings, _SERVER.format(port=port))))
    Path("/run/sshd").mkdir(exist_ok=True)
    script = _SETUP.format(folder=shlex.quote(str(world.folder)), place=place, more=setup)
    command = ("ip", "netns", "exec", place, "sh", "-c", script)
    with (world.folder / f"log-{place}").open("wb") as log:
        server = subprocess.Popen(command, stderr=log)
        try:
            wait_until(lambda: f":{port} " in shell("ip", "netns", "exec", place, "ss", "-tlnH"), 5.0)
            yield
        finally:
            server.kill()
            server.wait()
