"""A host over the user's own OpenSSH client, with its configuration, keys, jump hosts and known_hosts."""

import os
import re
from collections.abc import Sequence
from functools import partial
from typing import Any

import mitogen.core
import mitogen.parent
import mitogen.ssh

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

_TOO_OLD = "SyntaxError"  # what an older Python says of the agent, or of mitogen
_NONE = "has no Python at {python}: install python3 there, or say where it is"
_OLD = "has a Python at {python} that is older than 3.6: install a newer one there, or say where it is"
# what OpenSSH and a login shell say, and what that means; the first that is found
_WORDS = (
    (r"Could not resolve hostname", "has no address: check the name, or add it to your ssh configuration"),
    (r"Connection refused", "refuses the connection: see that sshd runs there and on which port"),
    (r"timed out", "does not answer: see that it is up and that no firewall drops the port"),
    (r"No route to host|Network is unreachable", "cannot be reached from here: check the route to it"),
    (r"Permission denied", "lets you not in: `ssh` to it must work without a password (key in ssh-agent)"),
    (r"{python}.*(?:not found|No such file)", _NONE),
    (_TOO_OLD, _OLD),
)
_HOST_KEY = (
    "shows a host key that is not in your known_hosts, or is another than there: "
    "connect once with `ssh`, compare the fingerprint, and find out why it changed if it did"
)
_PERMISSION = _WORDS[4][1]


class _Connection(mitogen.ssh.Connection):  # type: ignore[misc]  # it carries no types
    # A session of its own: Ctrl-C at the terminal ends the job in order, not the connection under it.
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
            "python_path": python_path,
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
            if _TOO_OLD in str(error):  # the agent got there and could not be read
                raise NoPythonError(f"{printable(target.text)} {_OLD.format(python=python_path)}") from error
            raise


def shell_of(target: Target, *, ssh_args: Sequence[str] = (), connect_within: Seconds = CONNECT_WITHIN) -> ShellHost:
    """The host of a target where SshHost finds no Python, to be read with its shell. Errors as SshHost."""
    _see_name(target)
    options = {
        "BatchMode": "yes",
        "StrictHostKeyChecking": "yes",
        "Compression": "no",
        "ServerAliveInterval": int(_KEEPALIVE),
        "ServerAliveCountMax": _UNANSWERED,
        "ConnectTimeout": max(1, round(connect_within)),
    }
    argv = (
        *("ssh", "-T", *ssh_args, *_NO_MASTER),
        *(word for name, value in options.items() for word in ("-o", f"{name}={value}")),
        *(("-l", target.user) if target.user else ()),
        *(("-p", str(target.port)) if target.port else ()),
        *(target.name, "sh"),
    )
    return ShellHost(target.text, argv, lacks="has no Python 3.6 or later")


def _see_name(target: Target) -> None:
    """Raise UsageError on a name that ssh would take for something else."""
    for part in (target.name, target.user or ""):
        if part.startswith("-") or not part.isprintable() or " " in part:
            raise UsageError(f"{printable(target.text)} names no host: write user@host or user@host:port")


def _connect(text: str, options: dict[str, Any], router: Mitogen) -> Mitogen:
    try:
        return router._connect(_Connection, **options)  # noqa: SLF001 - as router.ssh, but for the class
    except mitogen.core.StreamError as error:
        meaning = _meaning(error, options["python_path"])
        about_python = meaning in {one.format(python=printable(options["python_path"])) for one in (_NONE, _OLD)}
        raise (NoPythonError if about_python else TargetError)(f"{printable(text)} {meaning}") from error


def _meaning(error: mitogen.core.StreamError, python: str) -> str:
    """What to tell the user, after the host's name."""
    if isinstance(error, mitogen.ssh.HostKeyError):
        return _HOST_KEY
    if isinstance(error, mitogen.ssh.PasswordError):
        return _PERMISSION
    words = str(error)
    for pattern, meaning in _WORDS:
        if re.search(pattern.replace("{python}", re.escape(python)), words):
            return meaning.format(python=printable(python))
    return f"cannot be used over ssh: {printable(_said(words))}; see that `ssh` to it works"


def _said(words: str) -> str:
    """What ssh or the far shell said last."""
    lines = [
        line for line in words.splitlines() if line.strip() and line != mitogen.parent.Connection.eof_error_msg.strip()
    ]
    return lines[-1] if lines else "it closed the connection without a word"
