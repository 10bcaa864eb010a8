"""The cards of the guest and how they are wired."""

import pytest

from fullrate.lab.guest.wiring import MODELS, wires
from fullrate.records.errors import UsageError


def test_each_model_has_a_wire() -> None:
    """In the order they were named, each with a number of its own."""
    assert [(1, "vmxnet3"), (2, "igb")] == [(wire.number, wire.model) for wire in wires(("vmxnet3", "igb"))]


def test_addresses() -> None:
    """The two ends of a wire are neighbours, and no two wires share a network."""
    wire = wires(("igb", "e1000"))[1]
    found = [wire.address(end, family=family) for end in "ab" for family in (4, 6)]
    assert ["10.78.2.1", "fd00:78:2::1", "10.78.2.2", "fd00:78:2::2"] == found


def test_hardware_addresses_are_unique() -> None:
    """Cards are told apart by them."""
    found = [wire.mac(end) for wire in wires() for end in "ab"]
    assert len(set(found)) == len(found)


def test_taps_have_kernel_names() -> None:
    """15 characters at most (IFNAMSIZ)."""
    assert all(len(wire.tap(end)) < 16 for wire in wires() for end in "ab")


@pytest.mark.parametrize("models", [(), ("rtl8139",), ("igb", "igb"), ("",)])
def test_refused(models: tuple[str, ...]) -> None:
    """The message lists what there is."""
    with pytest.raises(UsageError, match="--nic takes each of igb, e1000e, vmxnet3, e1000, virtio once"):
        wires(models)


def test_told() -> None:
    """What the guest's server reads: names, hardware addresses, addresses with their prefix."""
    told = wires(("igb",))[0].told()
    assert {"mac": "52:54:00:4e:01:01", "addresses": ["10.78.1.1/24", "fd00:78:1::1/64"]} == told["a"]


def test_more_than_one_queue() -> None:
    """Only virtio's tap needs several: the others take their frames from one and spread them themselves."""
    assert ["virtio"] == [name for name, model in MODELS.items() if model.queues > 1]
