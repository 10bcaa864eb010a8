"""The agent: all touching of a machine. One file, standard library only, Python 3.6 syntax, imports nothing of ours.

It runs inside the controller's own process for the local host, and in a mitogen child for a network namespace or a
host behind SSH, where `begin` prepares the process and `serve` takes the calls. Where it is installed as a program,
`main` takes them from its standard input.

Requests: ("read", path) ("list", pattern) ("run", [argv], timeout) ("sockets", [ports]).
Actions: ("write", path, content) ("change", [argv], stdin, timeout).
Replies: (status, payload, error, exit code, started, finished); the last two are wall clock seconds.

Sample frames, big-endian, kept as such in bundles, so this form is for ever:

    u32 size of the rest, u64 sequence number, f64 monotonic, f64 wall clock, u16 count, then `count` readings:
    u16 key number, u16 errno (0: read), f32 seconds the read took, u32 size, bytes

Key numbers index the plan: the fast requests, then the slow ones. A sockets reading holds raw nlmsgs.

As a program it says `fullrate-agent BUILD VERSION` on a line of its own. Then messages go both ways: u32 size,
big-endian, and JSON, bytes in it as {"base64": TEXT}. A call is [number, verb, args]; the answer is [number, error,
result], and frames come as [-number, "", bytes] with the number of their `sample`. `renew` has no answer.
"""

import atexit
import base64
import collections
import contextlib
import errno
import functools
import glob
import itertools
import json
import os
import queue
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

try:
    import ctypes
except ImportError:  # a cut-down Python: children then have no parent-death signal, the lease still ends them
    ctypes = None

LEASE = 8.0  # seconds of silence after which a remote agent ends its children and itself
OUTPUT_LIMIT = 10000000  # bytes of one payload
CUT_TO = 4096  # bytes kept of a longer one: cut anywhere it cannot be read, only looked at
READ_TIMEOUT = 2.0  # some drivers read a register over a slow bus; one that needs longer hangs
AT_ONCE = 4  # programs of one `ask`, on as many CPUs: a small machine has no more, a large one is not to notice
_WATCH_EVERY = 0.25
_GUARD_NAME = "fullrate_guard.py"
_GUARD_PLACES = ("/var/lib/fullrate", "/run/fullrate")  # the second where the first can't be written
_ENDS_WITHIN = (0.0002, 0.005)  # the first and the longest pause before it is looked again whether a program ended
_DRAIN_WITHIN = 0.5  # for the last output after a program's end
_ROOM = 16 << 20  # bytes: iperf3 takes one block, at most 1 MB, for each flow

_STATUS = dict.fromkeys((errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ESRCH, errno.ENOTDIR), "absent")
_STATUS.update(dict.fromkeys((errno.EACCES, errno.EPERM), "denied"))
_STATUS.update(dict.fromkeys((errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS, errno.EPROTONOSUPPORT), "unsupported"))
_STATUS[errno.ETIMEDOUT] = "timed_out"
_ERRNO = {"absent": errno.ENOENT, "denied": errno.EACCES, "unsupported": errno.EOPNOTSUPP, "timed_out": errno.ETIMEDOUT}
_PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": "/", "start_new_session": True}
_NOT_STARTED = (OSError, ValueError, subprocess.SubprocessError)
_PRINTED = (errno.EOPNOTSUPP, errno.EPERM, errno.EACCES, errno.ENODEV)  # looked for in what a failed program says
_CUT = f"output cut at {OUTPUT_LIMIT} bytes"

_FRAME = struct.Struct(">QddH")
_READING = struct.Struct(">HHfI")
_FAST, _SLOW, _RARE = 1, 10, 100  # periods in ticks
_TICK = 0.1
_BATCH = 2  # frames sent together
_SLOW_READ = 0.002
_SLOW_COMMAND = 0.1  # a program's start alone takes longer than a slow read
_SLOW_IN_A_ROW = 5

_PR_SET_PDEATHSIG = 1
_CLONE_NEWNS, _CLONE_NEWNET = 0x00020000, 0x40000000
_MS_BIND, _MS_REC, _MS_SLAVE = 4096, 16384, 1 << 19

