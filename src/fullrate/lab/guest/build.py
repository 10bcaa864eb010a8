"""Make the hardware lab and take it away: `up` and `down`, each safe to repeat after any interruption."""

import json
import secrets
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from fullrate.host.protocol import Host
from fullrate.lab import enter
from fullrate.lab.acting import act, ask, require
from fullrate.lab.guest import machine, measuring
from fullrate.lab.guest.machine import Files
from fullrate.lab.guest.state import FOLDER, GuestState, forget, load_state, save
from fullrate.lab.guest.wiring import ADDRESS, GENERATIONS, MODELS, NAMESPACE, PORT, SERVER_MAC, Wire, wires
from fullrate.lab.processes import alive, end
from fullrate.lab.state import LabProcess, Phase
from fullrate.lab.topology import BASELINE, shaper
from fullrate.records.errors import FormatError, TargetError, UsageError
from fullrate.records.evidence import ChangeCommand, ReadFile, Status, change, query
from fullrate.records.units import BitsPerSecond, Bytes, Seconds

WORK = "/var/tmp/fullrate-guest"  # noqa: S108 - roots and kernels, which a restart must not lose
_DATA = Path(__file__).parents[2] / "data" / "guest"
_PREPARE_WITHIN: Seconds = 1200.0
_BOOT_WITHIN: Seconds = 180.0
_LOOK_EVERY = "0.25"
_IN_LAB = (str(_DATA / "stage2.sh"), str(_DATA / "server.py"), str(Path(enter.__file__)))
_QUEUE: Bytes = 600_000  # 50 ms at 100 Mbit/s: the emulation stalls for some 10 ms at a time
_BUCKET: Bytes = 30_000  # less than a superframe, so that tbf takes it apart: else one drop is that of 40 frames
_PARTS = 4  # looks a second
_AHEAD = ("nice", "-n", "-10")  # of other work on this machine, at whose turns the wires would stand still


def up(host: Host, generation: str = GENERATIONS[0], models: Sequence[str] = tuple(MODELS)) -> GuestState:
    """The hardware lab, made if it is not there as asked for. Raises UsageError, TargetError."""
    if generation not in GENERATIONS:
        raise UsageError(f"--generation is one of {', '.join(GENERATIONS)}")
    wanted = wires(models)
    require(host)
    state = _known(host)
    if state is not None and _whole(host, state) and (state.generation, state.wires) == (generation, wanted):
        return state
    down(host)
    files = _prepare(host, generation)
    token = secrets.token_hex(16)
    state = GuestState(phase=Phase.BUILDING, generation=generation, wires=wanted, token=token)
    try:
        return _build(host, save(host, state), files)
    except TargetError:
        down(host)
        raise


def down(host: Host) -> None:
    """End and remove everything of the hardware lab, however far it was made. Raises TargetError when it stays."""
    require(host)
    state, running = _known(host), _inside(host)
    if state is None and not running and NAMESPACE not in _namespaces(host):
        return
    end(host, running)
    if alive(host, running):
        raise TargetError(f"the guest on {host.label} does not end: {', '.join(str(one.pid) for one in running)}")
    host.perform(change("ip", "netns", "del", NAMESPACE))
    if NAMESPACE in _namespaces(host) or alive(host, running):
        raise TargetError(f"the guest on {host.label} could not be removed; `fullrate lab down` again")
    forget(host)


def _known(host: Host) -> GuestState | None:
    """The state on disk; one that cannot be read is none, and what it stood for is found by its namespace."""
    try:
        return load_state(host)
    except FormatError:
        return None


def _whole(host: Host, state: GuestState) -> bool:
    return (
        state.phase in {Phase.READY, Phase.BROKEN} and state.process is not None and bool(alive(host, (state.process,)))
    )


def _told(host: Host, *argv: str) -> str:
    """What a command prints: no answer must not pass for `nothing there`. Raises TargetError."""
    (reply,) = host.ask((query(*argv, timeout=30.0),))
    if reply.status is not Status.OK:
        raise TargetError(f"{' '.join(argv)} on {host.label}: {reply.error.strip() or reply.status}; try again")
    return reply.payload.decode(errors="replace")


def _namespaces(host: Host) -> set[str]:
    return {line.split()[0] for line in _told(host, "ip", "netns", "list").splitlines()}


def _inside(host: Host) -> tuple[LabProcess, ...]:
    """Everything that runs in the namespace of the wires: it is ours alone."""
    if NAMESPACE not in _namespaces(host):
        return ()
    pids = _told(host, "ip", "netns", "pids", NAMESPACE).split()
    stats = ask(host, *(ReadFile(path=f"/proc/{pid}/stat") for pid in pids))
    known = zip(pids, stats, strict=True)
    return tuple(
        LabProcess(pid=int(pid), started=int(enter.started(stat)), what="found") for pid, stat in known if stat
    )


