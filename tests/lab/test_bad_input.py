"""Wrong names, missing tools, nonsense from tools, no room on the disk: one sentence, the right exit, nothing left."""

import os
import shutil
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fullrate.report.words import neutral
from lab.driving import DIRECT, FAR, NEAR, Answer, Document, User, direct, finish, lab, shell
from lab.far_end import wait_until
from lab.ssh_end import ADDRESS, TARGET, SshEnd, make, sshd

pytestmark = pytest.mark.lab

NAMESPACES = (f"netns:{FAR}", "--from", f"netns:{NEAR}")
ODD = "\x1b[31m'\"$(id);"  # the name of a link
IN_FAR = ("ip", "netns", "exec", FAR)
FILTER = "add table ip frt; add chain ip frt in {{ type filter hook input priority 0; }}; add rule ip frt in {} drop"


@pytest.fixture(scope="module")
def end(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshEnd]:
    """An sshd in the far end of a lab."""
    with lab():
        made = make(tmp_path_factory.mktemp("ssh"))
        with sshd(made):
            yield made


@pytest.fixture
def user(end: SshEnd, tmp_path: Path) -> Iterator[User]:
    """A user in the near end, of whom nothing is left afterwards."""
    user = end.user(tmp_path)
    standing = user.processes()
    yield user
    wait_until(lambda: [] == user.left(standing), 5.0)


@pytest.fixture
def host_user(end: SshEnd, tmp_path: Path) -> Iterator[User]:  # noqa: ARG001 - it makes the lab
    """The same outside the lab."""
    user = User(state=tmp_path)
    standing = user.processes()
    yield user
    wait_until(lambda: [] == user.left(standing), 5.0)


def _facts(document: Document) -> dict[str, bool]:
    """Which end was read."""
    return {end: bool(report["facts"]) for end, report in document["ends"].items()}


def _gaps(document: Document, end: str, tool: str) -> set[str]:
    """Why what a tool says is not known."""
    return {gap["reason"] for gap in document["ends"][end]["gaps"] if gap["tried"].startswith(f"run {tool} ")}


def _assert_out_of_reach(answer: Answer, target: str, said: str) -> None:
    summary = answer.document["verdict"]["summary"]
    assert (3, "") == (answer.code, answer.stderr)
    assert summary.startswith(f"{target} {said}")
    assert summary == answer.document["ends"]["far"]["unreachable"]
    assert {"near": True, "far": False} == _facts(answer.document)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("root@fullrate-no-such-host.invalid", "has no address: check the name"),
        (f"{TARGET}:23", "refuses the connection: see that sshd runs there and on which port"),
        (f"nobody@{ADDRESS}", "lets you not in: `ssh` to it must work without a password"),
    ],
    ids=["unknown", "refused", "no-key"],
)
def test_far_end_out_of_reach(target: str, said: str, user: User) -> None:
    """It is undecided, one sentence says why, and what the near end told is in the document."""
    _assert_out_of_reach(user.runs("check", target, "--json"), target, said)


@pytest.mark.long
def test_filtered_port(user: User) -> None:
    """A port that a filter drops is told from one where nobody listens."""
    shell(*IN_FAR, "nft", FILTER.format("tcp dport 24"))
    try:
        answer = user.runs("check", f"{TARGET}:24", "--json")
    finally:
        shell(*IN_FAR, "nft", "delete table ip frt")
    _assert_out_of_reach(answer, f"{TARGET}:24", "does not answer: see that it is up and that no firewall drops")