# as in linux/inet_diag.h, see sock_diag(7)
_NETLINK_SOCK_DIAG, _SOCK_DIAG_BY_FAMILY, _BYTECODE = 4, 20, 1
_NLMSG_ERROR, _NLMSG_DONE = 2, 3
_NLMSG_HEADER = struct.Struct("=IHHII")
_DUMP_REQUEST = 0x0301  # NLM_F_REQUEST | NLM_F_DUMP
_ESTABLISHED = 1 << 1
_INFO_CONG_SKMEMINFO = 1 << 1 | 1 << 3 | 1 << 6  # bit n - 1 asks for INET_DIAG attribute n: 2, 4, 7
_PORTS = struct.Struct("!HH")
_PORTS_OFFSET = _NLMSG_HEADER.size + 4  # inet_diag_msg: family, state, timer, retrans; then source, destination
_OPS = struct.Struct("=BBHBBHBBHBBHBBHBBHBBHBBHBBH")


class _Guard:
    """Makes calls on a thread of its own and leaves it behind when a call does not come back."""

    def __init__(self):
        self._lock = threading.Lock()
        self._jobs = None

    def call(self, function, timeout):
        """The result of `function()`. Raises its OSError, or TimeoutError."""
        with self._lock:
            if self._jobs is None:
                self._jobs = queue.Queue()
                _start_thread(_work, self._jobs)
            answer = queue.Queue()
            self._jobs.put((function, answer))
            try:
                result, error = answer.get(timeout=timeout)
            except queue.Empty:
                self._jobs.put(None)  # should it ever come back
                self._jobs = None
                raise TimeoutError(errno.ETIMEDOUT, f"no answer within {timeout:g} s") from None
        if error is not None:
            raise error
        return result


def _work(jobs):
    for function, answer in iter(jobs.get, None):
        try:
            answer.put((function(), None))
        except OSError as error:
            answer.put((None, error))


def _start_thread(target, *args):
    thread = threading.Thread(target=target, args=args, name="fullrate-agent")
    thread.daemon = True
    thread.start()
    return thread


class _Kept:
    """Something that is read again and again, or once; after an error it is opened again."""

    def __init__(self, start, read):
        self._start = start
        self._read = read
        self._open = None

    def __call__(self):
        try:
            self._open = self._open or self._start()
            return self._read(self._open)
        except OSError:
            self.close()
            raise

    def close(self):
        if self._open is not None:
            self._open.close()
            self._open = None

    def once(self):
        try:
            return self()
        finally:
            self.close()


def _file(path):
    return _Kept(functools.partial(open, path, "rb", 0, opener=_open_now), _read_from_start)


def _open_now(path, flags):
    return os.open(path, flags | os.O_NONBLOCK)  # a FIFO must not block


def _read_from_start(file):
    """Everything in a file, one block beyond the limit at most."""
    if file.seekable():
        file.seek(0)
    parts, size = [], 0
    while size <= OUTPUT_LIMIT:
        part = file.read(1 << 16)
        if not part:
            break
        parts.append(part)
        size += len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _list(pattern):
    return b"".join(os.fsencode(path) + b"\n" for path in sorted(glob.glob(pattern)))


def _write_file(path, content):
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_TRUNC), "wb", 0) as file:
        file.write(content.encode("utf-8"))
    return b""


def _placed(source):
    """The path of the guard program on disk, written unless it is there. Raises OSError where it can be put nowhere."""
    content, refused = source.encode("utf-8"), None
    for folder in _GUARD_PLACES:
        path = os.path.join(folder, _GUARD_NAME)
        try:
            os.makedirs(folder, 0o700, exist_ok=True)
            if not _holds(path, content):
                _put_file(path, content)
        except OSError as error:
            refused = refused or error
        else:
            return path
    raise refused


def _holds(path, content):
    try:
        with open(path, "rb") as file:
            return file.read() == content
    except FileNotFoundError:
        return False


