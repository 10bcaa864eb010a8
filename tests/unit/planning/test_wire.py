"""What the guard program takes, and what a person types, are the same thing."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullrate.planning.wire import ACTS, LOOKS, action_words, as_typed, request_words, see_words
from fullrate.records.errors import FormatError
from fullrate.records.evidence import Action, DumpSockets, ListGlob, ReadFile, Request, WriteFile, change, query
from fullrate.records.plan import Wire
from fullrate.records.setting import CannotSetError

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [(ReadFile(path="/x y"), ("read", "/x y")), (query("a", "b c", timeout=2.5), ("run", ("a", "b c"), 2.5))],
)
def test_requests(request_: Request, expected: Wire) -> None:
    """A file or a command."""
    assert expected == request_words(request_)
    see_words(expected, LOOKS)


@pytest.mark.parametrize("request_", [ListGlob(pattern="/x/*"), DumpSockets(ports=(1,))])
def test_requests_that_the_guard_does_not_know(request_: Request) -> None:
    """Anything else is refused."""
    with pytest.raises(CannotSetError, match="the guard does not ask"):
        request_words(request_)


@pytest.mark.parametrize(
    ("action", "expected", "typed"),
    [
        (WriteFile(path="/x", content="1"), ("write", "/x", "1"), "printf %s 1 > /x"),
        (WriteFile(path="/x y", content="1 2"), ("write", "/x y", "1 2"), "printf %s '1 2' > '/x y'"),
        (WriteFile(path="/x", content=""), ("write", "/x", ""), "printf %s '' > /x"),
        (WriteFile(path="/x", content="it's"), ("write", "/x", "it's"), "printf %s 'it'\"'\"'s' > /x"),
        (change("tc", "a;b", "$c"), ("run", ("tc", "a;b", "$c"), 10.0), "tc 'a;b' '$c'"),
    ],
)
def test_actions(action: Action, expected: Wire, typed: str) -> None:
    """A write or a command; typed it is quoted for a shell."""
    assert (expected, typed) == (action_words(action), as_typed(action_words(action)))
    see_words(expected, ACTS)


def test_an_action_that_is_fed() -> None:
    """The guard program feeds nothing: what was to be fed would be lost."""
    with pytest.raises(CannotSetError, match="the guard feeds nothing to 'tee x'"):
        action_words(change("tee", "x", stdin="y"))


@given(st.lists(TEXT, min_size=1))
def test_typed_words_are_the_words(argv: list[str]) -> None:
    """A shell reads back what the guard program runs, whatever stands in it."""
    assert argv == shlex.split(as_typed(("run", tuple(argv), 1.0)))


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("fly", "/x"),
        ("read",),
        ("read", ""),
        ("read", "/x", "y"),
        ("write", "/x"),
        ("run", "ls", 1.0),
        ("run", (), 1.0),
        ("run", ("ls",)),
        ("run", ("ls",), "1"),
        ("run", ("ls",), 0.0),
        (("ls",), 1.0),
    ],
)
def test_words_that_the_guard_cannot_use(words: Wire) -> None:
    """Whatever is missing, too much, or of another kind."""
    for kinds in (LOOKS, ACTS):
        with pytest.raises(FormatError, match="is none of"):
            see_words(words, kinds)


def test_a_write_is_no_look() -> None:
    """And a read changes nothing."""
    with pytest.raises(FormatError, match="is none of read, run"):
        see_words(("write", "/x", "1"), LOOKS)
    with pytest.raises(FormatError, match="is none of write, run"):
        see_words(("read", "/x"), ACTS)
