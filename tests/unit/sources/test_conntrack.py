"""The source conntrack."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.limits import ConntrackCounters, ConntrackLimit
from fullrate.records.leaf import Scope
from fullrate.sources.conntrack import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture

TABLE = fixture("recorded/linux-6.18/stat_nf_conntrack.txt")
LIMIT = ReadFile(path="/proc/sys/net/netfilter/nf_conntrack_max")
# the columns up to Linux 5.8, two CPUs
OLDER = b"""\
entries  searched found new invalid ignore delete delete_list insert insert_failed drop early_drop icmp_error  \
expect_new expect_create expect_delete search_restart
000005d2  00000001 00000002 00000003 00000004 0047b7ef 00000005 00000006 00000007 00000088 00000015 00000011 0000000a  \
0000000b 0000000c 0000000d 0000000e
000005d2  00000000 00000000 00000000 00000002 0047b7ef 00000000 00000000 00000000 00000001 00000002 00000003 00000000  \
00000000 00000000 00000000 00000000
"""


def test_table_of_a_running_kernel() -> None:
    """Nine connections are tracked, none was refused; `entries` is no sum."""
    expected = ConntrackCounters(entries=9, dropped=0, early_dropped=0, insert_failed=0)
    assert (expected,) == SOURCE.parse(PASTED, TABLE)


def test_older_columns_over_all_cpus() -> None:
    """0x15 + 2, 0x11 + 3, 0x88 + 1 of 0x5d2 entries."""
    expected = ConntrackCounters(entries=1490, dropped=23, early_dropped=20, insert_failed=137)
    assert (expected,) == SOURCE.parse(PASTED, OLDER)


def test_limit() -> None:
    """Its own file, one number."""
    payload = fixture("recorded/linux-6.18/nf_conntrack_max.txt")
    assert (ConntrackLimit(entries=262144),) == SOURCE.parse(LIMIT, payload)


@pytest.mark.parametrize(
    "payload",
    [
        OLDER[:-10],
        OLDER[:150],
        OLDER.replace(b"early_drop", b"early_what"),
        OLDER.replace(b"5d2", b"xyz"),
        OLDER.replace(b"5d2", b"f" * 17),
        GARBAGE,
        b"",
    ],
)
def test_other_bytes_are_no_table(payload: bytes) -> None:
    """A missing value, no CPU, a missing column, no number, one of over 64 bits, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


@pytest.mark.parametrize("payload", [b"many\n", b"", b"1\n2\n"])
def test_other_bytes_are_no_limit(payload: bytes) -> None:
    """One number is expected."""
    with pytest.raises(FormatError):
        SOURCE.parse(LIMIT, payload)


def test_requests() -> None:
    """Both files, without a program."""
    assert (ReadFile(path="/proc/net/stat/nf_conntrack"), LIMIT) == SOURCE.requests(Scope())
