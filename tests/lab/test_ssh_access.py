"""Ways to use a host over a real sshd: sudo, an installed agent, old Pythons, jump hosts, ssh's own configuration."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fullrate.host.zipapp import write_agent
from lab.driving import Answer, Document, User
from lab.ssh_world import DIRECT, JOE, World, sshd, world

pytestmark = pytest.mark.lab

JOES, ROOTS = f"joe@{DIRECT}", f"root@{DIRECT}"
AGENT = "/mnt/agent.pyz"
ALL = "joe ALL=(ALL) NOPASSWD: ALL"
BOUND = ("--link-speed", "1G", "--max-rate", "300M", "--max-seconds", "3")
PYENV = Path.home() / ".pyenv" / "versions"
# The oldest that the agent is for, where they are installed; the system's own in any case.
PYTHONS = {
    "own": Path(sys.executable).resolve().parent,
    **{path.name: path / "bin" for path in sorted(PYENV.glob("3.[678].*"))},
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The namespaces, and the agent as a file."""
    folder = tmp_path_factory.mktemp("ssh")
    with world(folder) as made:
        write_agent(folder / "agent.pyz")
        yield made


@pytest.fixture
def user(place: World, tmp_path: Path) -> User:
    """Somebody in the near end."""
    return place.user(tmp_path)


def sudoers(*lines: str, shell: str = "/bin/sh") -> str:
    """The set-up that knows joe, and what sudo lets him do."""
    return "\n".join((JOE.format(shell=shell), "own /etc/sudoers <<'END'", *lines, "END", ""))


def installed(place: World) -> str:
    """The set-up with the agent in its place."""
    return f"cp {place.folder}/agent.pyz {AGENT}; chmod 755 {AGENT}\n"


def far(document: Document) -> Document:
    """What is known of the far end."""
    return document["ends"]["far"]


def outcome(answer: Answer) -> tuple[object, ...]:
    """What must not depend on how the agent got there."""
    document, measured = answer.document, {one["direction"] for one in answer.document["measurements"]}
    ends = [(end["address"], end["interface"], sorted(end["facts"])) for end in document["ends"].values()]
    return answer.code, answer.stderr, document["verdict"]["state"], document["notes"], measured, ends


def uid(document: Document) -> int | None:
    """The user as whom the far end was examined."""
    values = [item["value"] for item in document["items"] if item["name"] == "user"]
    return 0 if values == ["root"] else int(values[0].split()[1])


@pytest.mark.parametrize("more", [(), ("Defaults use_pty",)], ids=["plain", "use_pty"])
def test_sudo(more: tuple[str, ...], place: World, user: User) -> None:
    """All is read that root reads, by way of an unprivileged user; also where the address is known from ssh alone."""
    with sshd(place, setup=sudoers(*more, ALL)):
        root, joe, sudo = (
            user.runs("collect", "--with", target, *words, "--json")
            for target, words in ((ROOTS, ()), (JOES, ()), (JOES, ("--sudo",)))
        )
        examined = user.runs("doctor", JOES, "--sudo", "--json")
    assert 0 == uid(examined.document)
    assert sorted(far(root.document)["facts"]) == sorted(far(sudo.document)["facts"])
    assert len(far(joe.document)["gaps"]) > len(far(sudo.document)["gaps"])
    assert DIRECT == far(sudo.document)["facts"]["SshConnection"][0]["server_address"]


def test_sudo_measures(place: World, user: User) -> None:
    """The traffic program runs as root, and nothing is left of it."""
    standing = user.processes()
    with sshd(place, setup=sudoers(ALL)):
        answer = user.runs("measure", JOES, "--sudo", *BOUND, "--json")
        user.await_end(standing, 5.0)
    assert ("", 2) == (answer.stderr, len([one for one in answer.document["measurements"] if one["throughput_bps"]]))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("joe ALL=(ALL) ALL",), "lets this user become root with a password only, if at all"),
        (("root ALL=(ALL) ALL",), "lets this user become root with a password only, if at all"),
        (("Defaults requiretty", ALL), "lets sudo run on a terminal only"),
    ],
    ids=["password", "unknown", "terminal"],
)
def test_sudo_refuses(lines: tuple[str, ...], said: str, place: World, user: User) -> None:
    """It is undecided; one sentence says why and what to do."""
    with sshd(place, setup=sudoers(*lines)):
        answer = user.runs("check", JOES, "--sudo", "--json")
    assert (3, "", True) == (
        answer.code,
        answer.stderr,
        answer.document["verdict"]["summary"].startswith(f"{JOES} {said}"),
    )


