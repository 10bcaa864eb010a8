"""What names mean to a host's resolver."""

from dataclasses import dataclass

from fullrate.records.facts.base import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedAddress(Fact):
    """One address of a host's name (`getent ahosts`); subject: the name asked for."""

    address: str

    @property
    def identity(self) -> str:
        """A name may have several."""
        return f"{self.subject} {self.address}"
