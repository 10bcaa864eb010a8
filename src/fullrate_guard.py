"""Changes settings of this machine so that they come back by themselves: journal, guard, apply, confirm, revert.

One program, standard library only, Python 3.6 syntax, importing nothing of ours. fullrate puts it on the machine whose
settings it changes and runs it there; it needs neither fullrate nor the network afterwards. By hand, as root:

    python3 fullrate_guard.py list             every change there was, and its state
    python3 fullrate_guard.py confirm ID       keep a change that is waiting
    python3 fullrate_guard.py revert ID        put back what was found
    python3 fullrate_guard.py recover          put back what a crash left behind
    python3 fullrate_guard.py apply <CHANGE    carry out a change; it waits for `confirm`, then comes back by itself

Each prints one JSON document. A change is an object with `id`, `deadline` (seconds) and two lists of items: `steps`, in
the order in which they are made, and `watched`, what a step might change besides. An item:

    knob, subject        what it is called
    link                 the interface it belongs to, or ""
    request              ["read", PATH] or ["run", ARGV, SECONDS]: how to look
    pattern              a regular expression; its groups, of all matches, are the value
    found                the value before
    expect               a regular expression for the value afterwards (steps only)
    action               ["write", PATH, TEXT] or ["run", ARGV, SECONDS] (steps only)
    inverses             actions that bring back what was found; the first should, the next are tried when it did not

The journal is a file a change, written and synced before anything is touched. Its first line is the change as it was
asked for, the others say what was begun, done, confirmed, put back. A line has a checksum before it: one that was cut
off by a crash never was. Two guards, each in a session of its own, wait for the deadline by a clock that nobody sets
(CLOCK_BOOTTIME, clock_getres(2)); they revert as well when the program that applies dies half-way. Two, so that one may
be killed.
"""

import binascii
import contextlib
import fcntl
import glob
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import time

FOLDERS = ("/var/lib/fullrate", "/run/fullrate")  # the first that can be written; /run where /var is read-only or full
LOCKS = "/run/fullrate"
SYSTEMD = "/run/systemd/system"  # there where it runs: sd_booted(3)
UNITS = "/etc/systemd/system"
UNIT = "fullrate-recover.service"
GUARDS = 2

_SO_NETNS_COOKIE = 71  # asm-generic/socket.h; since Linux 5.14
_BOOTTIME = getattr(time, "CLOCK_BOOTTIME", 7)  # linux/time.h; Python has the name since 3.7
_LOOK_EVERY = 0.2
_ARMED_WITHIN = 20.0  # a machine under load takes seconds to start two processes
_LOCKED_WITHIN = 20.0
_SETTLE = 0.3  # a driver may take a setting a moment later than its tool returns
_TRIES = 3
_FAILURES = 8  # after which a guard gives up, four minutes later
_SET_SINCE = "somebody else has set it since"
_UNIT_TEXT = """[Unit]
Description=Put back settings that fullrate was trying when this machine went down
After=network.target

[Service]
Type=oneshot
ExecStart={python} -I {program} boot

[Install]
WantedBy=multi-user.target
"""


class RefusedError(Exception):
    """Nothing was touched, and why."""


class FailedError(Exception):
    """A step did not do what it should, and why."""


# -- looking and acting


def value_of(pattern, text):
    """The value that a pattern finds in what was read: groups joined by a space, matches by a newline; None: none."""
    found = [" ".join(group or "" for group in match.groups()) for match in re.finditer(pattern, text, re.MULTILINE)]
    return "\n".join(found) if found else None


def read_values(items):
    """The value of each item, or None; what several are read from is asked once."""
    texts = {}
    for item in items:
        key = json.dumps(item["request"])
        if key not in texts:
            texts[key] = _look(item["request"])
    found = [(item["pattern"], texts[json.dumps(item["request"])]) for item in items]
    return [None if text is None else value_of(pattern, text) for pattern, text in found]


def read_value(item):
    """The value of an item, or None."""
    return read_values([item])[0]


def _look(request):
    if request[0] == "run":
        code, out, _ = _run(request[1], request[2])
        return out if code == 0 else None
    try:
        with open(request[1], "rb") as file:
            return file.read().decode("utf-8", "replace")
    except OSError:
        return None


