"""The addresses of an SSH connection."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.net import SshConnection
from fullrate.records.leaf import Scope
from fullrate.records.probes import ssh_connection
from fullrate.sources.ssh_connection import SOURCE


def read(text: str) -> tuple[object, ...]:
    """What the source makes of the text."""
    return SOURCE.parse(ssh_connection(), text.encode())


def test_both_addresses_of_an_ipv4_connection() -> None:
    """The client comes first, the server second."""
    expected = (SshConnection(client_address="192.0.2.10", server_address="198.51.100.20"),)
    assert expected == read("192.0.2.10 51512 198.51.100.20 22\n")


def test_a_scope_is_no_part_of_the_address() -> None:
    """The zone sshd shows of a link-local address."""
    expected = (SshConnection(client_address="fe80::1", server_address="fe80::2"),)
    assert expected == read("fe80::1%eth0 40000 fe80::2%eth0 22\n")


@pytest.mark.parametrize("text", ["", "192.0.2.10 51512 198.51.100.20", "a b c d", "nas 1 nas 2\n"])
def test_anything_else_is_an_error(text: str) -> None:
    """A truncated or foreign line is not guessed at."""
    with pytest.raises(FormatError):
        read(text)


def test_it_is_recognised_with_its_name_only() -> None:
    """Four words alone could be anything."""
    assert SOURCE.recognizes("SSH_CONNECTION=192.0.2.10 51512 198.51.100.20 22")
    assert not SOURCE.recognizes("192.0.2.10 51512 198.51.100.20 22")


def test_it_is_asked_only_where_it_is_called_for() -> None:
    """A host not reached over SSH has no such variable."""
    assert () == SOURCE.requests(Scope())
    assert SOURCE.answers(ssh_connection())
