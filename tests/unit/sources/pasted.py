"""What the tests of sources for pasted texts share."""

from typing import TypeVar

from fullrate.records.evidence import query
from fullrate.records.facts.base import Fact
from fullrate.records.leaf import Source
from fullrate.registry import sources
from tool_output import recorded

F = TypeVar("F", bound=Fact)
ASKED = query("pasted")


def pasted(name: str) -> bytes:
    """The bytes of one pasted text."""
    return recorded(f"pasted/{name}.txt")


def facts(source: Source, payload: bytes, kind: type[F]) -> dict[str, F]:
    """The facts of one kind by subject."""
    return {fact.subject: fact for fact in source.parse(ASKED, payload) if isinstance(fact, kind)}


def claimants(text: bytes) -> list[str]:
    """Every source there is that takes the text for its own."""
    said = text.decode()
    return [source.id for source in sources() if source.recognizes(said)]