def act(action):
    """Carry out an action: "" or why it failed."""
    if action[0] == "run":
        code, out, said = _run(action[1], action[2])
        return "" if code == 0 else said or out.strip() or "exit code %s" % code
    try:
        with os.fdopen(os.open(action[1], os.O_WRONLY | os.O_TRUNC), "wb", 0) as file:
            file.write(action[2].encode("utf-8"))
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _run(argv, seconds):
    path = os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/local/sbin:/usr/sbin:/sbin"
    try:
        child = subprocess.Popen(
            list(argv),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(os.environ, PATH=path, LC_ALL="C", LANG="C"),
            close_fds=False,  # the lock is theirs too; nothing else of ours is inherited
        )
    except OSError as error:
        return -1, "", "%s: %s" % (argv[0], error.strerror)
    try:
        out, said = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):  # a driver may hold it, or it may have left a child
            child.communicate(timeout=1.0)
        return -1, "", "%s: no end within %g s" % (argv[0], seconds)
    return child.returncode, out.decode("utf-8", "replace"), said.decode("utf-8", "replace").strip()


# -- the journal


class Journal:
    """One change as it is on disk: `change`, and the events since; `damaged`: a line within it cannot be read."""

    def __init__(self, path, change, events=(), *, damaged=False):
        """Hold what was read, or what was just written."""
        self.path = path
        self.change = change
        self.events = list(events)
        self.damaged = damaged

    @property
    def id(self):
        """Its name."""
        return self.change["id"]

    def add(self, event, **more):
        """Note an event, synced to disk. Raises OSError."""
        record = dict(more, event=event, at=time.time())
        with open(self.path, "r+b", 0) as file:
            end = file.read().rfind(b"\n") + 1  # a line that was cut off would swallow this one
            try:
                file.truncate(end)
                file.seek(end)
                _write_all(file.fileno(), _line(record))
                os.fsync(file.fileno())
            except OSError:
                file.truncate(end)
                raise
        self.events.append(record)

    def note(self, event, **more):
        """The same where the work must go on without: "" or why it could not be noted."""
        try:
            self.add(event, **more)
        except OSError as error:
            self.events.append(dict(more, event=event, at=time.time()))
            return "the journal %s cannot be written: %s" % (self.path, error.strerror)
        return ""

    def last(self, event):
        """The latest event of a kind, or None."""
        return next((each for each in reversed(self.events) if each["event"] == event), None)

    def begun(self):
        """The numbers of the steps that were begun, as far as it is noted."""
        return {each["step"] for each in self.events if each["event"] == "begin"}

    def items(self):
        """The steps and what is watched, in the order in which events number them."""
        return self.change["steps"] + self.change["watched"]

    def made(self, number):
        """The value that an item had after we last touched it; None where a touch did not end, or none is known."""
        for each in reversed(self.events):
            if each.get("step") == number:
                return each.get("value")
            if each["event"] == "applied" and number >= len(self.change["steps"]):
                return each["watched"][number - len(self.change["steps"])]
        return None

    def is_ours(self, number, value, *, rebooted):
        """Whether what an item has is our doing. Of a step that is not noted it is what it makes: lines may be lost."""
        item, made = self.items()[number], self.made(number)
        if made is not None:
            return value in (made, item["found"])
        if number < len(self.change["steps"]) and (rebooted or number not in self.begun()):
            return _matches(item["expect"], value)
        return True

    @property
    def outcome(self):
        """How it was closed, or "confirmed"; "" as long as neither, or while that is undone."""
        for each in reversed(self.events):
            if each["event"] in ("closed", "confirmed"):
                return each.get("state", "confirmed")
            if each["event"] == "reverting":
                break
        return ""

    @property
    def state(self):
        """Its outcome; before that waiting (a guard does), or open (nothing waits for it)."""
        return self.outcome or ("waiting" if _is_guarded(self.path) else "open")

    @property
    def ended(self):
        """Whether nothing is left to do about it."""
        return self.outcome not in ("", "failed")


def _line(record):
    text = json.dumps(record, sort_keys=True).encode("ascii")
    return b"%08x %s\n" % (binascii.crc32(text) & 0xFFFFFFFF, text)


def _record(line):
    """The record of a line. Raises ValueError."""
    checksum, _, text = line.partition(b" ")
    if int(checksum, 16) != binascii.crc32(text) & 0xFFFFFFFF:
        raise ValueError("wrong checksum")
    return json.loads(text.decode("ascii"))


