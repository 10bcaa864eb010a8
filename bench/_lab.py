"""Two network namespaces joined by a veth pair, programs between them and what they cost.

All of it has names of this process alone and goes away on every path, SIGTERM included.
"""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from types import FrameType

from fullrate.host.protocol import Host
from fullrate.lab.topology import burst, shaped_rate
from fullrate.records.ends import End
from fullrate.records.evidence import Status, change, query
from fullrate.records.units import MICROSECONDS, BitsPerSecond, Bytes, Seconds

SRC = Path(__file__).parents[1] / "src"
LINK = "bench0"
ADDRESS = {End.NEAR: "10.78.0.1", End.FAR: "10.78.0.2"}
CONGESTION_CONTROL = "cubic"  # of every program, by its route: a host's own default moves rates fourfold
_LIMIT: Bytes = 4_000_000  # of the shaper's queue, as in the practice network
_GONE_WITHIN: Seconds = 5.0
_SOON: Seconds = 0.02


def do(host: Host, *argv: str) -> None:
    """Run a command that must succeed."""
    reply = host.perform(change(*argv, timeout=60.0))
    if reply.status is not Status.OK:
        raise SystemExit(f"{' '.join(argv)}: {reply.error}")


@contextmanager
def ends_orderly() -> Iterator[None]:
    """The first SIGTERM raises SystemExit meanwhile, so that what was made is taken away; later ones are too late."""
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, _: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + number)


@contextmanager
def namespaces(host: Host, *names: str) -> Iterator[None]:
    """Namespaces of these names with their loopback up; gone afterwards."""
    with ends_orderly(), ExitStack() as stack:
        for name in names:
            stack.callback(host.perform, change("ip", "netns", "delete", name))
            do(host, "ip", "netns", "add", name)
            do(host, "ip", "-n", name, "link", "set", "lo", "up")
        yield


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Two joined namespaces by their names, the control group of what runs there, and the folder it writes to."""

    host: Host
    names: dict[End, str]
    group: Path
    folder: Path

    def carried(self) -> Bytes:
        """The bytes that both ends' links received so far."""
        return sum(self._received(name) for name in self.names.values())

    def _received(self, name: str) -> Bytes:
        (reply,) = self.host.ask([query("ip", "-n", name, "-s", "-j", "link", "show", LINK)])
        return int(json.loads(reply.payload)[0]["stats64"]["rx"]["bytes"])

    def cpu(self) -> Seconds:
        """CPU time of all programs so far, both ends together."""
        (usage, *_) = (self.group / "cpu.stat").read_text().splitlines()  # usage_usec: cgroup-v2.rst
        return int(usage.split()[1]) / MICROSECONDS

    def end_programs(self) -> None:
        """Kill what still runs, with all children."""
        (self.group / "cgroup.kill").write_text("1")

    def listens(self, end: End, port: int) -> bool:
        """Whether a program listens there."""
        look = query("ip", "netns", "exec", self.names[end], "ss", "-tlnH", f"sport = :{port}")
        (reply,) = self.host.ask([look])
        return bool(reply.payload.strip())


@contextmanager
def stage(host: Host, *, speed: BitsPerSecond | None = None) -> Iterator[Stage]:
    """Two namespaces joined by a veth pair, each way shaped to a wire of `speed`, or unshaped."""
    names = {end: f"frt-bench-{os.getpid()}-{end}" for end in (End.NEAR, End.FAR)}
    with namespaces(host, *names.values()), TemporaryDirectory() as folder, _group() as group:
        near, far = names.values()
        do(host, "ip", "link", "add", LINK, "netns", near, "type", "veth", "peer", "name", LINK, "netns", far)
        for end, name in names.items():
            _set_up(host, end, name, speed)
        made = Stage(host=host, names=names, group=group, folder=Path(folder))
        try:
            yield made
        finally:
            made.end_programs()


def _set_up(host: Host, end: End, name: str, speed: BitsPerSecond | None) -> None:
    do(host, "ip", "-n", name, "address", "add", f"{ADDRESS[end]}/24", "dev", LINK)
    do(host, "ip", "-n", name, "link", "set", LINK, "up")
    route = ("10.78.0.0/24", "dev", LINK, "proto", "kernel", "scope", "link", "src", ADDRESS[end])
    do(host, "ip", "-n", name, "route", "replace", *route, "congctl", CONGESTION_CONTROL)
    if speed is not None:
        do(host, "tc", "-n", name, "qdisc", "replace", "dev", LINK, "root", *shape(speed))


def shape(speed: BitsPerSecond) -> tuple[str, ...]:
    """The words of a shaper through which full frames fill a wire of `speed` exactly."""
    return ("tbf", "rate", f"{shaped_rate(speed)}bit", "burst", str(burst(speed)), "limit", str(_LIMIT))


@contextmanager
def _group() -> Iterator[Path]:
    """A control group of version 2; what still runs in it at the end is killed (cgroup.kill: Linux 5.14)."""
    mounts = (line.split() for line in Path("/proc/self/mounts").read_text().splitlines())
    root = next((Path(words[1]) for words in mounts if words[2] == "cgroup2"), None)
    if root is None:
        raise SystemExit("no cgroup2 file system is mounted: mount -t cgroup2 none /sys/fs/cgroup")
    group = root / f"frt-bench-{os.getpid()}"
    group.mkdir()
    try:
        yield group
    finally:
        (group / "cgroup.kill").write_text("1")
        _remove(group)


def _remove(group: Path) -> None:
    """Remove a control group whose programs were killed: it is busy until the last of them is gone."""
    until = monotonic() + _GONE_WITHIN
    while True:
        try:
            return group.rmdir()
        except OSError:
            if monotonic() > until:
                raise
            sleep(_SOON)
