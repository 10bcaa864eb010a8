"""What the lines around the tables of iperf and iperf3 tell."""

import pytest

from fullrate.generators._words import Words, words_of
from iperf_pasted import text


def words(name: str) -> Words:
    """The words of a fixture."""
    return words_of(text(name))


VERBOSE = words("3.12_verbose_reverse.txt")


def test_the_set_up() -> None:
    """-V says the version, the segment size, the congestion control, the time."""
    assert ("3.12", 32768, "bbr", 1, 2) == (
        VERBOSE.version,
        VERBOSE.mss,
        VERBOSE.congestion,
        VERBOSE.streams,
        VERBOSE.seconds,
    )


def test_the_cpu() -> None:
    """Of the program that printed it, then of the other."""
    assert (1.9, 0.1) == words("old_udp_total.txt").cpu


def test_reverse_mode() -> None:
    """The client says so."""
    assert (True, False) == (VERBOSE.reverse, words("macos.txt").reverse)


@pytest.mark.parametrize("name", ["3.12_server.txt", "server_foreign_client.txt"])
def test_a_server_printed_it(name: str) -> None:
    """It listens and accepts."""
    assert words(name).serves


@pytest.mark.parametrize("name", ["macos.txt", "old_udp_total.txt"])
def test_a_client_printed_it(name: str) -> None:
    """It connects, or was started as one."""
    assert not words(name).serves


@pytest.mark.parametrize(
    "name", ["3.18_udp.txt", "3.12_udp_verbose_reverse.txt", "old_server_udp.txt", "old_udp_total.txt"]
)
def test_udp(name: str) -> None:
    """The columns, the command or the set-up say so."""
    assert words(name).udp


def test_an_old_header() -> None:
    """Before 3.2 the column was called Bandwidth."""
    assert (True, False) == (words("old_server.txt").old_header, words("macos.txt").old_header)


def test_the_addresses() -> None:
    """Of each stream, the printing end's first."""
    first = words("old_4flow_trimmed.txt").connections[0]
    assert ("4", "192.0.2.136", "192.0.2.135") == (first.stream, first.local, first.remote)


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        ("unable to receive parameters from client:", "iperf3: error - unable to receive parameters from client: "),
        ("interrupt - the client has terminated", "iperf3: interrupt - the client has terminated"),
        ("tcp connect failed: Connection refused", "tcp connect failed: Connection refused"),
    ],
)
def test_an_error(expected: str, line: str) -> None:
    """In the program's own words."""
    assert expected == words_of(line).error.removeprefix("error - ")


def test_nothing_said() -> None:
    """Of no words nothing is known."""
    found = words_of("")
    assert (None, (), False, False, None, "") == (
        found.command,
        found.connections,
        found.serves,
        found.udp,
        found.version,
        found.error,
    )