@pytest.mark.parametrize(
    "known", ["", "{} ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 43], ids=["unknown", "changed"]
)
def test_wrong_host_key(known: str, end: SshEnd, user: User) -> None:
    """A host key that is not the known one is refused, and the user is told to compare it."""
    right = end.known_hosts.read_text()
    end.known_hosts.write_text(known.format(ADDRESS) + "\n")
    try:
        answer = user.runs("check", TARGET, "--json")
    finally:
        end.known_hosts.write_text(right)
    _assert_out_of_reach(answer, TARGET, "shows a host key that is not in your known_hosts")


@pytest.mark.parametrize(
    ("name", "said"),
    [(ADDRESS, "both ends are the same host: "), ("127.0.0.1", "127.0.0.1 leads back to the near end itself: ")],
)
def test_own_host(name: str, said: str, end: SshEnd, user: User) -> None:
    """A name that leads back is refused before anything is sent."""
    key = end.known_hosts.read_text()
    end.known_hosts.write_text(key + key.replace(ADDRESS, "127.0.0.1"))
    try:
        answer = replace(user, before=IN_FAR).runs("check", f"root@{name}", "--json")
    finally:
        end.known_hosts.write_text(key)
    assert (2, "", f"fullrate: {said}") == (answer.code, answer.stdout, answer.stderr[: 10 + len(said)])


def test_no_iperf3_there(end: SshEnd, user: User) -> None:
    """Without the traffic program the last-resort sender measures; that it did, and what to install, is said."""
    with sshd(end, port=2201, without="iperf3"):
        answer = user.runs("check", f"{TARGET}:2201", "--link-speed", "1G", "--json")
    document = answer.document
    assert (0, "", "full") == (answer.code, answer.stderr, document["verdict"]["state"])
    assert f"{TARGET}:2201 has no iperf3: apt-get install iperf3 there" in document["notes"]
    assert {"python"} == {one["program"].split()[0] for one in document["measurements"]}
    assert all("last-resort sender" in one["warnings"][0] for one in document["measurements"])


@pytest.mark.long
def test_a_shaper_is_found_without_iperf3_there(end: SshEnd, user: User) -> None:
    """The last resort leads to the same cause."""
    assert 0 == user.runs("lab", "break", "tc-shaper").code
    try:
        with sshd(end, port=2204, without="iperf3"):
            answer = user.runs("check", f"{TARGET}:2204", "--link-speed", "1G", "--json")
    finally:
        user.runs("lab", "heal")
    assert (1, "tc-shaper") == (answer.code, answer.document["verdict"]["cause"])


@pytest.mark.long
def test_no_ethtool_there(end: SshEnd, user: User) -> None:
    """Without a tool that only informs, the answer stands, and what was not seen is said."""
    with sshd(end, port=2202, without="ethtool"):
        answer = user.runs("check", f"{TARGET}:2202", "--link-speed", "1G", "--json")
    assert (0, "", "full") == (answer.code, answer.stderr, answer.document["verdict"]["state"])
    assert {"not there: ENOENT"} == _gaps(answer.document, "far", "ethtool")


def test_own_namespace(user: User) -> None:
    """A namespace can be named from within."""
    answer = user.runs("collect", "--with", *NAMESPACES, "--json")
    assert ("", {"near": True, "far": True}) == (answer.stderr, _facts(answer.document))


@pytest.mark.parametrize(
    "argv",
    [
        ("check", "root@\x1b[31mred"),
        ("check", "ro ot@host"),
        ("check", "a host"),
        ("check", ""),
        ("check", "root@host:99999"),
        ("check", "root@-oProxyCommand=id"),
        ("check", "netns:"),
        ("check", "netns:\x1b[31mred"),
        ("check", b"netns:\xff\xfe"),
        ("check", "lab:\x1b]0;title\x07"),
        ("check", "lab:", "--from", "netns:\x1b[2J"),
        ("check", "lab:", "--link-speed", "\x1b[2J"),
        ("check", "lab:", "--port", "\u202e1-2"),
        ("check", "lab:", "-o", "no such folder\x1b/file"),
        ("check", b"root@\xff\xfe"),
        ("check", "lab:", "--interface", b"\xff\xfe"),
        ("check", "lab:", "--bind", b"\xff\xfe"),
        ("check", "lab:", "--bind", "nonsense"),
        ("check", "lab:", "--from", b"\xff\xfe"),
        ("diagnose", "\x1b[31mnot there\xff"),
    ],
    ids=repr,
)
def test_bad_words(argv: tuple[str | bytes, ...], host_user: User) -> None:
    """A word that cannot be meant is a matter of usage: one printable line, and no document."""
    answer = host_user.runs(*argv, "--json")
    assert (2, "", 1) == (answer.code, answer.stdout, len(answer.complaints))
    assert answer.complaints[0].isprintable()
    assert answer.complaints[0].startswith("fullrate: ")


def test_no_such_namespace(host_user: User) -> None:
    """A namespace that is not there is said to be so; the near end was read."""
    answer = host_user.runs("check", "netns:not there", "--json")
    assert (3, "") == (answer.code, answer.stderr)
    assert answer.document["verdict"]["summary"].startswith("there is no network namespace not there: `ip netns list`")
    assert {"near": True, "far": False} == _facts(answer.document)


@pytest.mark.long
def test_odd_interface(host_user: User) -> None:
    """The kernel allows nearly every byte in a link's name, so it can be tested and shown like any other."""
    job = (*NAMESPACES, "--interface", ODD, "--link-speed", "1G", "--max-rate", "1G", "--max-seconds", "3")
    with direct(ODD):
        answer = host_user.runs("check", *job)
    assert (0, "") == (answer.code, answer.stderr)
    assert f"{neutral(ODD)} (veth)" in answer.stdout
    assert all(line.isprintable() for line in answer.stdout.splitlines())


def test_odd_interface_hides_no_other(host_user: User) -> None:
    """A name that is not even UTF-8 leaves the other links as they are."""
    with direct(b"b\xff\xfed"):
        answer = host_user.runs("collect", "--with", *NAMESPACES, "--json")
    assert "" == answer.stderr
    assert {"lo", "wire0", "cpu0"} < {link["subject"] for link in answer.document["ends"]["far"]["facts"]["Link"]}


@pytest.mark.parametrize(
    ("says", "reason"),
    [
        ("printf 'Settings \\000\\377 ]]] {{{ \\033[31m 12:34\\n'", "unreadable"),
        pytest.param("head -c 20000000 /dev/zero", "output cut at", marks=pytest.mark.long),
        pytest.param("echo 'Einstellungen für wire0: Verbindung erkannt: ja'", "unreadable", marks=pytest.mark.long),
    ],
    ids=["garbage", "endless", "german"],
)
def test_tool_talks_nonsense(says: str, reason: str, tmp_path: Path, host_user: User) -> None:
    """What a tool says that cannot be read is a gap with the reason; the rest of the answer stands."""
    tool = tmp_path / "tools" / "ethtool"
    tool.parent.mkdir()
    tool.write_text(f"#!/bin/sh\n{says}\n")
    tool.chmod(0o755)
    user = User(state=host_user.state, tools=tool.parent)
    answer = user.runs("check", "lab:", "--json")
    assert (0, "", "full") == (answer.code, answer.stderr, answer.document["verdict"]["state"])
    assert any(reason in gap for gap in _gaps(answer.document, "near", "ethtool"))


@pytest.mark.long
def test_a_user_who_reads_german(tmp_path: Path, host_user: User) -> None:
    """Tools that would answer in the user's language are asked in English, at both ends."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("ethtool", "tc", "ip"):
        real = shutil.which(name)
        (tools / name).write_text(f'#!/bin/sh\ncase $LC_ALL in C) exec {real} "$@";; esac\necho Unbekannte Ausgabe\n')
        (tools / name).chmod(0o755)
    german = ("env", "LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8", "LANGUAGE=de")
    answer = User(state=host_user.state, tools=tools, before=german).runs("check", "lab:", "--json")
    assert (0, "", "full") == (answer.code, answer.stderr, answer.document["verdict"]["state"])
    assert not any("unreadable" in gap["reason"] for end in answer.document["ends"].values() for gap in end["gaps"])


def _on_full_disk(folder: Path) -> tuple[str, ...]:
    """What runs before the program: a file system of 64 kB in a mount namespace; at the end it lists what is there."""
    script = 'mount -t tmpfs -o size=64k tmpfs "$0"; "$@"; code=$?; ls -A "$0" >&2; exit $code'
    return ("unshare", "--mount", "sh", "-c", script, str(folder))


def test_no_room_for_the_bundle(tmp_path: Path, host_user: User) -> None:
    """A bundle that does not fit is told after the answer was given, and no part of it stays."""
    full = tmp_path / "full"
    full.mkdir()
    user = User(state=host_user.state, before=_on_full_disk(full))
    answer = user.runs("check", "lab:", "-o", str(full / "run.fullrate"), "--json")
    assert "full" == answer.document["verdict"]["state"]
    assert (3, 1) == (answer.code, len(answer.complaints))
    assert answer.complaints[0].endswith("No space left on device; name another file with -o")


def test_no_room_to_keep_the_run(tmp_path: Path, host_user: User) -> None:
    """A run that cannot be kept is an answer all the same, and says so."""
    full = tmp_path / "full"
    full.mkdir()
    user = User(state=full, tools=host_user.tools, before=_on_full_disk(full))
    answer = user.runs("check", "lab:", "--json")
    assert (0, ["fullrate"]) == (answer.code, answer.complaints)
    assert ["this run is not kept: cannot write"] == [note[:34] for note in answer.document["notes"]]


@pytest.mark.parametrize("target", ["lab:", TARGET])
def test_interrupted(target: str, host_user: User, user: User) -> None:
    """Ctrl-C, which every process of the terminal gets, ends the job in order: facts so far, one sentence, exit 130."""
    someone = host_user if target == "lab:" else user
    standing, process = someone.processes(), someone.start("check", target, "--json")
    someone.await_trial(standing, seconds=1.0)
    started = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    answer = finish(process, started)
    assert (130, ["fullrate: stopped; nothing of it is left running"]) == (answer.code, answer.complaints)
    assert {"near": True, "far": True} == _facts(answer.document)
    assert "stopped by the user" in answer.document["notes"]
    assert answer.seconds < 5.0


@pytest.mark.parametrize(
    ("job", "said"),
    [(NAMESPACES, "the link frt-l0 is gone"), ((f"root@{DIRECT}",), f"the connection to root@{DIRECT} broke")],
    ids=["netns", "ssh"],
)
def test_interface_gone(job: tuple[str, ...], said: str, user: User) -> None:
    """A link that disappears while it is tested leaves it undecided, in bounded time, with the facts so far."""
    with direct("frt-l0"):
        standing = user.processes()
        process = user.start("check", *job, "--interface", "frt-l0", "--link-speed", "1G", "--max-rate", "1G", "--json")
        user.await_trial(standing, seconds=1.0)
        started = time.monotonic()
        shell("ip", "-n", NEAR, "link", "del", "frt-l0")
        answer = finish(process, started)
    assert (3, "") == (answer.code, answer.stderr)
    assert said in answer.document["verdict"]["summary"]
    assert {"near": True, "far": True} == _facts(answer.document)
    assert answer.seconds < 10.0


@pytest.mark.parametrize(
    ("doing", "said"),
    [
        (
            ("set frt-l0 down", "set frt-l0 name frt-new", "set frt-new up"),
            "the link frt-l0 was renamed to frt-new during the test",
        ),
        (("set frt-l0 down",), "the link frt-l0 went down during the test"),
    ],
    ids=["renamed", "down"],
)
def test_interface_changes(doing: tuple[str, ...], said: str, user: User) -> None:
    """A link that gets another name, or goes down, while it is tested: one sentence says so, with the facts so far."""
    with direct("frt-l0"):
        standing = user.processes()
        job = (*NAMESPACES, "--interface", "frt-l0", "--link-speed", "1G", "--max-rate", "1G")
        process = user.start("check", *job, "--json")
        user.await_trial(standing, seconds=1.0)
        started = time.monotonic()
        for words in doing:
            shell("ip", "-n", NEAR, "link", *words.split())
        answer = finish(process, started)
        shell("ip", "-n", NEAR, "link", "del", doing[-1].split()[1])
    assert (3, "") == (answer.code, answer.stderr)
    assert said in answer.document["verdict"]["summary"]
    assert {"near": True, "far": True} == _facts(answer.document)
    assert answer.seconds < 10.0
