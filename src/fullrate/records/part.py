"""What a person gave us, and what of it was not read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something given that was not read, or not understood."""

    name: str
    why: str