def create(folder, change):
    """The journal of a change that is about to be made, on disk. Raises OSError."""
    place = os.path.join(folder, "changes")
    os.makedirs(place, 0o700, exist_ok=True)
    path = os.path.join(place, change["id"] + ".journal")
    new = path + ".new"
    with _opened(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as file:
        try:
            _write_all(file, _line(change))
            os.fsync(file)
        except OSError:
            os.unlink(new)
            raise
    if os.path.exists(path):  # the same plan again: what was kept of it before stays
        os.rename(path, "%s.%d.journal" % (path[: -len(".journal")], time.time() * 1000))
    os.rename(new, path)
    with _opened(place, os.O_RDONLY) as kept:
        os.fsync(kept)
    return Journal(path, change)


@contextlib.contextmanager
def _opened(path, flags):
    file = os.open(path, flags, 0o600)
    try:
        yield file
    finally:
        os.close(file)


def _write_all(file, data):
    while data:
        data = data[os.write(file, data) :]


def load(path):
    """The journal of a file. Raises ValueError when it does not even say what was to be changed, and OSError."""
    with open(path, "rb") as file:
        lines = file.read().split(b"\n")[:-1]  # behind the last end of a line there is nothing, or what was cut off
    change = _record(lines[0])
    if not {"steps", "watched", "id", "deadline", "at"} <= set(change):
        raise ValueError("it is none of ours")
    events, damaged = [], False
    for line in lines[1:]:
        try:
            events.append(_record(line))
        except ValueError:
            damaged = True
    return Journal(path, change, events, damaged=damaged)


def journals(folders):
    """(journals, oldest first; paths that cannot be read)."""
    found, bad = [], []
    for path in (path for folder in folders for path in glob.glob(folder + "/changes/*.journal")):
        try:
            found.append(load(path))
        except (ValueError, OSError, LookupError, TypeError):
            bad.append(path)
    return sorted(found, key=lambda each: each.change["at"]), sorted(bad)


# -- which machine this is, and who is at work on it


def here():
    """(boot id, the network namespace as inode and cookie, whether that is the machine's first)."""
    with open("/proc/sys/kernel/random/boot_id") as file:
        boot_id = file.read().strip()
    own = os.stat("/proc/self/ns/net").st_ino
    try:
        first = os.stat("/proc/1/ns/net").st_ino == own
    except OSError:
        first = False
    return boot_id, [own, _cookie()], first


def _cookie():
    """What no other namespace of this boot has, as inodes are used again; 0 where the kernel tells none."""
    with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as any_socket:
        try:
            return struct.unpack("=Q", any_socket.getsockopt(socket.SOL_SOCKET, _SO_NETNS_COOKIE, 8))[0]
        except OSError:
            return 0


def is_here(change):
    """Whether a change was made in this network namespace, or, before a reboot, in the machine's first."""
    boot_id, own, first = here()
    if change["boot_id"] == boot_id:
        return change["namespace"] == own
    return first and change["first"]


@contextlib.contextmanager
def locked(locks, who, within=_LOCKED_WITHIN, *, must=True):
    """The lock of this network namespace. Raises RefusedError; OSError, unless it need not be: then None.

    The kernel frees it when we and the command that we run have ended, however that is: what a killed maker of a
    change has begun ends before anybody puts it back.
    """
    path = os.path.join(locks, "lock-%d" % here()[1][0])
    try:
        os.makedirs(locks, 0o700, exist_ok=True)
        file = os.open(path, os.O_RDONLY | os.O_CREAT, 0o600)  # a disk that became read-only still has it
    except OSError:
        if must:
            raise
        yield None
        return
    until = boottime() + within
    try:
        while not _try_lock(file):
            if boottime() >= until:
                holder = os.pread(file, 200, 0).decode("utf-8", "replace") or "it did not say which"
                raise RefusedError("another run is at work here: %s; wait for its end" % holder)
            time.sleep(0.05)
        with contextlib.suppress(OSError), open(path, "w") as holder:
            holder.write("%s (process %d)" % (who, os.getpid()))
        os.set_inheritable(file, True)  # noqa: FBT003 - it takes no keywords
        yield file
    finally:
        os.close(file)


def _try_lock(file):
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def boottime():
    """Seconds since boot, sleep included; no clock jump moves it."""
    return time.clock_gettime(_BOOTTIME)


# -- guards


def _alive(path):
    return path + ".guards"


def _is_guarded(path):
    """Whether one guard at least of a journal lives: each holds a shared lock as long as it does."""
    try:
        with _opened(_alive(path), os.O_RDONLY) as file:
            return not _try_lock(file)
    except OSError:
        return False


def arm(journal, locks, held):
    """Start the guards, which have said that they stand. Raises RefusedError. `held`: our lock, which is not theirs."""
    ours, theirs = os.pipe()
    children = []
    for number in range(GUARDS):
        children.append(os.fork())
        if children[-1] == 0:
            os.close(held)
            os.close(ours)
            _become_guard(journal, locks, theirs, number)
    os.close(theirs)
    said, until = b"", boottime() + _ARMED_WITHIN
    while len(said) < GUARDS and select.select([ours], [], [], max(0.0, until - boottime()))[0]:
        more = os.read(ours, GUARDS)
        if not more:
            break
        said += more
    os.close(ours)
    for child in children:  # each has forked a guard and ended
        os.waitpid(child, 0)
    if len(said) < GUARDS:
        raise RefusedError("the guard that would bring the settings back cannot be started")


def _become_guard(journal, locks, ready, number):
    """Never returns: this process is a guard, in its own session, ended by nobody's hang-up."""
    try:
        os.setsid()
        if os.fork() > 0:
            os._exit(0)
        for each in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
            signal.signal(each, signal.SIG_IGN)
        _leave_session()
        empty = os.open(os.devnull, os.O_RDWR)
        for standard in range(3):
            os.dup2(empty, standard)
        file = os.open(_alive(journal.path), os.O_RDONLY | os.O_CREAT, 0o600)  # its disk can become read-only meanwhile
        fcntl.flock(file, fcntl.LOCK_SH)
        os.write(ready, b"+")
        os.close(ready)
        _stand_guard(journal, locks, number)
    except BaseException:  # noqa: BLE001 - a guard has nobody to tell
        os._exit(1)
    os._exit(0)


def _leave_session():
    """Out of the login session's control group, which its end may kill, and last to go when memory is short."""
    os.chdir("/")
    act(["write", "/proc/self/oom_score_adj", "-1000"])
    for group in ("", "systemd/"):
        act(["write", "/sys/fs/cgroup/%scgroup.procs" % group, "0"])


def _stand_guard(journal, locks, number):
    """Wait until the change is settled; put it back when it is due, or its maker dead; the second guard waits longer.

    What could not be put back is tried again, less and less often.
    """
    failures = 0
    while not journal.ended and failures < _FAILURES:
        time.sleep(_LOOK_EVERY if not failures else 2.0**failures)
        journal = _fresh(journal)
        if journal.ended or not _why_due(journal, number):
            continue
        with contextlib.suppress(RefusedError), locked(locks, "a guard of " + journal.id, within=0.0, must=False):
            journal = _fresh(journal)
            why = _why_due(journal, number)
            if why and not journal.ended:
                put_back(journal, why)
                failures += journal.outcome == "failed"


def _fresh(journal):
    """The journal as it is on disk; as we know it where that is spoilt or gone."""
    with contextlib.suppress(ValueError, OSError, LookupError, TypeError):
        return load(journal.path)
    return journal


def _why_due(journal, number):
    """Why to put it back, once nobody holds the lock: its making or undoing was cut off, or its time is over; or ""."""
    reverting, applied = journal.last("reverting"), journal.last("applied")
    if reverting is not None:
        return reverting["why"]
    if applied is None:
        return "its maker died half-way"
    due = applied["boottime"] + journal.change["deadline"] + number
    return "nobody confirmed it in time" if boottime() >= due else ""


# -- making a change


def apply(change, folders, locks):
    """Make a change, and leave it waiting under guard, or as it was found. Raises RefusedError."""
    boot_id, namespace, first = here()
    change = dict(change, boot_id=boot_id, namespace=namespace, first=first, at=time.time())
    with locked(locks, "the apply of " + change["id"], within=2.0) as held:
        _see_others(folders, change["id"])
        _see_stale(change)
        journal = _new_journal(folders, change)
        try:
            arm(journal, locks, held)
        except (RefusedError, OSError):
            if journal.note("closed", state="refused", items=[]):
                os.unlink(journal.path)  # it would be in the way of the next, and says nothing
            raise
        unit = place_unit(journal)
        try:
            items = _make_steps(journal)
        except (FailedError, OSError) as error:
            return put_back(journal, str(error))
        return dict(_told(journal), items=items, also=_changed_besides(journal), note=unit)


def _see_others(folders, own):
    """Raise RefusedError where another change is not settled, or a guard waits whose journal cannot be read."""
    known, bad = journals(folders)
    words = "change %s of %s is not settled yet: confirm or revert it first, or recover"
    for path in filter(_is_guarded, bad):
        raise RefusedError("a change is not settled yet whose journal cannot be read: %s; it comes back in time" % path)
    for other in known:
        if not other.ended and (is_here(other.change) or other.id == own):
            when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(other.change["at"]))
            raise RefusedError(words % (other.id, when))


