"""The parser of /proc/net/ip_tables_names."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.net import FilterTables
from fullrate.records.leaf import Scope
from fullrate.sources.iptables_tables import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

IPV4, IPV6 = ReadFile(path="/proc/net/ip_tables_names"), ReadFile(path="/proc/net/ip6_tables_names")
NAMES = "{}/recorded/ip_tables_names.txt"
GENERATIONS = pytest.mark.parametrize("generation", ["debian12", "debian13"])


@GENERATIONS
def test_tables_in_use(generation: str) -> None:
    """In the kernel's order."""
    expected = (FilterTables(subject="iptables", tables=("mangle", "filter")),)
    assert expected == parse(IPV4, recorded(NAMES.format(generation)))


def test_other_family() -> None:
    """The file tells the family."""
    assert (FilterTables(subject="ip6tables", tables=("raw",)),) == parse(IPV6, b"raw\n")


def test_no_table_was_ever_used() -> None:
    """An empty file says so: it is no gap."""
    assert (FilterTables(subject="iptables", tables=()),) == parse(IPV4, b"")


@pytest.mark.parametrize("payload", [*GARBAGE, b"filt", b"mangle\nfil"])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A name that is no table's, or a cut one."""
    with pytest.raises(FormatError):
        parse(IPV4, payload)


def test_a_command_is_not_its_request() -> None:
    """Without the path the family is not known."""
    with pytest.raises(FormatError):
        parse(ran("cat /proc/net/ip_tables_names"), b"filter\n")


def test_requests() -> None:
    """Both files, of every host: reading them loads no module."""
    assert (IPV4, IPV6) == SOURCE.requests(Scope())


def test_answers_its_files_only() -> None:
    """Nothing else of /proc/net."""
    assert [True, True, False] == [SOURCE.answers(one) for one in (IPV4, IPV6, ReadFile(path="/proc/net/dev"))]


@pytest.mark.parametrize(("text", "own"), [("mangle\nfilter\n", True), ("", False), ("*filter\n", False)])
def test_recognizes_names_of_tables(text: str, own: bool) -> None:  # noqa: FBT001 - a column of the table
    """Nothing but names."""
    assert own is SOURCE.recognizes(text)
