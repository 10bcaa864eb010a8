"""The source cpu_places."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.processor import CpuPlace
from fullrate.records.leaf import Scope
from fullrate.sources.cpu_places import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

DEBIAN12 = fixture("debian12/machine/lscpu_p.txt")
DEBIAN13 = fixture("debian13/machine/lscpu_p.txt")
LINUX618 = fixture("recorded/linux-6.18/lscpu_p.txt")
HEAD = b"# CPU,Core,Socket,Node\n"


@pytest.mark.parametrize("payload", [DEBIAN12, DEBIAN13])
def test_place_in_a_second_node(payload: bytes) -> None:
    """Four cores in two nodes; further columns are passed over."""
    assert CpuPlace(subject="3", core=3, socket=0, node=1) == parsed(SOURCE, payload, CpuPlace)["3"]


def test_place_of_its_own_request() -> None:
    """util-linux 2.38."""
    assert CpuPlace(subject="1", core=1, socket=0, node=0) == parsed(SOURCE, LINUX618, CpuPlace)["1"]


def test_columns_are_told_apart() -> None:
    """Each its own number."""
    assert CpuPlace(subject="9", core=4, socket=2, node=3) == parsed(SOURCE, HEAD + b"9,4,2,3\n", CpuPlace)["9"]


def test_empty_columns() -> None:
    """Boards without sockets and nodes."""
    assert CpuPlace(subject="0", core=0) == parsed(SOURCE, HEAD + b"0,0,,\n", CpuPlace)["0"]


@pytest.mark.parametrize("payload", [HEAD, b"0,0,0,0\n", HEAD + b"0,0\n", HEAD + b"0,x,0,0\n", GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """No CPU, no head, a cut line, no number, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """The four columns by name: the default differs between versions."""
    assert (query("lscpu", "-p=CPU,CORE,SOCKET,NODE"),) == SOURCE.requests(Scope())


def test_answers_the_plain_form() -> None:
    """As people run it."""
    assert SOURCE.answers(query("lscpu", "-p"))


def test_does_not_answer_the_json_form() -> None:
    """Another source reads that."""
    assert not SOURCE.answers(query("lscpu", "--json"))
