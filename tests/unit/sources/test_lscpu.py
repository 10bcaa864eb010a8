"""The source lscpu."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.cpu import Topology
from fullrate.records.leaf import Scope
from fullrate.sources.lscpu import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

DEBIAN12 = fixture("debian12/machine/lscpu_J.txt")
DEBIAN13 = fixture("debian13/machine/lscpu_J.txt")
TEXT12 = fixture("recorded/linux-6.18/lscpu.txt")
TEXT13 = fixture("recorded/debian13/lscpu.txt")
GUEST = Topology(
    cpus=4,
    model="QEMU Virtual CPU version 2.5+",
    threads_per_core=1,
    cores_per_socket=4,
    sockets=1,
    numa_nodes=2,
)
NESTED = b"""{"lscpu": [
  {"field": "CPU(s):", "data": "96", "children": [{"field": "On-line CPU(s) list:", "data": "0-95"}]},
  {"field": "Vendor ID:", "data": "GenuineIntel", "children": [
    {"field": "Model name:", "data": "Intel(R) Xeon(R)", "children": [
      {"field": "Thread(s) per core:", "data": "2"}, {"field": "Core(s) per socket:", "data": "24"},
      {"field": "Socket(s):", "data": "3"}]}]},
  {"field": "NUMA:", "data": null, "children": [{"field": "NUMA node(s):", "data": "6"}]}]}"""
BOARD = b"""CPU(s):              6
Model name:          Cortex-A53
Thread(s) per core:  1
Core(s) per socket:  -
Socket(s):           -
Model name:          Cortex-A72
"""


@pytest.mark.parametrize("payload", [DEBIAN12, DEBIAN13, TEXT13])
def test_guest(payload: bytes) -> None:
    """util-linux 2.38 and 2.41, as JSON and as text, tell the same topology."""
    assert GUEST == parsed(SOURCE, payload, Topology)[""]


def test_virtual_machine() -> None:
    """The hypervisor is known where lscpu names it."""
    expected = Topology(
        cpus=2,
        model="AMD EPYC",
        threads_per_core=1,
        cores_per_socket=2,
        sockets=1,
        numa_nodes=1,
        hypervisor="KVM",
    )
    assert expected == parsed(SOURCE, TEXT12, Topology)[""]


def test_nested_rows() -> None:
    """Rows below rows are read, each number in its field."""
    expected = Topology(
        cpus=96,
        model="Intel(R) Xeon(R)",
        threads_per_core=2,
        cores_per_socket=24,
        sockets=3,
        numa_nodes=6,
    )
    assert expected == parsed(SOURCE, NESTED, Topology)[""]


def test_board_with_two_kinds_of_cores() -> None:
    """The first model counts; `-` is unknown."""
    expected = Topology(cpus=6, model="Cortex-A53", threads_per_core=1)
    assert expected == parsed(SOURCE, BOARD, Topology)[""]


@pytest.mark.parametrize(
    "payload",
    [DEBIAN12[:900], TEXT12[:120], b'{"lscpu": []}', b"[]", b"{}", b"CPU(s): many\n", GARBAGE, b""],
)
def test_other_bytes_are_refused(payload: bytes) -> None:
    """Cut JSON, text before the number of CPUs, other JSON, no number, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It is asked on every host, as JSON."""
    assert (query("lscpu", "--json"),) == SOURCE.requests(Scope())


def test_answers_any_lscpu() -> None:
    """A recording of the text form answers as well."""
    assert SOURCE.answers(query("lscpu"))
