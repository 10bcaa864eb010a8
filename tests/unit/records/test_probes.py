"""Requests that only checks ask for."""

from fullrate.records.evidence import parse_request
from fullrate.records.probes import echo_request


def test_echo_request() -> None:
    """Three packets of the size, unfragmented, done within seconds, numbers only."""
    expected = ("ping", "-n", "-M", "do", "-s", "1472", "-c", "3", "-i", "0.2", "-W", "1", "192.0.2.2")
    assert expected == echo_request("192.0.2.2", 1472).argv


def test_echo_request_reads_back() -> None:
    """Its key spells the whole request, so a recording finds its reply."""
    request = echo_request("2001:db8::2", 8952)
    assert request == parse_request(request.key)
