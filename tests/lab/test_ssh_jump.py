"""Jump hosts and ssh's own configuration: what `ssh` does with a name is what fullrate does."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from lab.driving import Document, shell
from lab.ssh_world import DIRECT, JUMP, JUMP_HOST, NEAR, VIA_JUMP, World, sshd, world

pytestmark = pytest.mark.lab

BOUND = ("--link-speed", "1G", "--max-rate", "300M", "--max-seconds", "3")
NAS = f"Host nas\nHostName {VIA_JUMP}\nUser root\nProxyJump root@{JUMP_HOST}\n"
WAYS = {
    "ProxyJump": NAS,
    "alias of the jump host": NAS.replace(f"root@{JUMP_HOST}", f"gate\nHost gate\nHostName {JUMP_HOST}\nUser root"),
    "ProxyCommand": f"Host nas\nHostName {VIA_JUMP}\nUser root\nProxyCommand ssh -W %h:%p root@{JUMP_HOST}\n",
    "Include": "Include {folder}/included\n",
    "Match": f"Match originalhost nas\nHostName {VIA_JUMP}\nUser root\nProxyJump root@{JUMP_HOST}\n",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The namespaces, with a server on the jump host and one on the far end."""
    folder = tmp_path_factory.mktemp("ssh")
    (folder / "included").write_text(NAS)
    with world(folder) as made, sshd(made, JUMP), sshd(made):
        yield made


@contextmanager
def without_direct_link(*more: Sequence[str]) -> Iterator[None]:
    """The near end can reach the jump host alone; after more settings of its own."""
    shell("ip", "-n", NEAR, "link", "set", "far", "down")
    try:
        for words in more:
            shell("ip", "-n", NEAR, *words)
        yield
    finally:
        shell("ip", "-n", NEAR, "link", "set", "far", "up")
        shell("ip", "-n", NEAR, "address", "replace", "fd88:3::1/64", "dev", "far", "nodad")
        shell("ip", "-n", NEAR, "route", "flush", "default")


def pair(document: Document) -> tuple[object, ...]:
    """The addresses that are tested."""
    return tuple(document["ends"][end]["address"] for end in ("near", "far"))


@pytest.mark.parametrize("way", WAYS)
def test_a_name_that_only_ssh_knows(way: str, place: World, tmp_path: Path) -> None:
    """The log-in goes where ssh's configuration says; the test goes between two addresses that reach each other."""
    user = place.user(tmp_path, WAYS[way].replace("{folder}", str(place.folder)))
    answer = user.runs("collect", "--with", "nas", "--json")
    assert (0, "", ("10.88.3.1", DIRECT)) == (answer.code, answer.stderr, pair(answer.document))


def test_port_and_user_of_the_configuration(place: World, tmp_path: Path) -> None:
    """They hold where the command line names none."""
    user = place.user(tmp_path, f"Host nas\nHostName {DIRECT}\nPort 2022\nUser root\n")
    with sshd(place, port=2022):
        answer = user.runs("collect", "--with", "nas", "--json")
    assert (0, ("10.88.3.1", DIRECT)) == (answer.code, pair(answer.document))


def test_the_shell_goes_the_same_way(place: World, tmp_path: Path) -> None:
    """An installed agent and a bare shell too."""
    user = place.user(tmp_path, NAS)
    answer = user.runs("check", "nas", "--agent", "/mnt/none", "--json")
    assert "nas has no agent at /mnt/none" in answer.document["verdict"]["summary"]


@pytest.mark.long
def test_a_check_behind_a_jump_host(place: World, tmp_path: Path) -> None:
    """A default route does not make the address that the jump host used the one to test."""
    user = place.user(tmp_path, NAS)
    shell("ip", "-n", NEAR, "route", "add", "default", "via", JUMP_HOST)
    try:
        answer = user.runs("measure", "nas", *BOUND, "--json")
    finally:
        shell("ip", "-n", NEAR, "route", "flush", "default")
    assert ("", ("10.88.3.1", DIRECT)) == (answer.stderr, pair(answer.document))
    assert all(one["throughput_bps"] for one in answer.document["measurements"])


@pytest.mark.parametrize(
    "route",
    [
        pytest.param((), id="none"),
        pytest.param((("route", "add", "default", "via", JUMP_HOST),), id="default", marks=pytest.mark.long),
    ],
)
def test_no_direct_path(route: Sequence[Sequence[str]], place: World, tmp_path: Path) -> None:
    """It is undecided; one sentence names the way that SSH took and the addresses that do not answer."""
    user = place.user(tmp_path, NAS)
    with without_direct_link(*route):
        answer = user.runs("check", "nas", "--json")
    said = "nas was reached by way of 10.88.2.1, and none of its own addresses answers the near end: 10.88.2.2"
    assert (3, "", True) == (answer.code, answer.stderr, answer.document["verdict"]["summary"].startswith(said))
    assert all(end["facts"] for end in answer.document["ends"].values())


def test_a_jump_host_that_is_down(place: World, tmp_path: Path) -> None:
    """The sentence tells which of the two it is."""
    user = place.user(tmp_path, NAS.replace(JUMP_HOST, f"{JUMP_HOST}:23"))
    answer = user.runs("check", "nas", "--json")
    summary = answer.document["verdict"]["summary"]
    assert (3, True) == (answer.code, summary.startswith("nas refuses the connection"))
    assert summary.endswith(f"(ssh tried {JUMP_HOST} port 23)")
