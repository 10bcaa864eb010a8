"""The parser of `ip -br addr`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.link import Address
from fullrate.sources.ip_brief import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants

TEXT = """lo               UNKNOWN        127.0.0.1/8 ::1/128
wlp0s20f3        UP             192.168.1.77/24 metric 600 fe80::1c2d/64
veth0@if2        DOWN
tun0             UNKNOWN        10.8.0.2 peer 10.8.0.1/32
"""


def test_every_address_with_the_scope_it_has() -> None:
    """A link without one is passed over; a peer is not an address of the link."""
    found = [(one.subject, one.address, one.prefix_length, one.scope) for one in SOURCE.parse(ASKED, TEXT.encode())
             if isinstance(one, Address)]  # fmt: skip
    assert [
        ("lo", "127.0.0.1", 8, "host"),
        ("lo", "::1", 128, "host"),
        ("wlp0s20f3", "192.168.1.77", 24, "global"),
        ("wlp0s20f3", "fe80::1c2d", 64, "link"),
        ("tun0", "10.8.0.2", 32, "global"),
    ] == found


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"eth0 DOWN\n", b"eth0 UP 300.1.1.1/24\n", TEXT[:10].encode()])
def test_other_text_is_refused(payload: bytes) -> None:
    """No address, none that is one, a line that was cut."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


@pytest.mark.parametrize(
    ("command", "own"), [("ip -br addr", True), ("ip -4 -brief addr show", True), ("ip addr", False)]
)
def test_only_the_brief_form_is_its_own(command: str, *, own: bool) -> None:
    """The long one has another source."""
    assert own is SOURCE.answers(ran(command))


def test_nobody_else_claims_it() -> None:
    """By its content alone."""
    assert ["ip_brief"] == claimants(TEXT.encode())
