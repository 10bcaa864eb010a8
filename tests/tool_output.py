"""Recorded output of tools, and what is no tool's output, for the tests of the parsers."""

from pathlib import Path

from fullrate.records.evidence import QueryCommand, parse_request

FIXTURES = Path(__file__).parent / "fixtures"
GARBAGE = (
    b"<html><body>502 Bad Gateway</body></html>\n",
    b"\x00\xff\x13\x37\n",
    b"sh: 1: ethtool: not found\n",
    b'{"error": "no"}\n',
    b"[1, 2]\n",
)


def recorded(path: str) -> bytes:
    """The bytes of one fixture."""
    return (FIXTURES / path).read_bytes()


def ran(command: str) -> QueryCommand:
    """The request to run a command."""
    request = parse_request(f"run {command}")
    assert isinstance(request, QueryCommand)
    return request