def _put_file(path, content):
    """Write it whole or not at all, synced to disk: what guards us must be there after a crash."""
    new = f"{path}.{os.getpid()}"
    try:
        with open(new, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.rename(new, path)
        folder = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(new)
        raise


def _source_beside():
    """The guard program's text in the file that this agent was installed as."""
    return sys.modules["__main__"].__loader__.get_source("fullrate_guard")


def _guarded(guard, function, *, timeout=READ_TIMEOUT):
    """The reply of a call that reads or writes."""
    started = time.time()
    try:
        payload = guard.call(function, timeout)
    except OSError as error:
        words = error.strerror if isinstance(error, TimeoutError) else errno.errorcode.get(error.errno, str(error))
        return (_STATUS.get(error.errno, "failed"), b"", words, None, started, time.time())
    if len(payload) > OUTPUT_LIMIT:
        return ("failed", payload[:CUT_TO], _CUT, None, started, time.time())
    return ("ok", payload, "", None, started, time.time())


class _Drain:
    """Collects what comes out of a pipe; beyond the limit it reads on and forgets."""

    def __init__(self, pipe):
        self.data = bytearray()
        self.cut = False
        self._pipe = pipe
        self.join = _start_thread(self._main).join

    def _main(self):
        with self._pipe:
            for chunk in iter(lambda: os.read(self._pipe.fileno(), 1 << 16), b""):
                room = OUTPUT_LIMIT - len(self.data)
                self.data += chunk[:room]
                self.cut = self.cut or len(chunk) > room


class _Child:
    """A program in a session of its own, so that all it starts can be ended with it.

    The kernel kills it when the thread that started it ends: that is the main thread, or one that lives as long.
    """

    def __init__(self, libc, argv, deadline, *, stdin="", placement=((), ())):
        self._lock = threading.RLock()  # a signal handler may come in between
        self.deadline = time.monotonic() + deadline
        self.late = False
        self.exit_code = None
        files = [os.open(path, os.O_WRONLY) for path in placement[1]]
        try:
            with tempfile.TemporaryFile() if stdin else open(os.devnull, "rb") as feed:
                if stdin:
                    feed.write(stdin.encode("utf-8"))
                    feed.seek(0)
                self.started = time.time()
                preparation = _preparation(libc, placement[0], files)
                self._process = subprocess.Popen(
                    list(argv),
                    stdin=feed,
                    env=_environment(),
                    preexec_fn=preparation,  # noqa: PLW1509 - it takes no lock
                    **_PIPES,
                )
        finally:
            for descriptor in files:
                os.close(descriptor)
        self.pid = self._process.pid
        self.out, self.err = _Drain(self._process.stdout), _Drain(self._process.stderr)

    def ended(self):
        """Whether it ended; what is left of its session's group is killed while its process id is still its own."""
        with self._lock:
            if self.exit_code is None and self._is_zombie():
                self.signal(signal.SIGKILL)
                self.exit_code = self._process.wait()
            return self.exit_code is not None

    def _is_zombie(self):
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # someone else took its exit code
            return True

    def signal(self, number):
        with self._lock:
            if self.exit_code is None:
                try:
                    os.killpg(self.pid, number)
                except OSError as error:
                    if error.errno not in (errno.ESRCH, errno.EPERM):
                        raise

    def kill_if_late(self, now):
        if not self.ended() and now > self.deadline:
            self.late = True
            self.signal(signal.SIGKILL)

    def wait(self, until):
        """Whether it ended by then."""
        for drain in (self.out, self.err):
            drain.join(max(0.0, until - time.monotonic()))
        pause, longest = _ENDS_WITHIN  # its output is closed, so it ends about now
        while not self.ended() and time.monotonic() < until:
            time.sleep(pause)
            pause = min(2 * pause, longest)
        return self.ended()

    def finish(self):
        """Kill it if it still runs, and wait for its last output."""
        self.signal(signal.SIGKILL)
        self.wait(time.monotonic() + _DRAIN_WITHIN)

    def state(self, out_from, err_from):
        """(pid, started, exit code, new stdout, new stderr)."""
        if self.ended():
            self.wait(time.monotonic() + _DRAIN_WITHIN)
        new = bytes(self.out.data[out_from:]), bytes(self.err.data[err_from:])
        return (self.pid, self.started, self.exit_code, *new)


def _environment():
    path = os.environ.get("PATH", "/usr/local/bin:/usr/bin:/bin").split(":")
    more = [folder for folder in ("/usr/local/sbin", "/usr/sbin", "/sbin") if folder not in path]
    return dict(os.environ, LC_ALL="C", LANG="C", PATH=":".join(path + more), **_scratch())


def _scratch():
    """A TMPDIR for programs where the usual place has no room: iperf3 keeps what it sends in a file there."""
    usual = os.environ.get("TMPDIR", "/tmp")  # noqa: S108 - it is what programs take
    roomy = next((folder for folder in (usual, "/dev/shm", "/var/tmp", "/run") if _has_room(folder)), usual)  # noqa: S108
    return {} if roomy == usual else {"TMPDIR": roomy}


def _has_room(folder):
    try:
        system = os.statvfs(folder)
    except OSError:
        return False
    free = system.f_bavail * system.f_frsize
    return os.access(folder, os.W_OK | os.X_OK) and (free >= _ROOM or not system.f_blocks)  # 0: a tmpfs without limit


def _libc():
    return ctypes.CDLL(None, use_errno=True) if ctypes is not None else None


def _preparation(libc, cpus, cgroup_files):
    """What the child does between fork and exec: everything it needs is made here, before the fork."""
    parent = os.getpid()
    death = (ctypes.c_int(_PR_SET_PDEATHSIG), ctypes.c_ulong(signal.SIGKILL)) if libc is not None else None

    def prepare():
        if death is not None:
            libc.prctl(*death)
        if os.getppid() != parent:  # it died before the signal was set
            os._exit(1)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore it; `stop` needs it
        if cpus:
            os.sched_setaffinity(0, cpus)
        for descriptor in cgroup_files:
            os.write(descriptor, b"0")

    return prepare


def _command_reply(child, timeout):
    """The reply of a program that was to end within its time."""
    in_time = child.wait(child.deadline) and not child.late
    child.finish()
    payload, error = bytes(child.out.data), child.err.data.decode("utf-8", "replace")
    if not in_time:
        status, error = "timed_out", error or f"no end within {timeout:g} s"
    elif child.out.cut or child.err.cut:
        status, payload, error = "failed", payload[:CUT_TO], _CUT
    else:
        said = (_STATUS[number] for number in _PRINTED if os.strerror(number) in error)
        status = "ok" if child.exit_code == 0 else next(said, "failed")
    return (status, payload, error, child.exit_code, child.started, time.time())


def _sockets(ports):
    """The established TCP sockets that have one of the ports, IPv4 then IPv6, as raw nlmsgs."""
    return _Kept(_open_sock_diag, functools.partial(_dump, frozenset(ports)))


def _open_sock_diag():
    netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _NETLINK_SOCK_DIAG)
    netlink.settimeout(1.0)
    return netlink


