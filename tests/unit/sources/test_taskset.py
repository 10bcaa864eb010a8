"""The parser of `taskset -cp`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import ThreadAffinity
from fullrate.sources.taskset import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, facts, pasted


def test_lists_and_masks_the_newest_of_a_process() -> None:
    """What it was changed to counts."""
    text = b"pid 7's current affinity list: 0-2\npid 7's new affinity list: 5\npid 8's current affinity mask: c\n"
    expected = (ThreadAffinity(subject="7", cpus=(5,)), ThreadAffinity(subject="8", cpus=(2, 3)))
    assert expected == SOURCE.parse(ASKED, text)


def test_recorded_threads() -> None:
    """Six of eight share a CPU."""
    found = facts(SOURCE, pasted("taskset_threads"), ThreadAffinity)
    assert 6 == sum(one.cpus == (3,) for one in found.values())


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"PID 785\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No affinity."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)
