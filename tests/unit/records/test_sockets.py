"""How sockets are named."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.sockets import SocketAddress, parse_socket_address, plain_address


@pytest.mark.parametrize(
    ("text", "address", "port"),
    [
        ("192.0.2.1:5201", "192.0.2.1", 5201),
        ("[2001:db8::1]:5202", "2001:db8::1", 5202),
        ("[::ffff:192.0.2.1]:5203", "192.0.2.1", 5203),
        ("::ffff:192.0.2.1:5204", "192.0.2.1", 5204),
        ("127.0.0.53%lo:53", "127.0.0.53", 53),
        ("[fe80::1]%eth0:22", "fe80::1", 22),
        ("[fe80::1%eth0]:23", "fe80::1", 23),
        ("*:5201", "*", 5201),
        ("0.0.0.0:*", "0.0.0.0", 0),  # noqa: S104 - as ss prints it, nothing is bound
    ],
)
def test_spellings_of_ss(text: str, address: str, port: int) -> None:
    """Every way ss spells an address is read."""
    assert SocketAddress(address=address, port=port) == parse_socket_address(text)


@pytest.mark.parametrize("text", ["192.0.2.1", "192.0.2.1:", "192.0.2.1:ssh", "host:22", "192.0.2.300:22", ":22", ""])
def test_other_words_are_refused(text: str) -> None:
    """Missing ports, names and addresses that are none lack the form."""
    with pytest.raises(FormatError):
        parse_socket_address(text)


@pytest.mark.parametrize("text", ["192.0.2.1:5201", "[2001:db8::1]:5201", "*:22"])
def test_spelling_reads_back(text: str) -> None:
    """The spelling of subjects is one that is read."""
    assert text == str(parse_socket_address(text))


def test_plain_address_has_one_spelling() -> None:
    """The same address is the same text."""
    assert "2001:db8::1" == plain_address("2001:0DB8:0::1")
