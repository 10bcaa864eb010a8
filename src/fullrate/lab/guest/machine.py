"""The emulated machine as a command line of QEMU: four CPUs in two NUMA nodes, a card of each wire behind either.

QEMU runs from the guest's root through that root's own loader, so that nothing is installed here. Plain emulation is
asked for by name (`-accel tcg`): a /dev/kvm that opens need not work. One thread runs all CPUs: with a thread each the
guest's kernel was seen to wait for ever for a timer (RCU stall), and on two cores it was no faster. The table of TCP
sockets is kept small: to walk one of usual size takes the emulation 3 ms, ten times a second.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fullrate.lab.guest.wiring import MODELS, PORT, SERVER_MAC, Wire

_CPUS, _MEMORY = 4, 2048  # MiB
_BOOT = "console=ttyS0 quiet panic=-1 mitigations=off nokaslr net.ifnames=0 tsc=reliable audit=0 thash_entries=256"


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """What the machine is made of: folders of this machine."""

    emulator: str  # the root that has QEMU
    root: str
    kernel: str  # unpacked: boot/, lib/modules/
    release: str
    initrd: str
    lab: str  # what the guest runs at its start, and how it is wired
    console: str


def command(files: Files, wires: Sequence[Wire]) -> tuple[str, ...]:
    """The arguments, from the loader on."""
    return (*_qemu(files), *_board(files), *_shares(files), *_nodes(), *_server(), *_cards(wires))


def _qemu(files: Files) -> Iterator[str]:
    root = files.emulator
    if root == "/":
        yield "qemu-system-x86_64"
        return
    yield f"{root}/usr/lib64/ld-linux-x86-64.so.2"
    yield from ("--library-path", f"{root}/usr/lib/x86_64-linux-gnu", f"{root}/usr/bin/qemu-system-x86_64")
    yield from ("-L", f"{root}/usr/share/qemu", "-L", f"{root}/usr/share/seabios")


def _board(files: Files) -> Iterator[str]:
    yield from ("-nodefaults", "-no-user-config", "-no-reboot", "-display", "none")
    yield from ("-machine", "q35,hpet=off,smm=off,vmport=off", "-accel", "tcg,thread=single", "-cpu", "qemu64")
    yield from ("-smp", str(_CPUS), "-m", str(_MEMORY))
    yield from ("-kernel", f"{files.kernel}/boot/vmlinuz-{files.release}", "-initrd", files.initrd, "-append", _BOOT)
    yield from ("-serial", f"file:{files.console}")


def _shares(files: Files) -> Iterator[str]:
    """Folders of this machine, read-only over 9p; `remap` keeps the inodes of several file systems apart."""
    folders = {"root": files.root, "modules": f"{files.kernel}/lib/modules/{files.release}", "lab": files.lab}
    for tag, folder in folders.items():
        yield "-fsdev"
        yield f"local,id={tag},path={folder},readonly=on,security_model=none,multidevs=remap"
        yield from ("-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}")


def _nodes() -> Iterator[str]:
    half = _CPUS // 2
    for node in (0, 1):
        yield from ("-object", f"memory-backend-ram,id=memory{node},size={_MEMORY // 2}M")
        cpus = f"{node * half}-{node * half + half - 1}"
        yield from ("-numa", f"node,nodeid={node},cpus={cpus},memdev=memory{node}")
    yield from ("-numa", "dist,src=0,dst=1,val=21")
    yield from ("-device", "pxb-pcie,id=node1,bus=pcie.0,bus_nr=0x80,numa_node=1")


def _server() -> Iterator[str]:
    yield from ("-netdev", f"user,id=server,restrict=on,hostfwd=tcp:127.0.0.1:{PORT}-:{PORT}")
    yield from ("-device", f"virtio-net-pci,netdev=server,mac={SERVER_MAC},romfile=,bus=pcie.0")


def _cards(wires: Sequence[Wire]) -> Iterator[str]:
    """Both cards of each wire: near's on the root bus, far's behind the second node where its model can be."""
    slot = 0
    for wire in wires:
        model = MODELS[wire.model]
        for end, bus in (("a", "pcie.0"), ("b", "node1")):
            slot += 1
            name = wire.tap(end)
            queues = f",queues={model.queues}" if model.queues > 1 else ""
            yield from ("-netdev", f"tap,id={name},ifname={name},script=no,downscript=no{queues}")
            card = f"{model.device},netdev={name},mac={wire.mac(end)},romfile=,id=card-{name}"
            card += f",mq=on,vectors={2 * model.queues + 2}" if model.queues > 1 else ""
            if model.express:
                yield "-device"
                yield f"pcie-root-port,id=port{slot},bus={bus},chassis={slot},slot={slot},x-speed=16,x-width=32"
                yield from ("-device", f"{card},bus=port{slot}")
            else:  # unsaid, QEMU would try the expander, which takes no plain PCI card
                yield from ("-device", f"{card},bus=pcie.0")
