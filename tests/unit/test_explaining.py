"""What is known of a cause is put together from the vocabulary, its page and the checks."""

import pytest

from fullrate.explaining import explain, find, page_of
from fullrate.records.causes import CAUSES
from fullrate.records.errors import UsageError
from fullrate.records.explanation import Explained


def one(name: str) -> Explained:
    """The only cause of an explanation."""
    (found,) = explain(name).causes
    return found


@pytest.mark.parametrize(("name", "expected"), [("tc-shaper", "tc-shaper"), ("firewall", "netfilter-drop")])
def test_find(name: str, expected: str) -> None:
    """A cause is found by its slug and by its other names."""
    assert expected == find(name).slug


@pytest.mark.parametrize(
    ("name", "hint"), [("tc-shapr", "did you mean tc-shaper"), ("zzzz", "fullrate explain --list shows them")]
)
def test_not_found(name: str, hint: str) -> None:
    """A mistyped cause gets the nearest names, or the way to the list."""
    with pytest.raises(UsageError, match=hint):
        find(name)


def test_a_cause_has_its_row() -> None:
    """Name, meaning, place, parent and other names come from the vocabulary."""
    told = one("irq-single-cpu")
    expected = ("irq-single-cpu", CAUSES["irq-single-cpu"].meaning, "interrupts", "softirq-single-cpu", ())
    assert expected == (told.cause, told.meaning, told.stage, told.parent, told.aliases)


def test_a_family_names_its_kinds() -> None:
    """In the order of the vocabulary."""
    assert ("rx-ring-too-small",) == one("nic-rx-overrun").kinds


def test_the_check_speaks_for_itself() -> None:
    """What the check's file says is the rule."""
    (rule,) = one("tc-shaper").rules
    assert ("tc-shaper", True) == (rule.check, "while `overlimits` grows" in rule.says)


def test_a_cause_without_a_check() -> None:
    """What is not found yet is not claimed."""
    assert () == one("wrong-driver").rules


def test_every_cause() -> None:
    """Without a name, all of them in the order of the vocabulary."""
    assert list(CAUSES) == [told.cause for told in explain().causes]


def test_a_page_that_is_not_there() -> None:
    """Is no empty page."""
    with pytest.raises(FileNotFoundError, match=r"no-such-cause\.md"):
        page_of("no-such-cause")
