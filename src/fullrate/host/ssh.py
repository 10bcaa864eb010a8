"""A host over the user's own OpenSSH client, with its configuration, keys, jump hosts and known_hosts."""

import os
import shlex
from collections.abc import Sequence
from functools import partial
from typing import Any

import mitogen.core
import mitogen.parent
import mitogen.ssh

from fullrate.host._ssh_words import TOO_OLD, Way, lacks_python, meaning, too_old
from fullrate.host.piped import PipedHost
from fullrate.host.remote import Mitogen, RemoteHost, agent_name
from fullrate.host.shell import ShellHost
from fullrate.host.wire import printable
from fullrate.records.errors import NoPythonError, TargetError, UsageError
from fullrate.records.target import Target
from fullrate.records.units import Seconds

CONNECT_WITHIN: Seconds = 15.0
_BOOT_WITHIN: Seconds = 30.0  # after the TCP connection: log in, start Python, send mitogen
_KEEPALIVE: Seconds = 2.0
_UNANSWERED = 2  # so many end the connection, after 6 s: before the lease runs out at the far end
_NO_MASTER = ("-o", "ControlMaster=no")  # a shared connection that is open is used, none is left behind

# What runs there instead of a program, with it and its arguments behind: sudo asks for nothing and speaks English.
_AS_ROOT = (
    "sh",
    "-c",
    'if [ "$(id -u)" = 0 ]; then exec "$@"; fi; LC_ALL=C; export LC_ALL; exec sudo -n -- "$@"',
    "sh",
)


class _Setup(mitogen.ssh.SetupProtocol):  # type: ignore[misc]  # the same as below
    # In batch mode ssh asks for nothing. What else speaks of passwords, or of permission, is a login script or sudo;
    # when the connection ends, all that was said is looked at.
    PATTERNS = ()
    PARTIAL_PATTERNS = ()


class _Connection(mitogen.ssh.Connection):  # type: ignore[misc]  # it carries no types
    # A session of its own: Ctrl-C at the terminal ends the job in order, not the connection under it.
    diag_protocol_class = _Setup
    create_child_args = {"preexec_fn": os.setsid}  # noqa: RUF012 - mitogen's own attribute


class SshHost(RemoteHost):
    """TARGET user@host[:port]; nothing is installed there, it needs Python 3.6."""

    def __init__(
        self,
        target: Target,
        *,
        python_path: str = "python3",
        ssh_args: Sequence[str] = (),
        connect_within: Seconds = CONNECT_WITHIN,
    ) -> None:
        """Open it; `ssh_args` go to ssh as they are. Raises TargetError with what to do, UsageError on a bad name."""
        _see_name(target)
        options = {
            "hostname": target.name,
            "username": target.user,
            "port": target.port,
            "check_host_keys": "enforce",
            "python_path": [*_before(target), python_path],
            "compression": False,
            "keepalive_interval": int(_KEEPALIVE),
            "keepalive_count": _UNANSWERED,
            "connect_timeout": connect_within + _BOOT_WITHIN,
            "remote_name": agent_name(),
            "ssh_args": [*ssh_args, *_NO_MASTER, "-o", f"ConnectTimeout={max(1, round(connect_within))}"],
        }
        try:
            super().__init__(target.text, partial(_connect, target.text, options))
        except TargetError as error:
            if TOO_OLD in str(error):  # the agent got there and could not be read
                raise NoPythonError(f"{printable(target.text)} {too_old(python_path)}") from error
            raise


def shell_of(target: Target, *, ssh_args: Sequence[str] = (), connect_within: Seconds = CONNECT_WITHIN) -> ShellHost:
    """The host of a target where SshHost finds no Python, to be read with its shell. Errors as SshHost."""
    argv = _command(target, ("sh",), ssh_args, connect_within)
    return ShellHost(target.text, argv, lacks="has no Python 3.6 or later")


def agent_of(target: Target, *, ssh_args: Sequence[str] = (), connect_within: Seconds = CONNECT_WITHIN) -> PipedHost:
    """The host of a target on which the agent is installed; no code is sent to it. Errors as SshHost."""
    path = target.access.agent
    if not path.isprintable() or path.startswith("-"):
        raise UsageError(f"{printable(path)} is no path of an agent: write --agent /usr/local/bin/fullrate-agent.pyz")

    def explain(words: str) -> TargetError:
        told = meaning(words, path, Way.AGENT)
        return (NoPythonError if lacks_python(told) else TargetError)(f"{printable(target.text)} {told}")

    return PipedHost(target.text, _command(target, (path,), ssh_args, connect_within), path=path, explain=explain)


def _before(target: Target) -> tuple[str, ...]:
    """What runs before a program on the host."""
    return _AS_ROOT if target.access.sudo else ()


def _command(target: Target, argv: Sequence[str], ssh_args: Sequence[str], connect_within: Seconds) -> tuple[str, ...]:
    """The command line that runs a program there. Raises UsageError on a bad name."""
    _see_name(target)
    options = {
        "BatchMode": "yes",
        "StrictHostKeyChecking": "yes",
        "Compression": "no",
        "ServerAliveInterval": int(_KEEPALIVE),
        "ServerAliveCountMax": _UNANSWERED,
        "ConnectTimeout": max(1, round(connect_within)),
    }
    return (
        *("ssh", "-T", *ssh_args, *_NO_MASTER),
        *(word for name, value in options.items() for word in ("-o", f"{name}={value}")),
        *(("-l", target.user) if target.user else ()),
        *(("-p", str(target.port)) if target.port else ()),
        *(target.name, shlex.join((*_before(target), *argv))),
    )


def _see_name(target: Target) -> None:
    """Raise UsageError on a name that ssh would take for something else."""
    for part in (target.name, target.user or ""):
        if part.startswith("-") or not part.isprintable() or " " in part:
            raise UsageError(f"{printable(target.text)} names no host: write user@host or user@host:port")


def _connect(text: str, options: dict[str, Any], router: Mitogen) -> Mitogen:
    try:
        return router._connect(_Connection, **options)  # noqa: SLF001 - as router.ssh, but for the class
    except mitogen.core.StreamError as error:
        words = str(error).removeprefix(mitogen.parent.Connection.eof_error_msg)
        told = meaning(words, options["python_path"][-1])
        raise (NoPythonError if lacks_python(told) else TargetError)(f"{printable(text)} {told}") from error
