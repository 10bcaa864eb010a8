"""The base of all facts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something one source read about `subject` of one host."""

    subject: str = ""

    @property
    def identity(self) -> str:
        """What tells it from the other facts of its kind, at every reading; kinds with several a subject say more."""
        return self.subject
