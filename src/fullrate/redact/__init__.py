"""Recordings that may be shown: other names and addresses, the same diagnosis."""

from fullrate.redact.bundled import Redacted, Replaced, redact
from fullrate.redact.law import same_diagnosis
from fullrate.redact.rewriting import Kind

__all__ = ["Kind", "Redacted", "Replaced", "redact", "same_diagnosis"]
