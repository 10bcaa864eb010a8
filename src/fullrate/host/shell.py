"""A host that has no Python: its own POSIX sh answers what can be read, and nothing else can be done there.

One `sh` reads commands from its standard input and runs each question as a background job, so that it can always be
told to kill one. What it answers is framed by a word made up for this connection:

    WORD7            begins question 7; what came before (a login script's greeting, a killed job) is nobody's
    ...              the payload as it is, bytes of any kind
    WORD7 1          the exit code, after a newline that is not the payload's
    cat: ...         what was said on stderr
    WORD7.

However the shell ends (told to, its input closed, no renewal in time), it first kills what it started.

Needed there: sh, cat, ls, sleep, date, and whatever is asked for. Of POSIX.1-2017 (sh, utilities), and of Linux /proc.
"""

import contextlib
import math
import os
import re
import secrets
import select
import shlex
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from fullrate.host._pipes import CommandPipes
from fullrate.host._shell_replies import Heard, reply_to
from fullrate.host.protocol import ClockOffset, Command, HostId, Process, SamplePlan, Sampling
from fullrate.host.wire import printable, question_of, question_to_guard
from fullrate.records.errors import TargetError
from fullrate.records.evidence import Action, ListGlob, QueryCommand, ReadFile, Reply, Request, Status
from fullrate.records.units import Seconds
from fullrate_agent import LEASE, OUTPUT_LIMIT, READ_TIMEOUT

_READY_WITHIN: Seconds = 45.0  # to connect, log in and run login scripts; as long as an agent is waited for
_MARGIN: Seconds = 5.0  # for the way there and back, beyond what the question itself may take
_RENEW_EVERY: Seconds = 2.0
_END_WITHIN: Seconds = 1.0
_GLOB = re.compile(r"(\*|\?|\[[!\w.:-]+\])")
_BOOT_ID = ReadFile(path="/proc/sys/kernel/random/boot_id")
_NAMESPACE = QueryCommand(argv=("ls", "-l", "/proc/self/ns/net"))  # ... /proc/self/ns/net -> net:[4026531840]
_DATE = QueryCommand(argv=("date", "+%s"))

# proc(5), /proc/PID/stat: behind `(name) ` the first word is the state, the second the parent, the 20th the start.
_PREAMBLE = r"""
LC_ALL=C LANG=C PATH=${PATH:-/usr/local/bin:/usr/bin:/bin}:/usr/local/sbin:/usr/sbin:/sbin
export LC_ALL LANG PATH
if [ -z "${SSH_CONNECTION-}" ]; then # sudo took it away and has it still
    s=$(tr '\0' '\n' <"/proc/$PPID/environ" | sed -n 's/^SSH_CONNECTION=//p')
    [ -z "$s" ] || export SSH_CONNECTION="$s"
fi 2>/dev/null
exec 3>&1 >/dev/null
W=%s
w=
frt_stat() { { read -r l <"/proc/$1/stat"; } 2>/dev/null && l=${l##*) }; }
frt_born() { frt_stat "$1" && set -- $l && echo "${20}"; }
frt_children() {
    for s in /proc/[0-9]*; do
        frt_stat "${s##*/}" && set -- "$1" $l && [ "$3" = "$1" ] && echo "${s##*/}"
    done
}
frt_kill() {
    [ -d "/proc/$1" ] || return
    kill -STOP "$1" 2>/dev/null
    for c in $(frt_children "$1"); do (frt_kill "$c"); done
    kill -KILL "$1" 2>/dev/null
}
frt_end() {
    for c in $(frt_children $$); do
        case $c in "$1") ;; "$w") kill "$w" ;; *) (frt_kill "$c") ;; esac
    done 2>/dev/null
}
frt_watch() {
    s=
    trap 'kill $s' TERM
    sleep %d & s=$!
    wait $s && [ "$(frt_born $$)" = "$b" ] || return
    m=$(exec sh -c 'echo "$PPID"')
    kill -STOP $$
    frt_end "$m"
    kill -KILL $$
}
frt_lease() {
    [ -z "$w" ] || kill "$w" 2>/dev/null
    frt_watch 3>&- </dev/null &
    w=$!
}
b=$(frt_born $$)
trap frt_end EXIT
trap 'exit 1' HUP INT TERM
frt_lease
printf '%%s\n' "$W" >&3
"""
_QUESTION = r"""
printf '%%s\n' "${W}%d" >&3
{ e=$({ %s
} 2>&1 >&3 3>&-); c=$?; printf '\n%%s %%s\n%%s\n%%s\n' "${W}%d" "$c" "$e" "${W}%d." >&3; } </dev/null &
p=$!
"""
_LIST = 'for f in {}; do if [ -e "$f" ] || [ -L "$f" ]; then printf "%s\\n" "$f"; fi; done'
_RUN = 'command -v {} >/dev/null || {{ echo "$W absent" >&2; exit 127; }}\n{}'