def _see_stale(change):
    items = change["steps"] + change["watched"]
    words = "the plan is stale: %s is %s, it was %s when the plan was made; plan again"
    for item, value in zip(items, read_values(items)):  # noqa: B905 - Python 3.6 knows no strict, here and below
        if value != item["found"]:
            raise RefusedError(words % (_called(item), _shown(value), _shown(item["found"])))


def _called(item):
    knob, subject = item["knob"], item["subject"]
    return knob if knob.endswith("." + subject) else "%s of %s" % (knob, subject)


def _shown(value):
    return "not to be read" if value is None else repr(value)


def _new_journal(folders, change):
    why = []
    for folder in folders:
        try:
            return create(folder, change)
        except OSError as error:
            why.append("%s: %s" % (folder, error.strerror))
    raise RefusedError("no journal can be written (%s), so nothing is changed" % "; ".join(why))


def _make_steps(journal):
    """What each step came to. Raises FailedError on the first that did not do what it should, OSError."""
    items = []
    for number, step in enumerate(journal.change["steps"]):
        journal.add("begin", step=number)
        said = act(step["action"])
        value = _settled(step, step["expect"])
        if said or not _matches(step["expect"], value):
            half = "its command reported success, and it is %s" % _shown(value)
            raise FailedError("%s: %s" % (_called(step), said or half))
        journal.add("done", step=number, value=value)
        items.append(_item(step, "done", value))
    watched = read_values(journal.change["watched"])
    if read_values(journal.change["steps"]) != [item["now"] for item in items]:
        raise FailedError("a later step changed what an earlier one had set")
    journal.add("applied", boottime=boottime(), watched=watched)
    return items


