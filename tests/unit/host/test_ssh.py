"""What ssh's failures are turned into, and which names are refused before ssh sees them."""

from dataclasses import replace

import mitogen.parent
import mitogen.ssh
import pytest

from fullrate.host import ssh
from fullrate.host.piped import Explain
from fullrate.host.ssh import SshHost, _connect, agent_of, shell_of
from fullrate.records.errors import NoPythonError, TargetError, UsageError
from fullrate.records.target import Access, Target, TargetKind

EOF_WORDS = mitogen.parent.Connection.eof_error_msg


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
        _connect("joe@nas", {"python_path": ["python3"]}, Router())
    assert kind is type(raised.value)


NAS = Target(kind=TargetKind.SSH, text="x", name="nas", user="joe", port=2222)
OPTIONS = "BatchMode=yes StrictHostKeyChecking=yes Compression=no ServerAliveInterval=2 ServerAliveCountMax=2"
WORDS = "".join(f"-o {option} " for option in (*OPTIONS.split(), "ConnectTimeout=4"))
REACHED = f"ssh -T -o ControlMaster=no {WORDS}-l joe -p 2222 nas "
AS_ROOT = """sh -c 'if [ "$(id -u)" = 0 ]; then exec "$@"; fi; LC_ALL=C; export LC_ALL; exec sudo -n -- "$@"' sh """


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command lines that would be run, with what is said of them."""
    lines: list[str] = []
    monkeypatch.setattr(ssh, "ShellHost", lambda _, argv, lacks: lines.append(" ".join(argv) + f" {lacks}"))
    monkeypatch.setattr(ssh, "PipedHost", lambda _, argv, path, **__: lines.append(f"{' '.join(argv)} {path}"))
    return lines


def test_the_shell_is_reached_as_the_agent_is(lines: list[str]) -> None:
    """The user's own ssh, which asks for nothing and accepts no new host key."""
    shell_of(NAS, connect_within=4.0)
    assert [f"{REACHED}sh has no Python 3.6 or later"] == lines


def test_an_installed_agent_is_run_as_it_is(lines: list[str]) -> None:
    """By its path alone, so that an administrator can allow just that; a shell must take it for one word."""
    agent_of(replace(NAS, access=Access(agent="/opt/my agent")), connect_within=4.0)
    assert [f"{REACHED}'/opt/my agent' /opt/my agent"] == lines


def test_sudo_stands_before_what_is_run(lines: list[str]) -> None:
    """Only where the user is not root already."""
    root = replace(NAS, access=Access(sudo=True, agent="/opt/agent"))
    agent_of(root, connect_within=4.0)
    shell_of(root, connect_within=4.0)
    assert [f"{REACHED}{AS_ROOT}/opt/agent /opt/agent", f"{REACHED}{AS_ROOT}sh has no Python 3.6 or later"] == lines


@pytest.mark.parametrize("path", ["-x", "/opt/\x1b[31m"])
def test_a_path_that_is_none(path: str) -> None:
    """It never reaches a shell."""
    with pytest.raises(UsageError, match="is no path of an agent"):
        agent_of(replace(NAS, access=Access(agent=path)))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (TargetError, "sh: 1: /opt/agent: not found\n"),
        (NoPythonError, "/usr/bin/env: \u2018python3\u2019: No such file or directory\n"),
    ],
)
def test_what_a_failed_start_of_the_agent_means(
    monkeypatch: pytest.MonkeyPatch, kind: type[TargetError], words: str
) -> None:
    """Without Python its shell can answer."""

    def cannot_start(*_: object, explain: Explain, **__: object) -> None:
        raise explain(words)

    monkeypatch.setattr(ssh, "PipedHost", cannot_start)
    with pytest.raises(TargetError, match=r"^x has no ") as raised:
        agent_of(replace(NAS, access=Access(agent="/opt/agent")))
    assert kind is type(raised.value)
