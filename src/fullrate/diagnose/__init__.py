"""Snapshots, trials and checks to ranked findings, a gap budget and a verdict. Pure."""

from fullrate.diagnose.run import Case, ceilings, diagnose

__all__ = ["Case", "ceilings", "diagnose"]