class _Shell(CommandPipes):
    """The shell's pipes: what is told it, and what comes back."""

    def __init__(self, argv: Sequence[str]) -> None:
        """Start it."""
        super().__init__(argv)
        self._buffer = b""

    def tell(self, text: str) -> None:
        """Have it carry out a piece of shell. Raises EOFError when it has ended."""
        try:
            self.write(text.encode("utf-8", "surrogateescape"))
        except (OSError, ValueError) as error:  # ValueError: it was closed meanwhile
            raise EOFError from error

    def skip_to(self, mark: str, within: Seconds) -> bool:
        """Whether a mark comes in time; what comes before it is nobody's. Raises EOFError."""
        wanted, end = mark.encode(), time.monotonic() + within
        while (at := self._buffer.find(wanted)) < 0:
            self._buffer = self._buffer[-len(wanted) :]
            if not self._more(end - time.monotonic()):
                return False
        self._buffer = self._buffer[at + len(wanted) :]
        return True

    def until(self, mark: str, within: Seconds) -> bytes | None:
        """What comes before a mark; None when it does not come in time, or too much comes. Raises EOFError."""
        wanted, end, looked = mark.encode(), time.monotonic() + within, 0
        while (at := self._buffer.find(wanted, looked)) < 0:
            looked = max(0, len(self._buffer) - len(wanted))
            if len(self._buffer) > OUTPUT_LIMIT or not self._more(end - time.monotonic()):
                return None
        found, self._buffer = self._buffer[:at], self._buffer[at + len(wanted) :]
        return found

    def _more(self, within: Seconds) -> bool:
        """Whether something came. Raises EOFError."""
        try:
            if not select.select([self._from], [], [], max(0.0, within))[0]:
                return False
            new = os.read(self._from.fileno(), 1 << 16)
        except (OSError, ValueError) as error:
            raise EOFError from error
        if not new:
            raise EOFError
        self._buffer += new
        return True

    def forget(self) -> bytes:
        """What has come so far; it is nobody's from now on."""
        found, self._buffer = self._buffer, b""
        return found

    def said(self) -> str:
        """Its last line on stderr."""
        lines = self.complaints().decode(errors="replace").split("\n")
        return next((printable(line) for line in reversed(lines) if line.strip()), "without a word")

    def exit(self) -> None:
        """Ask it to exit; then end the connection."""
        with contextlib.suppress(EOFError):
            self.tell("exit\n")
        self.end(_END_WITHIN)
        self.close()


