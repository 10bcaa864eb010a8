"""What OpenSSH, a login shell and sudo say when a host cannot be used, and what that means. Pure."""

import re
from enum import Enum, auto

from fullrate.host.wire import printable


class Way(Enum):
    """What was to be started on the host."""

    PYTHON = auto()
    AGENT = auto()


TOO_OLD = "SyntaxError"  # what an older Python says of the agent, or of mitogen
_NO_PYTHON = "has no Python at {program}: install python3 there, or say where it is"
_OLD_PYTHON = "has a Python at {program} that is older than 3.6: install a newer one there, or say where it is"
_NO_AGENT = "has no agent at {program}: `fullrate agent` writes it; copy it there and make it executable"
_PERMISSION = "lets you not in: `ssh` to it must work without a password (key in ssh-agent)"
_HOST_KEY = (
    "shows a host key that is not in your known_hosts, or is another than there: "
    "connect once with `ssh`, compare the fingerprint, and find out why it changed if it did"
)
# `sudo -n` says no more of a user whom it would refuse after a password.
_SUDO_ASKS = (
    "lets this user become root with a password only, if at all: its sudoers need a NOPASSWD line for the user, "
    "or log in as root; without --sudo all is read that the user may read"
)
_NO_SUDO = "has no sudo: install it there, or log in as root and leave --sudo out"
_SUDO_REFUSES = (
    "does not let this user become root: `sudo -l` there shows what its sudoers allow; "
    "without --sudo all is read that the user may read"
)
_SUDO_TERMINAL = "lets sudo run on a terminal only: switch requiretty off for this user in its sudoers"
_SUDO_BROKEN = "cannot run sudo: see that `sudo -n id -u` prints 0 there"
_NO_SHELL = "gives this user no shell, its login shell is nologin or the like: log in as another user"

# the first that is found
_OF_SSH = (
    (r"Could not resolve hostname", "has no address: check the name, or add it to your ssh configuration"),
    (r"Connection refused", "refuses the connection: see that sshd runs there and on which port"),
    (r"timed out", "does not answer: see that it is up and that no firewall drops the port"),
    (r"No route to host|Network is unreachable", "cannot be reached from here: check the route to it"),
    (r"Permission denied \((?:publickey|password|keyboard-interactive|gssapi|hostbased)", _PERMISSION),
    (r"Host key verification failed", _HOST_KEY),
    (r"This account is (?:currently )?not available", _NO_SHELL),  # nologin(8)
)
# sudo(8), plugins/sudoers: check.c, logging.c, sudoers.c; a shell's `exec: sudo: not found`
_OF_SUDO = (
    (r"sudo: (?:a password is required|a terminal is required)", _SUDO_ASKS),
    (r"is not in the sudoers file|not allowed to (?:execute|run sudo)|may not run sudo", _SUDO_REFUSES),
    (r"you must have a tty", _SUDO_TERMINAL),
    (r"exec: (?:line \d+: )?sudo: (?:command )?not found", _NO_SUDO),
)
# sh, bash and csh put the program first, zsh and fish last
_OF_PYTHON = (
    (r"{program}.*(?:not found|No such file)|Unknown command: {program}", _NO_PYTHON),
    (TOO_OLD, _OLD_PYTHON),
)
_OF_AGENT = (
    (r"{program}.*(?:not found|No such file|Permission denied|cannot execute)|Unknown command: {program}", _NO_AGENT),
    (r"python3\W*(?:: |:\s*).*(?:not found|No such file)", _NO_PYTHON.replace("{program}", "python3")),
    (TOO_OLD, _OLD_PYTHON.replace("{program}", "python3")),
)
_SUDO_SAID = ((r"^sudo: ", _SUDO_BROKEN),)
_BY_WAY = {Way.PYTHON: _OF_PYTHON, Way.AGENT: _OF_AGENT}


def meaning(words: str, program: str, way: Way = Way.PYTHON) -> str:
    """What to tell the user, after the host's name."""
    for pattern, told in (*_OF_SSH, *_BY_WAY[way], *_OF_SUDO, *_SUDO_SAID):
        if re.search(pattern.replace("{program}", re.escape(program)), words, re.MULTILINE):
            return told.format(program=printable(program)) + _tried(words)
    return f"cannot be used over ssh: {printable(_last(words))}; see that `ssh` to it works"


def _tried(words: str) -> str:
    """The address that ssh could not connect to: the user named another, or it is a jump host's."""
    found = re.search(r"connect to (?:host|address) (\S+) port (\d+)", words)
    return f" (ssh tried {printable(found[1])} port {found[2]})" if found else ""


def lacks_python(told: str) -> bool:
    """Whether this is the meaning that no agent can run there, while a shell might."""
    return told.startswith(("has no Python at ", "has a Python at "))


def too_old(program: str) -> str:
    """What to tell of a Python that cannot read the agent."""
    return _OLD_PYTHON.format(program=printable(program))


def _last(words: str) -> str:
    """What ssh or the far shell said last."""
    lines = [line for line in words.splitlines() if line.strip()]
    return lines[-1] if lines else "it closed the connection without a word, as a login shell like false does"
