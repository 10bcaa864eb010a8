"""From what people have at hand (a folder, an archive, a sosreport, a pasted text) to a recording."""

from fullrate.intake.reading import given, said

__all__ = ["given", "said"]