class ShellHost:
    """A host behind a command that runs `sh` there, like `ssh nas sh`."""

    def __init__(self, label: str, argv: Sequence[str], *, lacks: str) -> None:
        """Open it; `lacks` says why it can only be read. Raises TargetError with the command's last words."""
        self._label = printable(label)
        self._lacks = lacks
        self._word = f"frt-{secrets.token_hex(16)}"
        self._asked = 0
        self._closing = threading.Event()
        self._offset = ClockOffset(seconds=0.0, uncertainty=0.0)
        self._shell = _Shell(argv)
        with ExitStack() as undo:
            undo.callback(self.close)
            self._begin()
            undo.pop_all()
        threading.Thread(target=self._keep_lease, name=f"lease of {self._label}", daemon=True).start()

    def _begin(self) -> None:
        with self._noticing_its_end():
            self._shell.tell(_PREAMBLE % (self._word, round(LEASE)))
            if not self._shell.skip_to(f"{self._word}\n", _READY_WITHIN):
                raise TargetError(f"the shell of {self.label} does not answer: see that `ssh` to it gives a prompt")
        self._offset = self._compare()

    @contextlib.contextmanager
    def _noticing_its_end(self) -> Iterator[None]:
        try:
            yield
        except EOFError as error:
            raise TargetError(
                f"the connection to the shell of {self.label} broke: {self._shell.said()}; see that the host is up"
            ) from error

    @property
    def label(self) -> str:
        """How messages name it."""
        return self._label

    @property
    def reads_only(self) -> str:
        """What it lacks to be more than read."""
        return self._lacks

    def identify(self) -> HostId:
        """Which kernel and network namespace this is."""
        boot_id, listed = (reply.payload.decode(errors="replace") for reply in self.ask((_BOOT_ID, _NAMESPACE)))
        inode = re.search(r"net:\[(\d+)\]", listed)
        return HostId(boot_id=boot_id.strip(), namespace=int(inode[1]) if inode else 0)

    def ask(self, requests: Sequence[Request]) -> tuple[Reply, ...]:
        """Answer every request, in order; a failed one has a status, it does not raise."""
        if self._closing.is_set():
            raise TargetError(f"{self.label} is closed: open it again")
        with self._noticing_its_end():
            return tuple(map(self._answer, requests))

    def _answer(self, request: Request) -> Reply:
        started, body = self._now(), _body(request)
        if body is None:
            return Reply(request=request, status=Status.UNSUPPORTED, started=started, finished=started)
        heard = self._hear(body, request.timeout if isinstance(request, QueryCommand) else READ_TIMEOUT)
        return reply_to(request, heard, absent=f"{self._word} absent", started=started, finished=self._now())

    def _hear(self, body: str, within: Seconds) -> Heard:
        """What a piece of shell answers in its time; then it is killed, with all it started. Raises EOFError."""
        self._asked += 1
        number, mark = self._asked, f"{self._word}{self._asked}"
        self._shell.tell(_QUESTION % (number, body, number, number))
        if not self._shell.skip_to(f"{mark}\n", _MARGIN):
            raise EOFError
        payload = self._shell.until(f"\n{mark} ", within)
        if payload is None:
            self._shell.tell('frt_kill "$p"\n')
            return Heard(payload=self._shell.forget())
        rest = self._shell.until(f"\n{mark}.\n", _MARGIN)
        if rest is None:
            raise EOFError
        code, _, said = rest.decode(errors="replace").partition("\n")
        return Heard(payload=payload, code=int(code), said=said)

    def _now(self) -> Seconds:
        return time.time() + self._offset.seconds

    def perform(self, action: Action) -> Reply:
        """Nothing is ever changed over a bare shell: unsupported."""
        return Reply(request=question_of(action), status=Status.UNSUPPORTED, started=self._now(), finished=self._now())

    def guard(self, *words: str, text: str = "", timeout: Seconds = 0.0) -> Reply:  # noqa: ARG002 - the same signature
        """Nothing is ever changed over a bare shell: unsupported."""
        request = question_to_guard(*words)
        return Reply(request=request, status=Status.UNSUPPORTED, started=self._now(), finished=self._now())

    def launch(self, command: Command) -> Process:
        """Nothing can be started. Raises TargetError."""
        raise TargetError(f"cannot start {printable(command.argv[0])} on {self.label}: it {self._lacks}")

    def sample(self, plan: SamplePlan) -> Sampling:
        """Nothing can be sampled. Raises TargetError."""
        raise TargetError(f"cannot sample {len(plan.table)} counters on {self.label}: it {self._lacks}")

    def clock_offset(self) -> ClockOffset:
        """Its clock against ours when it was opened, to a second."""
        return self._offset

    def _compare(self) -> ClockOffset:
        before = time.time()
        told = self.ask([_DATE])[0].payload.strip()
        after = time.time()
        if not told.isdigit():
            return ClockOffset(seconds=0.0, uncertainty=math.inf)
        seconds = int(told) + 0.5 - (before + after) / 2  # date(1) leaves the fraction out
        return ClockOffset(seconds=seconds, uncertainty=0.5 + (after - before) / 2)

    def renew(self) -> None:
        """Renew the lease: the shell ends after 8 s without one; on a broken connection nothing happens."""
        with contextlib.suppress(EOFError):
            self._shell.tell("frt_lease\n")

    def _keep_lease(self) -> None:
        while not self._closing.wait(_RENEW_EVERY):
            self.renew()

    def close(self) -> None:
        """End the shell and the connection."""
        if not self._closing.is_set():
            self._closing.set()
            self._shell.exit()


def _body(request: Request) -> str | None:
    """The piece of shell that answers a request; None: a shell cannot."""
    match request:
        case ReadFile(path=path):
            return f"cat {shlex.quote(path)}"
        case ListGlob(pattern=pattern):
            return _LIST.format(_quoted(pattern))
        case QueryCommand(argv=argv):
            return _RUN.format(shlex.quote(argv[0]), shlex.join(argv))
        case _:
            return None


def _quoted(pattern: str) -> str:
    """A shell pattern of which only the wildcards are left to the shell."""
    return "".join(part if at % 2 else shlex.quote(part) for at, part in enumerate(_GLOB.split(pattern)) if part)
