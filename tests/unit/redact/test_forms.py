"""An address is replaced by the same one in whatever form a text gives it."""

import ipaddress

import pytest

from fullrate.redact.draws import Draws
from fullrate.redact.forms import Forms, Kind
from fullrate.redact.learned import Learned
from fullrate.redact.patterns import TOKENS

SIX = "2a01:4f8::1:2"


def forms() -> Forms:
    """The tables of a bundle with one address of each kind."""
    learned = Learned()
    learned.look(f"10.1.2.3/24 {SIX}/64 52:54:00:ab:cd:ef")
    return Forms(learned, Draws(b"secret"))


def replaced(text: str) -> str:
    """What stands in place of a text that is one address."""
    found = TOKENS.fullmatch(text)
    assert found is not None
    return forms().form(found, "")


FOUR = ipaddress.ip_address(replaced("10.1.2.3")).packed
SIXTEEN = ipaddress.ip_address(replaced(SIX)).packed
MAC = bytes.fromhex(replaced("52:54:00:ab:cd:ef").replace(":", ""))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0a010203", FOUR.hex()),
        ("0x0302010a", "0x" + FOUR[::-1].hex()),
        ("0302010A", FOUR[::-1].hex().upper()),
        ("2a0104f8000000000000000000010002", SIXTEEN.hex()),
        ("52:54:00:ab:cd:ef".upper(), MAC.hex(":").upper()),
        ("5254.00ab.cdef", f"{MAC.hex()[:4]}.{MAC.hex()[4:8]}.{MAC.hex()[8:]}"),
        ("52-54-00-ff-ff-ab-cd-ef", (MAC[:3] + b"\xff\xff" + MAC[3:]).hex("-")),
        ("525400fffeabcdef", (MAC[:3] + b"\xff\xfe" + MAC[3:]).hex()),
        ("wlx525400abcdef", f"wlx{MAC.hex()}"),
        ("::ffff:10.1.2.3", f"::ffff:{ipaddress.ip_address(FOUR)}"),
    ],
)
def test_every_form(text: str, expected: str) -> None:
    """Dotted, in pairs, in one number, in capitals, turned round."""
    assert expected == replaced(text)


def test_packed_addresses() -> None:
    """As the kernel's dumps have them."""
    assert (FOUR, SIXTEEN) == (forms().packed(bytes([10, 1, 2, 3])), forms().packed(ipaddress.ip_address(SIX).packed))


@pytest.mark.parametrize("text", ["0a010204", "525400123457", "525400fffe123457"])
def test_numbers_that_are_no_address_of_the_bundle_stay(text: str) -> None:
    """A number is an address when the bundle has it as one."""
    assert text == replaced(text)


def test_each_is_counted_once() -> None:
    """In whatever form."""
    made = forms()
    for text in ("10.1.2.3", "0a010203", "52:54:00:ab:cd:ef", "525400abcdef"):
        found = TOKENS.fullmatch(text)
        assert found is not None
        made.form(found, "")
    assert {Kind.FOUR: 1, Kind.MAC: 1} == {kind: len(met) for kind, met in made.met.items() if met}


@pytest.mark.parametrize(("kind", "expected"), [(Kind.MAC, "MAC addresses"), (Kind.HOST, "host names")])
def test_several(kind: Kind, expected: str) -> None:
    """As a sentence says it."""
    assert expected == kind.plural
