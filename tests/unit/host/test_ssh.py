"""What ssh's failures are turned into, and which names are refused before ssh sees them."""

import mitogen.parent
import mitogen.ssh
import pytest

from fullrate.host import ssh
from fullrate.host.ssh import SshHost, _connect, _meaning, shell_of
from fullrate.records.errors import NoPythonError, TargetError, UsageError
from fullrate.records.target import Target, TargetKind

EOF_WORDS = mitogen.parent.Connection.eof_error_msg


@pytest.mark.parametrize(
    ("meaning", "words"),
    [
        ("has no address", "ssh: Could not resolve hostname nas: Name or service not known"),
        ("refuses the connection", "ssh: connect to host nas port 22: Connection refused"),
        ("does not answer", "ssh: connect to host nas port 22: Connection timed out"),
        ("does not answer", "Connection timed out."),
        ("cannot be reached from here", "ssh: connect to host nas port 22: No route to host"),
        ("lets you not in", "joe@nas: Permission denied (publickey)."),
        ("has no Python at python3", "bash: line 1: python3: command not found"),
        ("has no Python at python3", "sh: 1: python3: not found"),
        ("has a Python at python3 that is older than 3.6", '  File "<string>", line 1\nSyntaxError: invalid syntax'),
        ("has no Python at python3", "zsh:1: no such file or directory: python3\npython3: No such file or directory"),
    ],
)
def test_meaning_of_ssh_words(meaning: str, words: str) -> None:
    """Each failure that a user can mend has its own sentence."""
    assert _meaning(mitogen.parent.EofError(EOF_WORDS + words), "python3").startswith(meaning)


def test_host_key() -> None:
    """A wrong or unknown host key says to compare the fingerprint."""
    assert "fingerprint" in _meaning(mitogen.ssh.HostKeyError("x"), "python3")


def test_password() -> None:
    """A host that wants a password says what works instead."""
    assert "without a password" in _meaning(mitogen.ssh.PasswordError("x"), "python3")


def test_other_words_are_passed_on() -> None:
    """What we do not know is quoted, without what a terminal would act on."""
    meaning = _meaning(mitogen.parent.EofError(f"{EOF_WORDS}first\nThis account is \x1b[31mclosed.\n"), "python3")
    assert "cannot be used over ssh: This account is ?[31mclosed.; see that `ssh` to it works" == meaning


def test_silent_end() -> None:
    """A connection that ends without a word says so."""
    assert "without a word" in _meaning(mitogen.parent.EofError(EOF_WORDS), "python3")


def test_missing_file_of_ssh_is_not_a_missing_python() -> None:
    """Only a message about the interpreter blames the interpreter."""
    words = f"{EOF_WORDS}exec of 'nc' failed: No such file or directory"
    assert "no Python" not in _meaning(mitogen.parent.EofError(words), "python3")


@pytest.mark.parametrize(
    ("name", "user"), [("-oProxyCommand=true", None), ("nas", "-x"), ("a b", None), ("nas\x1b", None)]
)
def test_names_that_ssh_could_take_for_options(name: str, user: str | None) -> None:
    """A name that is no name never reaches ssh."""
    with pytest.raises(UsageError, match="names no host"):
        SshHost(Target(kind=TargetKind.SSH, text="x", name=name, user=user))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (NoPythonError, "sh: 1: python3: not found"),
        (NoPythonError, "SyntaxError: invalid syntax"),
        (TargetError, "joe@nas: Permission denied (publickey)."),
    ],
)
def test_what_python_lacks_is_told_from_what_ssh_lacks(kind: type[TargetError], words: str) -> None:
    """Only then its shell can answer."""

    class Router:
        def _connect(self, *_: object, **__: object) -> None:
            raise mitogen.parent.EofError(EOF_WORDS + words)

    with pytest.raises(TargetError) as raised:
        _connect("joe@nas", {"python_path": "python3"}, Router())
    assert kind is type(raised.value)


def test_the_shell_is_reached_as_the_agent_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's own ssh, which asks for nothing and accepts no new host key."""
    lines: list[str] = []
    monkeypatch.setattr(ssh, "ShellHost", lambda _, argv, lacks: lines.append(" ".join(argv) + lacks))
    shell_of(Target(kind=TargetKind.SSH, text="x", name="nas", user="joe", port=2222), connect_within=4.0)
    options = "BatchMode=yes StrictHostKeyChecking=yes Compression=no ServerAliveInterval=2 ServerAliveCountMax=2"
    words = "".join(f"-o {option} " for option in (*options.split(), "ConnectTimeout=4"))
    assert [f"ssh -T -o ControlMaster=no {words}-l joe -p 2222 nas shhas no Python 3.6 or later"] == lines