def _dump(ports, netlink):
    families = (socket.AF_INET, socket.AF_INET6) if ports else ()
    return b"".join(message for family in families for message in _dump_family(netlink, family, ports))


def _dump_family(netlink, family, ports):
    netlink.send(_dump_request(family, min(ports), max(ports)))
    while True:
        data, offset = netlink.recv(1 << 18), 0
        while offset < len(data):
            size, kind = _NLMSG_HEADER.unpack_from(data, offset)[:2]
            message = data[offset : offset + (size + 3 & ~3)]
            offset += max(len(message), _NLMSG_HEADER.size)
            if kind in (_NLMSG_DONE, _NLMSG_ERROR):
                _raise_netlink(message)
                return
            if not ports.isdisjoint(_PORTS.unpack_from(message, _PORTS_OFFSET)):
                yield message


def _dump_request(family, low, high):
    """One inet_diag_req_v2; the kernel already drops the sockets that have no port from `low` to `high`."""
    request = struct.pack("=BBBxI48x", family, socket.IPPROTO_TCP, _INFO_CONG_SKMEMINFO, _ESTABLISHED)
    program = _port_filter(low, high)
    body = request + struct.pack("=HH", 4 + len(program), _BYTECODE) + program
    size = _NLMSG_HEADER.size + len(body)
    return _NLMSG_HEADER.pack(size, _SOCK_DIAG_BY_FAMILY, _DUMP_REQUEST, 1, 0) + body