def _matches(expect, value):
    return value is not None and re.fullmatch(expect, value, re.DOTALL) is not None


def _settled(item, expect):
    """The value, looked at again for a moment while it is not as expected."""
    value = None
    for attempt in range(_TRIES):
        time.sleep(_SETTLE * bool(attempt))
        value = read_value(item)
        if _matches(expect, value):
            break
    return value


def _item(item, outcome, now, why=""):
    return dict({key: item[key] for key in ("knob", "subject", "found")}, now=now, outcome=outcome, why=why)


def _changed_besides(journal):
    after = (journal.last("applied") or {}).get("watched", [])
    pairs = zip(journal.change["watched"], after)  # noqa: B905
    return [_item(item, "changed", value) for item, value in pairs if value != item["found"]]


# -- putting back


def put_back(journal, why):
    """Put back what was found, in reverse order, look at it, close the journal: what came of it."""
    trouble = [journal.note("reverting", why=why)]
    rebooted = journal.change["boot_id"] != here()[0]
    before, steps = read_values(journal.items()), len(journal.change["steps"])
    items = [_undo(journal, number, before[number], rebooted) for number in reversed(range(steps))]
    if not rebooted and any(item["outcome"] != "not_done" for item in items):
        now = read_values(journal.items())  # of what is watched all at once: it is much
        watched = range(steps, len(now))
        items += filter(None, [_undo_watched(journal, number, before[number], now[number]) for number in watched])
    if any(item["outcome"] in ("as_found", "restored", "failed") for item in items) and not rebooted:
        time.sleep(_SETTLE)
        items = [_once_more(journal, item) for item in items]
    outcomes = {item["outcome"] for item in items}
    state = "failed" if "failed" in outcomes else "kept_off" if "kept_off" in outcomes else "reverted"
    trouble.append(journal.note("closed", state=state, why=why, items=items))
    remove_unit(journal)
    if state != "failed":
        with contextlib.suppress(OSError):
            os.unlink(_alive(journal.path))
    return dict(_told(journal), items=items, why=why, note="; ".join(sorted(set(filter(None, trouble)))))


