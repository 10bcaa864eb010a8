"""How a job tells a person what it is doing; never on standard output."""

from typing import Protocol

from fullrate.records.units import BitsPerSecond, Seconds


class Progress(Protocol):
    """Receives what happens while it happens."""

    def say(self, text: str) -> None:
        """A sentence worth keeping."""

    def phase(self, name: str, seconds: Seconds) -> None:
        """A new step begins and takes about so long."""

    def tick(self, rate: BitsPerSecond) -> None:
        """The rate just now."""


class Silence:
    """Says nothing."""

    def say(self, text: str) -> None:
        """Nothing."""

    def phase(self, name: str, seconds: Seconds) -> None:
        """Nothing."""

    def tick(self, rate: BitsPerSecond) -> None:
        """Nothing."""
