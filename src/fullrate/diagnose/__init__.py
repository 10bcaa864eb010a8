"""Snapshots, trials and checks to ranked findings, a gap budget and a verdict. Pure."""

from fullrate.diagnose.run import Case, ceilings, conditions_of, diagnose, speeds

__all__ = ["Case", "ceilings", "conditions_of", "diagnose", "speeds"]
