"""Other hardware addresses keep their kind and what is made of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullrate.redact.draws import Draws
from fullrate.redact.hardware import Hardware

macs = st.integers(min_value=1, max_value=2**48 - 2)
CLASS = 0x03 << 40


def table(*seen: int) -> Hardware:
    """The table of a bundle with these addresses."""
    return Hardware(Draws(b"secret"), frozenset(seen))


@pytest.mark.parametrize("value", [0, 0xFFFFFFFFFFFF, 0x0180C200000E, 0x01005E0000FB, 0x333300000001])
def test_what_is_nobodys_stays(value: int) -> None:
    """None, all, and the groups of protocols."""
    assert value == table(value).mac(value)


@given(macs)
def test_the_class_stays(value: int) -> None:
    """One host or many, made locally or by a vendor."""
    assert value & CLASS == table(value).mac(value) & CLASS


@given(st.sets(macs, max_size=30))
def test_no_two_become_one(some: set[int]) -> None:
    """Each has its own."""
    hardware = table(*some)
    assert len(some) == len({hardware.mac(one) for one in some})


def test_an_interface_identifier_fits_its_address() -> None:
    """fe80::5054:ff:fe12:3456 is of 52:54:00:12:34:56, before and after."""
    hardware = table(0x525400123456)
    made = hardware.mac(0x525400123456)
    expected = (made >> 24 ^ 0x020000) << 40 | 0xFFFE000000 | made & 0xFFFFFF
    assert expected == hardware.interface(0x505400FFFE123456)


def test_a_serial_number_fits_its_address() -> None:
    """PCI writes e4-1d-2d-ff-ff-12-34-56 for e4:1d:2d:12:34:56."""
    hardware = table(0xE41D2D123456)
    made = hardware.mac(0xE41D2D123456)
    assert made >> 24 << 40 | 0xFFFF000000 | made & 0xFFFFFF == hardware.spread(0xE41D2DFFFF123456)


def test_a_solicited_group_fits_its_address() -> None:
    """33:33:ff and the last three bytes."""
    hardware = table(0x525400123456)
    assert 0x3333FF << 24 | hardware.mac(0x525400123456) & 0xFFFFFF == hardware.mac(0x3333FF123456)
