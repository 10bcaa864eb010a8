"""Recordings that may be shown: other names and addresses, the same diagnosis."""

from fullrate.redact.bundled import Redacted, Replaced, redact
from fullrate.redact.forms import Kind
from fullrate.redact.handout import Handout, hand_out
from fullrate.redact.law import same_diagnosis

__all__ = ["Handout", "Kind", "Redacted", "Replaced", "hand_out", "redact", "same_diagnosis"]
