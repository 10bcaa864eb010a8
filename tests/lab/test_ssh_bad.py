"""Far ends that are set up oddly: one session, noise, no room, login shells of any kind, many addresses, IPv6 alone."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.driving import shell
from lab.far_end import wait_until
from lab.ssh_world import DIRECT, DIRECT6, NEAR, ROOT_SHELL, World, sshd, world

pytestmark = pytest.mark.lab

ROOTS = f"root@{DIRECT}"
BOUND = ("--link-speed", "1G", "--max-rate", "300M", "--max-seconds", "3")
NOISE = """
mkdir /mnt/root; echo "echo Welcome; printf 'password: '; echo Permission denied >&2" >/mnt/root/.bashrc
mount --bind /mnt/root /root
"""
WITHOUT_PYTHON = """
mkdir /mnt/all; mount --bind /usr/bin /mnt/all; mount -t tmpfs tmpfs /usr/bin
PATH=$PATH:/mnt/all; ln -s /mnt/all/* /usr/bin; rm /usr/bin/python*
"""
FULL = "for f in /tmp /var/tmp; do mount -t tmpfs -o size=8k tmpfs $f; head -c 9000 /dev/zero >$f/x || :; done\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The namespaces."""
    with world(tmp_path_factory.mktemp("ssh")) as made:
        yield made


@pytest.mark.long
def test_one_session(place: World, tmp_path: Path) -> None:
    """A connection that the user shares already has its one session: another connection is made."""
    shared = f"Host *\nControlMaster auto\nControlPath {tmp_path}/%C\n"
    user = place.user(tmp_path, shared)
    with sshd(place, settings=("MaxSessions 1",)):
        master = subprocess.Popen(("ip", "netns", "exec", NEAR, f"{user.tools}/ssh", ROOTS, "sleep 60"))
        try:
            wait_until(lambda: any(path.is_socket() for path in tmp_path.iterdir()), 5.0)
            answer = user.runs("measure", ROOTS, *BOUND, "--json")
        finally:
            master.terminate()
            master.wait()
    assert ("", True) == (answer.stderr, all(one["throughput_bps"] for one in answer.document["measurements"]))


def test_noise(place: World, tmp_path: Path) -> None:
    """What a banner and login scripts say, words that frighten among it, is not taken for ssh's."""
    banner = tmp_path / "banner"
    banner.write_text("Permission denied (to strangers). Your password expires.\n")
    with sshd(place, settings=(f"Banner {banner}",), setup=NOISE + ROOT_SHELL.format("/bin/bash")):
        answer = place.user(tmp_path).runs("collect", "--with", ROOTS, "--json")
    assert (0, "", True) == (answer.code, answer.stderr, "Link" in answer.document["ends"]["far"]["facts"])


@pytest.mark.long
def test_no_room_in_tmp(place: World, tmp_path: Path) -> None:
    """The traffic program keeps what it sends where there is room."""
    with sshd(place, setup=FULL):
        answer = place.user(tmp_path).runs("measure", ROOTS, *BOUND, "--json")
    assert ("", [True, True]) == (
        answer.stderr,
        [one["throughput_bps"] is not None for one in answer.document["measurements"]],
    )


@pytest.mark.parametrize(
    "login", ["/usr/bin/fish", *(pytest.param(one, marks=pytest.mark.long) for one in ("/bin/tcsh", "/bin/dash"))]
)
def test_login_shells(login: str, place: World, tmp_path: Path) -> None:
    """One that is no POSIX shell serves as well: for the agent, for sudo, for the shell that stands in for Python."""
    user = place.user(tmp_path)
    with sshd(place, setup=ROOT_SHELL.format(login)):
        sent, sudo = (user.runs("collect", "--with", ROOTS, *more, "--json") for more in ((), ("--sudo",)))
    with sshd(place, setup=ROOT_SHELL.format(login) + WITHOUT_PYTHON):
        read = user.runs("collect", "--with", ROOTS, "--json")
    assert ["", "", ""] == [answer.stderr for answer in (sent, sudo, read)]
    assert "only read, with its shell" in read.document["notes"][0]
    assert [True] * 3 == ["Link" in answer.document["ends"]["far"]["facts"] for answer in (sent, sudo, read)]


@pytest.mark.parametrize(
    ("login", "said"),
    [
        ("/usr/sbin/nologin", "gives this user no shell, its login shell is nologin or the like"),
        ("/bin/false", "cannot be used over ssh: it closed the connection without a word, as a login shell like false"),
    ],
)
def test_no_login_shell(login: str, said: str, place: World, tmp_path: Path) -> None:
    """It is undecided; one sentence says why."""
    with sshd(place, setup=ROOT_SHELL.format(login)):
        answer = place.user(tmp_path).runs("check", ROOTS, "--json")
    assert (3, "", True) == (
        answer.code,
        answer.stderr,
        answer.document["verdict"]["summary"].startswith(f"{ROOTS} {said}"),
    )


def test_several_addresses(place: World, tmp_path: Path) -> None:
    """Ssh takes the one that answers; the test goes there too."""
    hosts = tmp_path / "hosts"
    hosts.write_text(f"10.88.3.77 twin\n{DIRECT} twin\n")
    bound = ("unshare", "--mount", "sh", "-c", 'mount --bind "$0" /etc/hosts; exec "$@"', str(hosts))
    with sshd(place):
        answer = place.user(tmp_path, before=bound).runs("collect", "--with", "root@twin", "--json")
    assert (0, "", DIRECT) == (answer.code, answer.stderr, answer.document["ends"]["far"]["address"])


@pytest.mark.long
def test_ipv6_alone(place: World, tmp_path: Path) -> None:
    """Log-in and test go over IPv6 where there is nothing else."""
    shell("ip", "-n", NEAR, "-4", "address", "flush", "dev", "far")
    try:
        with sshd(place, settings=("AddressFamily inet6",)):
            answer = place.user(tmp_path).runs("measure", f"root@[{DIRECT6}]", *BOUND, "--json")
    finally:
        shell("ip", "-n", NEAR, "address", "add", "10.88.3.1/24", "dev", "far")
    ends = answer.document["ends"]
    assert ("", "fd88:3::1", DIRECT6) == (answer.stderr, ends["near"]["address"], ends["far"]["address"])
    assert all(one["throughput_bps"] for one in answer.document["measurements"])