def _prepare(host: Host, generation: str) -> Files:
    """Have the root, the kernel and the initrd. Raises TargetError with what the preparation said."""
    act(host, change("bash", str(_DATA / "prepare.sh"), WORK, generation, timeout=_PREPARE_WITHIN))
    place = f"{WORK}/{generation}"
    release, root, emulator = (
        text.strip()
        for text in ask(
            host,
            ReadFile(path=f"{place}/release"),
            query("realpath", f"{place}/root"),
            query("realpath", f"{WORK}/{GENERATIONS[0]}/root"),
        )
    )
    return Files(
        emulator=emulator,
        root=root,
        kernel=f"{place}/kernel",
        release=release,
        initrd=f"{place}/initrd.gz",
        lab=str(FOLDER / "lab"),
        console=str(FOLDER / "console"),
    )


def _build(host: Host, state: GuestState, files: Files) -> GuestState:
    for action in (*_folder(state), *_cables(state.wires)):
        act(host, action)
    inside = ("ip", "netns", "exec", NAMESPACE, *_AHEAD, *machine.command(files, state.wires))
    reply = act(host, change(sys.executable, "-I", str(Path(enter.__file__)), "--detach", "--", *inside))
    pid, started = map(int, reply.payload.split())
    state = save(host, replace(state, process=LabProcess(pid=pid, started=started, what="QEMU")))
    _await(host, state)
    for action in _shape(state.wires, measuring.OPEN):
        act(host, action)
    speed = measuring.speed(host, state, f"{WORK}/{state.generation}")
    for action in _shape(state.wires, speed):
        act(host, action)
    return save(host, replace(state, phase=Phase.READY, speed=speed))


def _folder(state: GuestState) -> Iterator[ChangeCommand]:
    """What the guest sees of its lab, for root alone: it holds the token."""
    lab = f"{FOLDER}/lab"
    yield change("mkdir", "-p", "-m", "700", str(FOLDER), lab)
    yield change("cp", *_IN_LAB, lab)
    wiring = {
        "token": state.token,
        "port": PORT,
        "mac": SERVER_MAC,
        "address": f"{ADDRESS}/24",
        "settings": [f"{name}={value}" for name, value in BASELINE.items()],
        "wires": [wire.told() for wire in state.wires],
    }
    yield change("dd", f"of={lab}/wiring.json", "status=none", stdin=json.dumps(wiring))


def _cables(known: Sequence[Wire]) -> Iterator[ChangeCommand]:
    """Each wire's two taps, what comes in at one going out at the other."""
    yield change("ip", "netns", "add", NAMESPACE)
    yield change("ip", "-n", NAMESPACE, "link", "set", "lo", "up")
    inside = ("ip", "netns", "exec", NAMESPACE)
    for wire in known:
        several = ("multi_queue",) if MODELS[wire.model].queues > 1 else ()
        for tap in (wire.tap("a"), wire.tap("b")):
            yield change("ip", "-n", NAMESPACE, "tuntap", "add", "dev", tap, "mode", "tap", "vnet_hdr", *several)
            yield change("ip", "-n", NAMESPACE, "link", "set", tap, "mtu", "9216", "up")
            yield change(*inside, "sysctl", "-qw", f"net.ipv6.conf.{tap}.disable_ipv6=1")
        for one, other in (("a", "b"), ("b", "a")):
            yield change(*inside, "tc", "qdisc", "add", "dev", wire.tap(one), "ingress")
            everything = ("parent", "ffff:", "protocol", "all", "u32", "match", "u32", "0", "0")
            redirect = ("action", "mirred", "egress", "redirect", "dev", wire.tap(other))
            yield change(*inside, "tc", "filter", "add", "dev", wire.tap(one), *everything, *redirect)


def _shape(known: Sequence[Wire], speed: BitsPerSecond) -> Iterator[ChangeCommand]:
    """The speed of each wire, both ways."""
    for wire in known:
        for tap in (wire.tap("a"), wire.tap("b")):
            root = ("tc", "qdisc", "replace", "dev", tap, "root")
            yield change("ip", "netns", "exec", NAMESPACE, *root, *shaper(speed, _QUEUE, _BUCKET))


def _await(host: Host, state: GuestState) -> None:
    """Wait until the guest's server answers. Raises TargetError with the end of its console."""
    process = state.process
    for _ in range(int(_BOOT_WITHIN * _PARTS)):
        if process is None or not alive(host, (process,)):
            break
        if "guest is up" in ask(host, ReadFile(path=f"{FOLDER}/console"))[0]:
            return
        act(host, change("sleep", _LOOK_EVERY))
    console = ask(host, ReadFile(path=f"{FOLDER}/console"))[0].strip().splitlines()[-3:]
    raise TargetError(f"the guest did not come up: {' / '.join(console) or 'it said nothing'}")
