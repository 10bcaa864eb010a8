"""The parser of `numactl -H`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import CpuPlace
from fullrate.sources.numactl import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, pasted


def test_the_node_of_each_cpu() -> None:
    """The core is not told."""
    payload = b"available: 2 nodes (0-1)\nnode 0 cpus: 0 2\nnode 0 size: 1 MB\nnode 1 cpus: 1\n"
    expected = (CpuPlace(subject="0", node=0), CpuPlace(subject="2", node=0), CpuPlace(subject="1", node=1))
    assert expected == SOURCE.parse(ASKED, payload)


def test_recorded_answer() -> None:
    """One node of two CPUs."""
    assert 2 == len(SOURCE.parse(ASKED, pasted("numactl_H")))


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"node 0 size: 1 MB\n", b"node 0 cpus:\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No CPU."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)