def _undo(journal, number, before, rebooted):
    """The item of a step. `before`: its value before anything was put back, as one undo may move another setting."""
    step = journal.items()[number]
    now = read_value(step)
    begun = number in journal.begun()
    if now == step["found"]:
        return _item(step, "as_found" if begun or journal.damaged else "not_done", now)
    if now is None and _is_gone(step):
        return _item(step, "gone", now, "there is no such interface any more")
    if journal.is_ours(number, before, rebooted=rebooted) or (begun and None in (before, now)):
        return _invert(journal, number)
    if not begun and not journal.damaged:
        return _item(step, "not_done", now)
    if rebooted:
        return _item(step, "rebooted", now, "the machine was started anew since, and set it otherwise")
    return _item(step, "kept_off", now, _SET_SINCE)


def _undo_watched(journal, number, before, now):
    """The item of what is watched; None where it is as it was found, or never was our doing."""
    item = journal.items()[number]
    if now in (None, item["found"]) or (now == before and journal.made(number) == item["found"]):
        return None
    if before is None or journal.is_ours(number, before, rebooted=False):
        return _invert(journal, number)
    return _item(item, "kept_off", now, _SET_SINCE)


def _is_gone(item):
    return bool(item.get("link")) and not os.path.exists("/sys/class/net/" + item["link"])


def _invert(journal, number):
    """Try the inverses until the value is what was found."""
    item, now, why = journal.items()[number], None, ""
    journal.note("undo", step=number)
    for action in item["inverses"]:
        why = act(action)
        now = _settled(item, re.escape(item["found"]))
        if now == item["found"]:
            journal.note("undone", step=number, value=now)
            return _item(item, "restored", now)
    return _item(item, "failed", now, why or "it is %s after the undo" % _shown(now))


def _once_more(journal, item):
    """The item after a last look: a driver may have taken an undo late, one undo may have needed another."""
    if item["outcome"] not in ("as_found", "restored", "failed"):
        return item
    names = [(each["knob"], each["subject"]) for each in journal.items()]
    number = names.index((item["knob"], item["subject"]))
    found = item["found"]
    if read_value(journal.items()[number]) != found:
        return _invert(journal, number)
    return dict(item, now=found, outcome="restored", why="") if item["outcome"] == "failed" else item


# -- at boot


def place_unit(journal):
    """Have systemd put the settings back at the next boot, should the machine go down: "" or why not."""
    program = os.path.abspath(sys.argv[0])
    if not os.path.isdir(SYSTEMD) or not _is_replayed(journal):
        return ""
    if program.startswith(LOCKS):
        return "nothing puts it back at the next boot: there was no room for this program but in %s" % LOCKS
    wanted, path = _unit_paths()
    try:
        os.makedirs(os.path.dirname(wanted), exist_ok=True)
        with open(path, "w") as file:
            file.write(_UNIT_TEXT.format(python=sys.executable, program=program))
        with contextlib.suppress(FileExistsError):
            os.symlink(path, wanted)
    except OSError as error:
        return "no unit for the next boot: %s" % error.strerror
    return ""


def _is_replayed(journal):
    """Whether its namespace and its file are there after a reboot."""
    return journal.change["first"] and os.path.dirname(os.path.dirname(journal.path)) == FOLDERS[0]


def _unit_paths():
    return os.path.join(UNITS, "multi-user.target.wants", UNIT), os.path.join(UNITS, UNIT)


def remove_unit(journal):
    """Take it away again."""
    if _is_replayed(journal):
        for path in _unit_paths():
            with contextlib.suppress(OSError):
                os.unlink(path)


# -- the verbs


def confirm(change_id, folders, locks):
    """Keep a change that is waiting. Raises RefusedError."""
    with locked(locks, "the confirm of " + change_id):
        journal = _find(change_id, folders)
        if journal.outcome or journal.last("applied") is None or journal.last("reverting") is not None:
            raise RefusedError("change %s is %s: there is nothing to confirm" % (journal.id, journal.state))
        items = [_item(step, *_as_made(journal, number)) for number, step in enumerate(journal.change["steps"])]
        try:
            journal.add("confirmed")
        except OSError as error:
            words = "it cannot be noted that it is kept: %s; it comes back in time" % error.strerror
            raise RefusedError(words) from error
        remove_unit(journal)
        return dict(_told(journal), items=items)


def _as_made(journal, number):
    now = read_value(journal.change["steps"][number])
    return ("done", now) if now == journal.made(number) else ("kept_off", now, _SET_SINCE)