def _port_filter(low, high):
    """Bytecode for: source port in low..high, or destination port in it (inet_diag_bc_run in net/ipv4/inet_diag.c).

    An operation is (code, bytes to skip when it holds, when it does not); a port stands in the operation after it.
    The end of the program accepts, beyond it rejects.
    """
    jump, source_ge, source_le, dest_ge, dest_le = 1, 2, 3, 4, 5
    return _OPS.pack(
        *(source_ge, 8, 20, 0, 0, low),
        *(source_le, 8, 12, 0, 0, high),
        *(jump, 4, 20),
        *(dest_ge, 8, 20, 0, 0, low),
        *(dest_le, 8, 12, 0, 0, high),
    )


def _raise_netlink(message):
    """Raise the error that an NLMSG_ERROR or NLMSG_DONE carries, if it does."""
    if len(message) >= _NLMSG_HEADER.size + 4:
        number = -struct.unpack_from("=i", message, _NLMSG_HEADER.size)[0]
        if number > 0:
            raise OSError(number, os.strerror(number))


class _Reading:
    """One request of a plan and how often it is due; a slow one is asked less often."""

    def __init__(self, number, period, read, slow):
        self._number = number
        self._period = period
        self._read = read
        self._slow = slow
        self._in_a_row = 0
        self._due = 0
        self.close = getattr(read, "close", lambda: None)

    def take(self, tick):
        """Its part of this tick's frame; empty when it is not due."""
        if tick < self._due:
            return b""
        self._due = tick - tick % self._period + self._period
        started = time.monotonic()
        try:
            payload, number = self._read(), 0
        except OSError as error:
            payload, number = b"", error.errno or errno.EIO
        if len(payload) > OUTPUT_LIMIT:  # it is cut: no part of it must pass for the whole
            payload, number = b"", errno.EFBIG
        seconds = time.monotonic() - started
        self._judge(seconds)
        return _READING.pack(self._number, number, seconds, len(payload)) + payload

    def _judge(self, seconds):
        self._in_a_row = self._in_a_row + 1 if seconds > self._slow else 0
        if self._in_a_row >= _SLOW_IN_A_ROW:
            self._in_a_row = 0
            self._period = min(self._period * 10, _RARE)


class _Sampler:
    """A thread that reads a plan and gives batches of frames to `sink`."""

    def __init__(self, readings, sink):
        self._readings = readings
        self._sink = sink
        self._stop = threading.Event()
        self._thread = _start_thread(self._main)

    def stop(self):
        """End it; all its frames have then gone to the sink."""
        self._stop.set()
        self._thread.join(READ_TIMEOUT)

    def _main(self):
        start, tick, sequence = time.monotonic(), 0, 0
        batch = [self._frame(sequence, tick)]
        while not self._stop.wait(max(0.0, start + (tick + 1) * _TICK - time.monotonic())):
            tick = max(tick + 1, int((time.monotonic() - start) / _TICK))  # a tick that was missed is left out
            sequence += 1
            batch.append(self._frame(sequence, tick))
            if len(batch) >= _BATCH:
                self._sink(b"".join(batch))
                batch = []
        self._sink(b"".join(batch))
        for reading in self._readings:
            reading.close()

    def _frame(self, sequence, tick):
        monotonic, wall = time.monotonic(), time.time()
        parts = [part for part in (reading.take(tick) for reading in self._readings) if part]
        rest = _FRAME.pack(sequence, monotonic, wall, len(parts)) + b"".join(parts)
        return struct.pack(">I", len(rest)) + rest


