"""How a job tells what it is doing while it does it; never on standard output."""

from typing import Protocol

from fullrate.records.event import AnyEvent, Noted, PhaseBegan
from fullrate.records.units import Seconds


class Progress(Protocol):
    """Receives what happens while it happens."""

    def tell(self, event: AnyEvent) -> None:
        """Something happened."""

    def say(self, text: str) -> None:
        """A sentence worth keeping."""
        self.tell(Noted(text=text))

    def phase(self, name: str, seconds: Seconds) -> None:
        """A new step begins and takes about so long."""
        self.tell(PhaseBegan(name=name, seconds=seconds))


class Silence(Progress):
    """Says nothing."""

    def tell(self, event: AnyEvent) -> None:
        """Nothing."""
