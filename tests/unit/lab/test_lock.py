"""The lab's own lock."""

from pathlib import Path

from fullrate.lab import lock


def test_it_names_the_command(lab_lock: Path) -> None:
    """At the place of the lab's lock."""
    with lock.alone("lab up"):
        assert lab_lock.read_text().endswith(" lab up")