class Agent:
    """Answers the verbs of a host on the machine, and in the network namespace, where it runs."""

    def __init__(self):
        """Start nothing yet."""
        self._libc = _libc()
        self._guard = _Guard()
        self._children = {}
        self._samplers = {}
        self._handles = itertools.count(1)
        self._lock = threading.Lock()
        self._watchdog = None
        self._over = threading.Event()
        self._lease = None
        self._renewed = time.monotonic()
        self._busy = 0

    def identify(self):
        """(boot id, inode of the network namespace); an empty boot id where it cannot be read."""
        boot_id = self._answer(("read", "/proc/sys/kernel/random/boot_id"))[1]
        return boot_id.decode("ascii", "replace").strip(), os.stat("/proc/self/ns/net").st_ino

    def now(self):
        """The wall clock."""
        return time.time()

    def ask(self, requests):
        """The replies, in order; some programs run at the same time."""
        replies = [None] * len(requests)
        todo = collections.deque(enumerate(requests))
        helpers = min(AT_ONCE, len(os.sched_getaffinity(0)), sum(request[0] == "run" for request in requests)) - 1
        threads = [_start_thread(self._work_off, todo, replies) for _ in range(helpers)]
        try:
            self._work_off(todo, replies)
            for thread in threads:
                thread.join()
        finally:
            todo.clear()  # Ctrl-C: nothing more is begun
        return [self._answer(requests[number]) if reply is None else reply for number, reply in enumerate(replies)]

    def _work_off(self, todo, replies):
        """Answer what is left; what a helper thread breaks on stays None and then breaks its caller."""
        while True:
            try:
                number, request = todo.popleft()
            except IndexError:
                return
            replies[number] = self._answer(request)

    def _answer(self, request):
        verb, argument = request[:2]
        if verb == "run":
            return self._run(argument, request[2])
        if verb == "list":
            return _guarded(self._guard, lambda: _list(argument))
        return _guarded(self._guard, {"read": _file, "sockets": _sockets}[verb](argument).once)

    def perform(self, action):
        """The reply of a change."""
        if action[0] == "write":
            return _guarded(self._guard, lambda: _write_file(*action[1:]), timeout=5 * READ_TIMEOUT)
        return self._run(action[1], action[3], stdin=action[2])

    def _run(self, argv, timeout, stdin=""):
        started = time.time()
        try:
            handle, child = self._start(argv, timeout, stdin=stdin)
        except _NOT_STARTED as error:
            number = getattr(error, "errno", None)
            words = errno.errorcode.get(number, str(error))
            return (_STATUS.get(number, "failed"), b"", words, None, started, time.time())
        try:
            return _command_reply(child, timeout)
        finally:
            self._children.pop(handle, None)

    def guard(self, source, words, text, timeout):
        """The reply of the guard program, put first where it can stay; no source: the one beside this agent."""
        started = time.time()
        try:
            path = _placed(source or _source_beside())
        except OSError as error:
            words = f"{error.filename}: {error.strerror}"
            return (_STATUS.get(error.errno, "failed"), b"", words, None, started, time.time())
        return self._run((sys.executable, "-I", path, *words), timeout, stdin=text)

    def launch(self, argv, deadline, cpus=(), cgroups=()):
        """(handle, pid, started, "") of a program that dies at its deadline; a word instead of "" when none started.

        `cgroups` are paths of cgroup.procs files.
        """
        try:
            handle, child = self._start(argv, deadline, placement=(cpus, cgroups))
        except _NOT_STARTED as error:
            return None, 0, 0.0, str(error)
        return handle, child.pid, child.started, ""

    def poll(self, handle, out_from, err_from):
        """(pid, started, exit code, new stdout, new stderr); with an exit code it is the last answer."""
        state = self._children[handle].state(out_from, err_from)
        if state[2] is not None:
            self._children.pop(handle, None)
        return state

    def stop(self, handle, grace, out_from, err_from):
        """The last state of a program: interrupted, after `grace` seconds killed."""
        child = self._children[handle]
        child.signal(signal.SIGINT)
        child.wait(time.monotonic() + grace)
        child.finish()
        return self.poll(handle, out_from, err_from)

    def sample(self, fast, slow, sink):
        """The handle of a sampler that calls `sink` with batches of frames."""
        plan = [(request, _FAST) for request in fast] + [(request, _SLOW) for request in slow]
        readings = [self._reading(number, request, period) for number, (request, period) in enumerate(plan)]
        handle = next(self._handles)
        self._samplers[handle] = _Sampler(readings, sink)
        return handle

    def _reading(self, number, request, period):
        kept = {"read": _file, "sockets": _sockets}.get(request[0])
        if kept is not None:
            return _Reading(number, period, kept(request[1]), _SLOW_READ)
        return _Reading(number, period, lambda: self._payload(request), _SLOW_COMMAND)

    def _payload(self, request):
        status, payload = self._answer(request)[:2]
        if status != "ok":
            raise OSError(_ERRNO.get(status, errno.EIO), status)
        return payload

    def stop_sampling(self, handle):
        """End a sampler; its frames have then gone to its sink."""
        self._samplers.pop(handle).stop()

    def renew(self):
        """Start the lease anew."""
        self._renewed = time.monotonic()

    def end(self):
        """End every program and sampler."""
        for handle in list(self._samplers):
            self.stop_sampling(handle)
        for child in list(self._children.values()):
            child.finish()
        self._over.set()

    def exit(self):
        """Kill every program, then end this process."""
        for child in list(self._children.values()):
            child.signal(signal.SIGKILL)
        os._exit(0)

    def serve(self, verb, args):
        """The answer to one call; the lease does not run out meanwhile."""
        self._busy += 1
        try:
            return getattr(self, verb)(*args)
        finally:
            self._busy -= 1
            self.renew()

    def hold_lease(self, seconds):
        """From now on, end everything after that many seconds of silence."""
        self._lease = seconds
        self.renew()
        self._watch()

    def _start(self, argv, deadline, **options):
        self._watch()
        handle, child = next(self._handles), _Child(self._libc, argv, deadline, **options)
        self._children[handle] = child
        return handle, child

    def _watch(self):
        with self._lock:
            if self._watchdog is None:
                atexit.register(self.end)
                self._watchdog = _start_thread(self._watch_main)

    def _watch_main(self):
        while not self._over.wait(_WATCH_EVERY):
            now = time.monotonic()
            for child in list(self._children.values()):
                child.kill_if_late(now)
            if self._lease is not None and not self._busy and now - self._renewed > self._lease:
                self.exit()


