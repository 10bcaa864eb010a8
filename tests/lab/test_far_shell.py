"""Far ends as they are found: without Python, with slow or talkative login scripts, with a home nobody can write."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.driving import Answer, Document, User, lab
from lab.far_end import wait_until
from lab.ssh_end import TARGET, SshEnd, home, make, path_without, sshd

pytestmark = pytest.mark.lab

NOISE = "echo Welcome to nas; printf 'no newline'; echo be careful >&2\n"
SLOW = "sleep 3\n"
PROFILES = {"plain": "", "slow": SLOW, "noisy": NOISE}
PORT = 2211


@pytest.fixture(scope="module")
def end(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshEnd]:
    """Keys for an sshd in the far end of a lab."""
    with lab():
        made = make(tmp_path_factory.mktemp("ssh"))
        (made.folder / "banner").write_text("Authorised use only\n*** 100% ***\n")
        yield made


@pytest.fixture(scope="module")
def bare(end: SshEnd) -> str:
    """A PATH without Python."""
    return path_without(end, "python")


@pytest.fixture
def user(end: SshEnd, tmp_path: Path) -> Iterator[User]:
    """A user in the near end, of whom nothing is left afterwards."""
    user = end.user(tmp_path)
    standing = user.processes()
    yield user
    wait_until(lambda: [] == user.left(standing), 5.0)


def collected(user: User, end: SshEnd, *settings: str) -> Answer:
    """What collecting both ends says, the far one's sshd having these settings."""
    with sshd(end, port=PORT, more=(f"Banner {end.folder}/banner", *settings)):
        return user.runs("collect", "--with", f"{TARGET}:{PORT}", "--json")


def kinds(document: Document, of: str = "far") -> set[str]:
    """The kinds of facts that are known of an end."""
    return set(document["ends"][of]["facts"])


@pytest.mark.parametrize("profile", PROFILES)
def test_login_scripts_with_python(profile: str, end: SshEnd, user: User) -> None:
    """They may take their time and say what they like: the agent is told from them."""
    answer = collected(user, end, home(end, f"{profile}-home", profile=PROFILES[profile]))
    assert ("", (), True) == (answer.stderr, tuple(answer.document["notes"]), "Link" in kinds(answer.document))


@pytest.mark.parametrize("profile", PROFILES)
def test_login_scripts_without_python(profile: str, end: SshEnd, user: User, bare: str) -> None:
    """The shell is told from them too, and reads all that an agent reads."""
    answer = collected(user, end, home(end, f"bare-{profile}", profile=PROFILES[profile], path=bare))
    (note,) = answer.document["notes"]
    assert ("", "not_measured") == (answer.stderr, answer.document["verdict"]["state"])
    assert f"{TARGET}:{PORT} has no Python 3.6 or later and was only read, with its shell" in note
    assert kinds(answer.document, "near") <= kinds(answer.document)


def test_a_check_without_python(end: SshEnd, user: User, bare: str) -> None:
    """It is undecided; what is missing, what brings it and how to go on is one sentence."""
    with sshd(end, port=PORT, more=(home(end, "check-home", path=bare),)):
        answer = user.runs("check", f"{TARGET}:{PORT}", "--link-speed", "1G", "--json")
    assert (3, "", "undecided") == (answer.code, answer.stderr, answer.document["verdict"]["state"])
    assert "python3: apt-get install python3 there" in answer.document["verdict"]["summary"]
    assert "`fullrate check iperf3://10.77.2.2`" in answer.document["verdict"]["summary"]
    assert kinds(answer.document, "near") <= kinds(answer.document)


def test_an_old_python(end: SshEnd, user: User, bare: str) -> None:
    """One that cannot read the agent is as good as none."""
    old = end.folder / "old"
    old.mkdir()
    (old / "python3").write_text("#!/bin/sh\necho 'SyntaxError: invalid syntax' >&2\nexit 1\n")
    (old / "python3").chmod(0o755)
    answer = collected(user, end, home(end, "old-home", path=f"{old}:{bare}"))
    assert "has no Python 3.6 or later" in answer.document["notes"][0]


def test_homes_that_cannot_be_written(end: SshEnd, user: User) -> None:
    """Nothing is written to the far one; the near one's run is not kept, which is one sentence and no failure."""
    kept, shut = (collected(one, end, "SetEnv HOME=/proc") for one in (user, end.user(Path("/proc/nowhere"))))
    (note,) = shut.document["notes"]
    assert ("", kept.code) == (shut.stderr, shut.code)
    assert note.startswith("this run is not kept: cannot make /proc/nowhere")
    assert kinds(kept.document) == kinds(shut.document)


def test_a_killed_reader_leaves_no_shell(end: SshEnd, user: User, bare: str) -> None:
    """Its end closes the connection, and the shell ends with that."""
    with sshd(end, port=PORT, more=(home(end, "killed-home", path=bare, profile=SLOW),)):
        standing = user.processes()
        process = user.start("collect", "--with", f"{TARGET}:{PORT}")
        wait_until(lambda: any("-T" in line and line.endswith(" sh") for line in user.left(standing)), 15.0)
        process.kill()
        process.communicate()
        user.await_end(standing, 10.0)
