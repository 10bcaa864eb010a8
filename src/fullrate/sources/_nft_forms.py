"""The forms of libnftables-json(5), as far as a verdict needs them. Binds no SOURCE."""

from typing import Any, TypeVar

import msgspec

from fullrate.records.errors import FormatError

Body = dict[str, Any]
T = TypeVar("T")


class Object(msgspec.Struct, frozen=True, kw_only=True):
    """A chain, a rule, a named counter or a map."""

    family: str
    table: str
    name: str = ""
    chain: str = ""
    handle: int = 0
    hook: str | None = None
    policy: str | None = None
    type: str | None = None
    packets: int = 0
    bytes: int = 0
    expr: list[Body] = []
    elem: list[Any] = []


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One of a ruleset, under the name of its kind."""

    chain: Object | None = None
    rule: Object | None = None
    counter: Object | None = None
    map: Object | None = None


class Document(msgspec.Struct, frozen=True):
    """What `nft --json list ruleset` prints."""

    nftables: list[Item]


class Xt(msgspec.Struct, frozen=True):
    """A target of iptables."""

    name: str | None = None


class Entries(msgspec.Struct, frozen=True):
    """Each value of a verdict map, and its verdict."""

    set: list[tuple[Any, Body]]


class Vmap(msgspec.Struct, frozen=True):
    """A verdict map: the name of one with an `@`, or its entries."""

    data: str | Entries


class Count(msgspec.Struct, frozen=True):
    """A rule's own counter."""

    packets: int | None = None
    bytes: int | None = None


class Statement(msgspec.Struct, frozen=True):
    """What counts of a rule's statement; `counter`: a named one, or the rule's own."""

    xt: Xt | None = None
    vmap: Vmap | None = None
    counter: str | Count | None = None


def statement_of(body: Body) -> Statement:
    """The statement in its form. Raises FormatError."""
    return _converted(body, Statement)


def entries_of(elements: list[Any]) -> list[tuple[Any, Body]]:
    """The entries of a named verdict map. Raises FormatError."""
    return _converted({"set": elements}, Entries).set


def _converted(body: object, form: type[T]) -> T:
    try:
        return msgspec.convert(body, form)
    except msgspec.ValidationError as error:
        raise FormatError(f"nft: no form of libnftables-json(5): {error}") from error