_REMOTE = {}  # the one agent of this process


def begin(namespace, cpus, lease=LEASE):
    """Prepare this process, before any thread of ours: "" or why it cannot be done."""
    try:
        if namespace:
            enter_network_namespace(namespace)
        for task in os.listdir("/proc/self/task") if cpus else ():
            os.sched_setaffinity(int(task), cpus)
    except OSError as error:
        return f"{error.strerror} ({error.filename})"
    _remember_connection()
    agent = _REMOTE["agent"] = Agent()
    signal.signal(signal.SIGTERM, lambda *_: agent.exit())  # mitogen sends it when the controller is gone
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the controller's: it ends us in order
    agent.hold_lease(lease)
    return ""


def _remember_connection():
    """Set SSH_CONNECTION again, which sudo took away: it is in the environment of one of our ancestors."""
    pid, mark = os.getppid(), b"SSH_CONNECTION="
    while pid > 1 and "SSH_CONNECTION" not in os.environ:
        try:
            with open(f"/proc/{pid}/environ", "rb") as environment:
                found = [word[len(mark) :] for word in environment.read().split(b"\0") if word.startswith(mark)]
            pid = _parent_of(pid)
        except OSError:
            return
        if found:
            os.environ["SSH_CONNECTION"] = os.fsdecode(found[0])


def _parent_of(pid):
    with open(f"/proc/{pid}/stat", "rb") as stat:
        return int(stat.read().rpartition(b")")[2].split()[1])


def serve(verb, *args):
    """What the agent of this process answers to a verb."""
    return _REMOTE["agent"].serve(verb, args)


def sample_to(sender, fast, slow):
    """The handle of a sampler whose frames go to a mitogen sender."""
    return serve("sample", fast, slow, sender.send)


def enter_network_namespace(name):
    """Move this thread, and those it starts, into a network namespace with a /sys of its own.

    As `ip netns exec` does, except that the cgroup file system stays in place. Raises OSError. That command
    may have hidden it from us already: then it is looked for among our ancestors.
    """
    libc = _libc()
    if libc is None:
        raise OSError(errno.ENOSYS, "this Python has no ctypes module")
    path = name if "/" in name else os.path.join("/run/netns", name)
    with open(path, "rb") as namespace:
        _check(libc.setns(namespace.fileno(), _CLONE_NEWNET), path)
    _check(libc.unshare(_CLONE_NEWNS), "mount namespace")
    if not os.listdir("/sys/fs/cgroup"):
        _take_visible_cgroups(libc)
    _mount(libc, "none", "/", None, _MS_SLAVE | _MS_REC)
    cgroups = os.open("/sys/fs/cgroup", os.O_RDONLY | os.O_DIRECTORY)  # in the new mount namespace
    try:
        _mount_sysfs(libc)
        _mount(libc, f"/proc/self/fd/{cgroups}", "/sys/fs/cgroup", None, _MS_BIND | _MS_REC)
    finally:
        os.close(cgroups)