def revert(change_id, folders, locks):
    """Put back what a change found, whether it waits or is confirmed. Raises RefusedError."""
    with locked(locks, "the revert of " + change_id):
        journal = _find(change_id, folders)
        if journal.state in ("refused", "reverted"):
            raise RefusedError("change %s is %s already" % (journal.id, journal.state))
        return put_back(journal, "it was asked for")


def recover(folders, locks, why="its run did not end in order"):
    """Put back what crashed runs left, the latest first; what a living guard watches is left to it."""
    with locked(locks, "recover"):
        known, bad = journals(folders)
        left = [each for each in reversed(known) if is_here(each.change) and each.state in ("open", "failed")]
        return {"changes": [put_back(each, why) for each in left], "unreadable": bad}


def _find(change_id, folders):
    known, bad = journals(folders)
    found = [each for each in known if each.id == change_id][-1:]  # the latest, where it was made more than once
    if not found:
        unread = "".join("; %s cannot be read" % path for path in bad if change_id in path)
        raise RefusedError("there is no change %s here%s" % (change_id, unread))
    if not is_here(found[0].change):
        where = found[0].change["label"]
        raise RefusedError("change %s was made in another network namespace: %s" % (change_id, where))
    return found[0]


def _told(journal):
    """A journal as the verbs tell of it."""
    change = journal.change
    applied = journal.last("applied")
    closed = journal.last("closed") or {}
    left = applied["boottime"] + change["deadline"] - boottime() if applied else change["deadline"]
    state = journal.state
    return {
        "id": journal.id,
        "state": state,
        "at": change["at"],
        "label": change.get("label", ""),
        "because": change.get("because", ""),
        "here": is_here(change),
        "seconds_left": max(0.0, left) if state == "waiting" else None,
        "why": closed.get("why", ""),
        "damaged": journal.damaged,
        "items": closed.get("items") or [_item(*each) for each in _standing(journal)],
        "also": _changed_besides(journal) if state in ("waiting", "confirmed") else [],
        "note": "",
    }


def _standing(journal):
    for number, step in enumerate(journal.change["steps"]):
        yield step, "done" if journal.made(number) is not None else "not_done", journal.made(number)


def listing(folders):
    """Every change, and the journals that cannot be read."""
    known, bad = journals(folders)
    return {"changes": [_told(each) for each in known], "unreadable": bad}


def given(stream):
    """The change that is written there. Raises RefusedError where it is none."""
    try:
        change = json.load(stream)
        texts, lists = [change["id"], change["label"]], [change["steps"]]
        for item in change["steps"] + change["watched"]:
            texts += [item[key] for key in ("knob", "subject", "link", "pattern", "found")]
            lists += [item["request"], item["inverses"], item["inverses"][0]]
        texts += [step["expect"] for step in change["steps"]]
        lists += [step["action"] for step in change["steps"]]
        typed = all(isinstance(text, str) for text in texts) and all(isinstance(each, list) and each for each in lists)
        whole = typed and change["deadline"] > 0 and re.match(r"\w+\Z", change["id"])
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise RefusedError("what was given is no change: %s" % error) from error
    if not whole:
        raise RefusedError("what was given is no change: no name, no step, no deadline, or something of a wrong kind")
    return change


def main(words):
    """Carry out one verb; print its document, {"refused": WHY} where nothing was done."""
    folders, locks = FOLDERS, LOCKS
    if words[:1] == ["--folder"]:
        folders, locks, words = (words[1],), words[1], words[2:]
    verbs = {
        ("apply", 0): lambda: apply(given(sys.stdin), folders, locks),
        ("confirm", 1): lambda: confirm(words[1], folders, locks),
        ("revert", 1): lambda: revert(words[1], folders, locks),
        ("recover", 0): lambda: recover(folders, locks),
        ("boot", 0): lambda: recover(folders, locks, "the machine went down before it was confirmed"),
        ("list", 0): lambda: listing(folders),
    }
    verb = verbs.get((words[0] if words else "", len(words) - 1))
    if verb is None:
        sys.stderr.write("usage: list | confirm ID | revert ID | recover | apply <CHANGE\n")
        return 2
    try:
        answer = verb()
    except RefusedError as why:
        answer = {"refused": str(why)}
    except OSError as error:
        answer = {"refused": "%s: %s" % (error.filename or "the journal", error.strerror)}
    sys.stdout.write(json.dumps(answer, indent=1, sort_keys=True) + "\n")
    return 4 if "refused" in answer else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
