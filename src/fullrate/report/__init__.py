"""What to say of a run, as text."""

from fullrate.report.text import render

__all__ = ["render"]