def _take_visible_cgroups(libc):
    """Join the mounts of the nearest of our ancestors who sees the cgroup file system; none may be found."""
    pid = os.getppid()
    while pid > 0:
        try:
            if os.listdir(f"/proc/{pid}/root/sys/fs/cgroup"):
                with open(f"/proc/{pid}/ns/mnt", "rb") as mounts:  # setns(2): needs CAP_SYS_ADMIN over it
                    _check(libc.setns(mounts.fileno(), _CLONE_NEWNS), "mount namespace")
                return _check(libc.unshare(_CLONE_NEWNS), "mount namespace")
            pid = _parent_of(pid)
        except OSError:
            return None
    return None


def _mount_sysfs(libc):
    try:
        _mount(libc, "sysfs", "/sys", "sysfs", 0)
    except OSError as error:
        if error.errno != errno.EBUSY:  # this very /sys is there: we were started inside the namespace
            raise


def _mount(libc, source, target, kind, flags):
    texts = [part.encode() if part else None for part in (source, target, kind)]
    _check(libc.mount(*texts, ctypes.c_ulong(flags), None), target)


def _check(result, subject):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), subject)


_MESSAGE = struct.Struct(">I")
_VERBS = ("identify", "now", "ask", "perform", "guard", "launch", "poll", "stop", "sample", "stop_sampling")


def main(version, build):
    """The exit code of the agent as a program; without a controller on its standard input it only says what it is."""
    if "--version" in sys.argv[1:] or sys.stdin.isatty():
        sys.stdout.write(f"fullrate-agent {version} ({build}): run by `fullrate check user@host --agent PATH`\n")
        return 0
    return _Conversation(os.dup(1)).main(f"\nfullrate-agent {build} {version}\n")


class _Conversation:
    """Calls from the standard input, answered by the main thread, since what it launches dies with it.

    When the input ends everything ends at once.
    """

    def __init__(self, output):
        self._output = output  # a copy, so that what anything prints goes to stderr instead
        self._writing = threading.Lock()
        self._calls = queue.Queue()

    def main(self, greeting):
        os.dup2(2, 1)
        begin("", ())
        self._write(greeting.encode())
        _start_thread(self._listen)
        for number, verb, args in iter(self._calls.get, None):
            self._answer(number, verb, args)
        return 0

    def _listen(self):
        try:
            while True:
                number, verb, args = self._read()
                if verb == "renew":
                    _REMOTE["agent"].renew()
                else:
                    self._calls.put((number, verb, args))
        except (OSError, EOFError, ValueError):
            _REMOTE["agent"].exit()

    def _answer(self, number, verb, args):
        try:
            sink = [functools.partial(self._send, -number, "")] if verb == "sample" else []
            answer = ("", serve(_VERBS[_VERBS.index(verb)], *args, *sink))
        except Exception as fault:  # noqa: BLE001 - whatever it is, the controller is told
            answer = (f"{type(fault).__name__}: {fault}", None)
        self._send(number, *answer)

    def _read(self):
        (size,) = _MESSAGE.unpack(_read_exactly(_MESSAGE.size))
        return json.loads(_read_exactly(size).decode("ascii"), object_hook=as_bytes)

    def _send(self, *message):
        self._write(encode_message(message))

    def _write(self, data):
        with self._writing:
            try:
                while data:
                    data = data[os.write(self._output, data) :]
            except OSError:  # nobody is there any more
                _REMOTE["agent"].exit()


def encode_message(message):
    """A message as it goes over a pipe."""
    body = json.dumps(message, default=_as_text).encode("ascii")
    return _MESSAGE.pack(len(body)) + body


def _as_text(value):
    return {"base64": base64.b64encode(value).decode("ascii")}


def as_bytes(found):
    """The bytes that an object in a message stands for."""
    return base64.b64decode(found["base64"])


def _read_exactly(size):
    parts = []
    while size:
        parts.append(os.read(0, min(size, 1 << 16)))
        if not parts[-1]:
            raise EOFError
        size -= len(parts[-1])
    return b"".join(parts)
