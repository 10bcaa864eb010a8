"""The two ends and the directions between them."""

import pytest

from fullrate.records.ends import ONE_WAY, Direction, End


@pytest.mark.parametrize(("end", "other"), [(End.NEAR, End.FAR), (End.FAR, End.NEAR)])
def test_each_end_has_the_other(end: End, other: End) -> None:
    """There are two."""
    assert other is end.other


@pytest.mark.parametrize(
    ("direction", "sender", "receiver"),
    [
        (Direction.NEAR_TO_FAR, End.NEAR, End.FAR),
        (Direction.FAR_TO_NEAR, End.FAR, End.NEAR),
        (Direction.BOTH, End.NEAR, End.FAR),
    ],
)
def test_roles_of_a_direction(direction: Direction, sender: End, receiver: End) -> None:
    """Sender and receiver are the ends' roles in it."""
    assert (sender, receiver) == (direction.sender, direction.receiver)


@pytest.mark.parametrize(
    ("direction", "words"),
    [
        (Direction.NEAR_TO_FAR, "from near to far"),
        (Direction.FAR_TO_NEAR, "from far to near"),
        (Direction.BOTH, "both ways"),
    ],
)
def test_words_of_a_direction(direction: Direction, words: str) -> None:
    """As a sentence has them."""
    assert words == direction.words


def test_one_way_directions_begin_at_the_near_end() -> None:
    """The order of all documents."""
    assert ("near_to_far", "far_to_near") == ONE_WAY


@pytest.mark.parametrize(("value", "end"), [("near", End.NEAR), ("far", End.FAR)])
def test_end_is_spelled_as_in_documents(value: str, end: End) -> None:
    """These words are a promise."""
    assert (end, value) == (End(value), str(end))
