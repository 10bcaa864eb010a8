"""Requests and actions, and their one spelling."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullrate.records.errors import FormatError
from fullrate.records.evidence import (
    DumpSockets,
    ListGlob,
    QueryCommand,
    ReadFile,
    Request,
    WriteFile,
    change,
    parse_request,
    query,
)

TEXT = st.text(min_size=1, max_size=20)


@pytest.mark.parametrize(
    ("request_", "key"),
    [
        (ReadFile(path="/proc/stat"), "read /proc/stat"),
        (ReadFile(path="/sys/a b"), "read /sys/a b"),
        (ListGlob(pattern="/sys/class/net/*/speed"), "list /sys/class/net/*/speed"),
        (query("ethtool", "-k", "eth0"), "run ethtool -k eth0"),
        (query("sh", "-c", "echo 'a  b'"), "run sh -c 'echo '\"'\"'a  b'\"'\"''"),
        (DumpSockets(ports=(5201,)), "sockets 5201"),
        (DumpSockets(ports=(5201, 5202)), "sockets 5201,5202"),
    ],
)
def test_request_has_one_spelling(request_: Request, key: str) -> None:
    """As a person would type it, and as it is read back."""
    assert (key, request_) == (request_.key, parse_request(key))


@given(
    st.one_of(
        st.builds(ReadFile, path=TEXT),
        st.builds(ListGlob, pattern=TEXT),
        st.builds(QueryCommand, argv=st.lists(TEXT, min_size=1, max_size=4).map(tuple)),
        st.builds(DumpSockets, ports=st.lists(st.integers(0, 65535), min_size=1, max_size=4).map(tuple)),
    )
)
def test_any_request_is_read_back(request_: Request) -> None:
    """Quotes, spaces, line ends and other scripts included."""
    assert request_ == parse_request(request_.key)


@pytest.mark.parametrize(
    "key",
    [
        pytest.param("", id="empty"),
        pytest.param("write /proc/stat", id="unknown verb"),
        pytest.param("/proc/stat", id="no verb"),
        pytest.param("run ethtool 'eth0", id="open quote"),
        pytest.param("sockets", id="no ports"),
        pytest.param("sockets http", id="port in words"),
        pytest.param("sockets 5201,", id="empty port"),
    ],
)
def test_what_spells_no_request_is_refused(key: str) -> None:
    """A damaged bundle is told, with the key that is wrong."""
    with pytest.raises(FormatError, match="unknown request"):
        parse_request(key)


def test_timeout_is_no_part_of_a_request() -> None:
    """The same question with more patience."""
    assert (query("ss", timeout=1.0), hash(query("ss", timeout=1.0))) == (query("ss"), hash(query("ss")))


def test_patience_of_a_query_is_kept() -> None:
    """Each question has its own."""
    assert (5.0, 9.0) == (query("ss").timeout, query("ss", timeout=9.0).timeout)


@pytest.mark.parametrize(
    ("path", "content", "key"),
    [
        ("/proc/irq/61/smp_affinity_list", "3", "echo 3 > /proc/irq/61/smp_affinity_list"),
        (
            "/proc/sys/net/ipv4/tcp_rmem",
            "4096 131072 6291456",
            "echo '4096 131072 6291456' > /proc/sys/net/ipv4/tcp_rmem",
        ),
        ("/tmp/a b", "$(id)", "echo '$(id)' > '/tmp/a b'"),  # noqa: S108 - nothing is written
    ],
)
def test_write_reads_as_a_person_would_type_it(path: str, content: str, key: str) -> None:
    """Quoted, so that pasting it does the same."""
    assert key == WriteFile(path=path, content=content).key


@given(st.lists(TEXT, min_size=1, max_size=4))
def test_change_pastes_as_the_same_words(words: list[str]) -> None:
    """A shell splits it into the arguments that were planned."""
    assert words == shlex.split(change(*words).key)


def test_what_is_fed_to_a_change_is_part_of_it() -> None:
    """Two rule sets are two actions."""
    assert change("nft", "-f", "-", stdin="flush ruleset") != change("nft", "-f", "-")
