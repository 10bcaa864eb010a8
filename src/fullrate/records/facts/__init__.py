"""Typed facts about one host, each as one evidence format reports it.

Every fact has a `subject`: the link, CPU, process or key it is about; empty for the host as a whole.
`None` in a field: the kernel or driver does not report it. Zero: the kernel said zero.
"""

from fullrate.records.facts.base import Fact

__all__ = ["Fact"]
