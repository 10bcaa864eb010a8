"""Sets of CPUs."""

import pytest

from fullrate.knobs._cpus import ONLINE, see_online, spelled
from fullrate.records.setting import CannotSetError
from unit.knobs.machine import answers


@pytest.mark.parametrize(
    ("cpus", "expected"), [((), ""), ((0,), "0"), ((5, 0, 2, 1), "0-2,5"), ((1, 3, 5), "1,3,5"), (range(64), "0-63")]
)
def test_a_list_as_the_kernel_writes_it(cpus: tuple[int, ...], expected: str) -> None:
    """Ranges where numbers follow each other."""
    assert expected == spelled(cpus)


def test_only_what_is_online() -> None:
    """The others are named."""
    with pytest.raises(CannotSetError, match="CPU 3,8-9 is not online: those that are, are 0-2,4"):
        see_online(frozenset({0, 3, 8, 9}), answers((ONLINE, "0-2,4\n")))


@pytest.mark.parametrize("text", ["0-7\n", "", "what?\n"])
def test_what_was_not_read_is_left_to_the_kernel(text: str) -> None:
    """Nor is anything refused that is online."""
    see_online(frozenset({0, 7}), answers((ONLINE, text)))
    see_online(frozenset({0, 7}), {})
