"""The base of all facts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something one source read about `subject` of one host."""

    subject: str = ""
