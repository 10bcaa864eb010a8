"""What the tests of the /proc, ss, sysctl and ping sources share: raw fixtures, and a typed way to parse them."""

from pathlib import Path
from typing import TypeVar

from fullrate.records.evidence import Request, query
from fullrate.records.facts.base import Fact
from fullrate.records.leaf import Source

F = TypeVar("F", bound=Fact)

FIXTURES = Path(__file__).parent / "fixtures"
PASTED = query("pasted")  # for sources that do not look at the request
GARBAGE = b"\x00\x01\xfe\xff no such form { \n!\n"


def fixture(name: str) -> bytes:
    """The raw bytes of one fixture."""
    return (FIXTURES / name).read_bytes()


def parsed(source: Source, payload: bytes, kind: type[F], request: Request = PASTED) -> dict[str, F]:
    """The facts of one kind by subject; every fact must be of that kind."""
    facts = source.parse(request, payload)
    found = [fact for fact in facts if isinstance(fact, kind)]
    assert len(facts) == len(found)
    return {fact.subject: fact for fact in found}
