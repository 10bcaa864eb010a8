"""A course is read by its heights."""

import pytest

from fullrate.report.spark import can_show, highest, spark

RATES = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)


def test_heights() -> None:
    """Eight steps from nothing to the top, which both have a character."""
    assert "▁▂▃▄▅▆▇██" == spark(RATES, 8.0, blocks=True)


def test_plain() -> None:
    """The same where the output has no block characters."""
    assert ".:-=+*%##" == spark(RATES, 8.0, blocks=False)


def test_a_flat_course_is_high() -> None:
    """What never changes is as high as it can be, and nothing at all is low."""
    assert ("██", "▁▁") == (spark((5.0, 5.0), 5.0, blocks=True), spark((0.0, 0.0), 0.0, blocks=True))


def test_unknown_steps() -> None:
    """Not seen is not zero."""
    assert "█?▁" == spark((8.0, None, 0.0), 8.0, blocks=True)


def test_highest() -> None:
    """Of what is known."""
    assert (3.0, 0.0) == (highest((1.0, None, 3.0)), highest((None,)))


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [("utf-8", True), ("ascii", False), ("iso8859-15", False), ("no such", False), (None, True)],
)
def test_can_show(encoding: str | None, expected: bool) -> None:  # noqa: FBT001 - a parameter
    """What a stream without an encoding keeps, it keeps as it is."""
    assert expected is can_show(encoding)
