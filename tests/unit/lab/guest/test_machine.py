"""The emulated machine as a command line."""

from itertools import pairwise

import pytest

from fullrate.lab.guest.machine import Files, command
from fullrate.lab.guest.wiring import wires

FILES = Files(
    emulator="/place/debian13/root",
    root="/place/debian12/root",
    kernel="/place/debian12/kernel",
    release="6.1.0-57-amd64",
    initrd="/place/debian12/initrd.gz",
    lab="/run/lab",
    console="/run/console",
)


def _options(*models: str) -> list[tuple[str, str]]:
    return list(pairwise(command(FILES, wires(models or ("igb",)))))


def _devices(*models: str) -> list[str]:
    return [value for option, value in _options(*models) if option == "-device"]


def test_its_own_loader() -> None:
    """QEMU of another release needs that release's libraries."""
    assert "/place/debian13/root/usr/lib64/ld-linux-x86-64.so.2" == command(FILES, wires(("igb",)))[0]


def test_plain_emulation() -> None:
    """It is asked for by name: a /dev/kvm that opens need not work."""
    assert ("-accel", "tcg,thread=single") in _options()


def test_nothing_is_written() -> None:
    """Every folder of this machine is shared read-only."""
    shares = [value for option, value in _options() if option == "-fsdev"]
    assert [True] * 3 == [",readonly=on," in share for share in shares]


def test_a_card_behind_each_node() -> None:
    """Far's card is behind the second memory node, near's on the root bus."""
    ports = [device for device in _devices() if device.startswith("pcie-root-port")]
    assert ["bus=pcie.0", "bus=node1"] == [port.split(",")[2] for port in ports]


def test_plain_pci() -> None:
    """The expander of the second node takes no plain PCI card, and QEMU would try it first."""
    cards = [device for device in _devices("e1000") if device.startswith("e1000,")]
    assert [True, True] == [card.endswith(",bus=pcie.0") for card in cards]


def test_queues() -> None:
    """A card with several queues has a vector for each way of each, and two more."""
    (card, _) = (device for device in _devices("virtio") if "id=card-" in device)
    assert ",mq=on,vectors=10," in card


@pytest.mark.parametrize("end", ["a", "b"])
def test_taps(end: str) -> None:
    """Each card hangs on a tap that is there already; no script runs."""
    assert ("-netdev", f"tap,id=t1{end},ifname=t1{end},script=no,downscript=no") in _options()


def test_the_way_in_is_local() -> None:
    """The guest reaches nobody, and its server is reached from its own namespace only."""
    (server,) = (value for option, value in _options() if option == "-netdev" and value.startswith("user,"))
    assert (True, True) == ("restrict=on" in server, "hostfwd=tcp:127.0.0.1:" in server)
