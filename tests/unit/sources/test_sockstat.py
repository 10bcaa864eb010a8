"""The source sockstat."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.limits import SocketMemory
from fullrate.records.leaf import Scope
from fullrate.sources.sockstat import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture

BUSY = fixture("recorded/linux-6.18/proc_net_sockstat.txt")


@pytest.mark.parametrize(
    ("path", "tcp", "udp"),
    [
        ("debian12/machine/proc_net_sockstat.txt", 439, 0),
        ("debian13/machine/proc_net_sockstat.txt", 68, 0),
        ("recorded/linux-6.18/proc_net_sockstat.txt", 3124, 135),
    ],
)
def test_pages(path: str, tcp: int, udp: int) -> None:
    """Each protocol's own."""
    assert (SocketMemory(tcp_pages=tcp, udp_pages=udp),) == SOURCE.parse(PASTED, fixture(path))


@pytest.mark.parametrize("payload", [BUSY[:30], BUSY.partition(b"UDP:")[0], BUSY.replace(b" mem", b""), GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """Cut short, without UDP, without memory, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It is read on every host."""
    assert (ReadFile(path="/proc/net/sockstat"),) == SOURCE.requests(Scope())
