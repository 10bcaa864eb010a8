"""Which cards the guest has and how they are wired: a pair of one model a wire, one card at each end.

namespace a                                     namespace b            (in the guest)
igb0  10.78.1.1, fd00:78:1::1  --- tap, tap ---  10.78.1.2  igb0        100 Mbit/s, by the taps
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fullrate.records.errors import UsageError

GENERATIONS = ("debian13", "debian12")
NAMESPACE = "fullrate-guest"  # of this machine: QEMU, its taps, and the way in
ADDRESS, PORT = "10.0.2.15", 4711  # in the guest, of its server: slirp's first address (QEMU, "User mode networking")
IN_GUEST = "/run/lab"  # where the guest finds what it is told
SERVER_MAC = "52:54:00:4e:00:01"
_OUI = "52:54:00:4e"  # QEMU's own, locally administered


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A card that QEMU emulates; `express`: it goes behind a root port. `queues`: of its tap."""

    device: str
    express: bool
    queues: int = 1


MODELS = {
    "igb": Model(device="igb", express=True),
    "e1000e": Model(device="e1000e", express=True),
    "vmxnet3": Model(device="vmxnet3", express=True),
    "e1000": Model(device="e1000", express=False),
    "virtio": Model(device="virtio-net-pci", express=True, queues=4),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """One wire, by the name of its cards; `node` is the NUMA node of the far one."""

    number: int
    model: str

    @property
    def interface(self) -> str:
        """The name of both cards, each in its own namespace."""
        return self.model

    def mac(self, end: str) -> str:
        """The hardware address of a card."""
        return f"{_OUI}:{self.number:02x}:{'ab'.index(end) + 1:02x}"

    def tap(self, end: str) -> str:
        """The tap of a card."""
        return f"t{self.number}{end}"

    def address(self, end: str, *, family: int = 4) -> str:
        """The address of a card."""
        host = "ab".index(end) + 1
        return f"10.78.{self.number}.{host}" if family == 4 else f"fd00:78:{self.number}::{host}"  # noqa: PLR2004 - IPv4

    def told(self) -> dict[str, object]:
        """The wire as the guest's server takes it."""
        ends = {
            end: {"mac": self.mac(end), "addresses": [f"{self.address(end)}/24", f"{self.address(end, family=6)}/64"]}
            for end in "ab"
        }
        return {"name": self.interface, **ends}


def wires(models: Sequence[str] = tuple(MODELS)) -> tuple[Wire, ...]:
    """A wire for each model. Raises UsageError."""
    unknown = [model for model in models if model not in MODELS]
    if unknown or not models or len(set(models)) < len(models):
        raise UsageError(f"--nic takes each of {', '.join(MODELS)} once, with commas between")
    return tuple(Wire(number=number, model=model) for number, model in enumerate(models, 1))