def test_no_sudo(place: World, user: User) -> None:
    """The same where there is none; root needs none."""
    without = (
        sudoers(ALL) + "mkdir /mnt/bin; ln -s /usr/sbin/* /usr/bin/* /mnt/bin 2>/dev/null || :; rm /mnt/bin/sudo\n"
    )
    with sshd(place, settings=("SetEnv PATH=/mnt/bin",), setup=without):
        joe, root = (user.runs("collect", "--with", target, "--sudo", "--json") for target in (JOES, ROOTS))
    assert (3, f"{JOES} has no sudo: install it there") == (
        joe.code,
        far(joe.document)["unreachable"].partition(",")[0],
    )
    assert ("", True) == (root.stderr, "Link" in far(root.document)["facts"])


def test_sudo_without_python(place: World, user: User) -> None:
    """The shell that is asked instead is root's too, and knows by which address it was reached."""
    bare = (
        sudoers(ALL, "Defaults !secure_path")
        + "mkdir /mnt/bin; ln -s /usr/sbin/* /usr/bin/* /mnt/bin 2>/dev/null || :\n"
    )
    with sshd(place, settings=("SetEnv PATH=/mnt/bin",), setup=f"{bare}rm /mnt/bin/python*\n"):
        answer = user.runs("collect", "--with", JOES, "--sudo", "--json")
    assert "has no Python 3.6 or later and was only read" in answer.document["notes"][0]
    assert DIRECT == far(answer.document)["facts"]["SshConnection"][0]["server_address"]
    assert "run dmesg --time-format iso" not in {gap["tried"] for gap in far(answer.document)["gaps"]}


@pytest.mark.parametrize(
    "sudo", [pytest.param((), id="plain"), pytest.param(("--sudo",), id="sudo", marks=pytest.mark.long)]
)
def test_an_installed_agent(sudo: tuple[str, ...], place: World, user: User) -> None:
    """It gives the same answer as one that is sent, and nothing is left of it."""
    standing = user.processes()
    with sshd(place, setup=sudoers(ALL) + installed(place)):
        sent = user.runs("check", JOES, *sudo, *BOUND, "--json")
        found = user.runs("check", JOES, *sudo, "--agent", AGENT, *BOUND, "--json")
        user.await_end(standing, 5.0)
    assert outcome(sent) == outcome(found)


def test_sudo_may_be_for_the_agent_alone(place: World, user: User) -> None:
    """An administrator allows one program, by its path."""
    with sshd(place, setup=sudoers(f"joe ALL=(root) NOPASSWD: {AGENT}") + installed(place)):
        answer = user.runs("doctor", JOES, "--sudo", "--agent", AGENT, "--json")
    assert (0, 0) == (answer.code, uid(answer.document))


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        (f"rm {AGENT}", f"has no agent at {AGENT}: `fullrate agent` writes it"),
        (f"chmod 644 {AGENT}", f"has no agent at {AGENT}: `fullrate agent` writes it"),
        (
            f"printf '#!/bin/sh\\necho fullrate-agent 0123 0.0.9; exec cat' >{AGENT}",
            f"has at {AGENT} the agent of fullrate 0.0.9 (0123), this is ",
        ),
    ],
    ids=["missing", "no program", "another"],
)
def test_an_agent_that_cannot_be_used(spoilt: str, said: str, place: World, user: User) -> None:
    """It is undecided; one sentence says why and what to do."""
    with sshd(place, setup=sudoers(ALL) + installed(place) + spoilt + "\n"):
        answer = user.runs("check", JOES, "--agent", AGENT, "--json")
    assert (3, "") == (answer.code, answer.stderr)
    assert answer.document["verdict"]["summary"].startswith(f"{JOES} {said}")


@pytest.mark.long
@pytest.mark.parametrize("way", [(), ("--agent", AGENT)], ids=["sent", "installed"])
@pytest.mark.parametrize("folder", PYTHONS.values(), ids=PYTHONS)
def test_pythons(folder: Path, way: tuple[str, ...], place: World, user: User) -> None:
    """Whichever Python stands there first runs the agent."""
    with sshd(place, settings=(f"SetEnv PATH={folder}:/usr/sbin:/usr/bin",), setup=installed(place)):
        answer = user.runs("measure", ROOTS, *way, *BOUND, "--json")
    assert ("", [True, True]) == (
        answer.stderr,
        [one["throughput_bps"] is not None for one in answer.document["measurements"]],
    )
