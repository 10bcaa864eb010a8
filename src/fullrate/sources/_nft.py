"""nftables rules in words: `{"match": {...}}` becomes `tcp dport 5201`. Binds no SOURCE.

The JSON form is libnftables-json(5). What is not known here is shown as its JSON.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from fullrate.records.errors import FormatError

Body = dict[str, Any]
_BARE_META = frozenset({"iif", "oif", "iifname", "oifname", "iifgroup", "oifgroup"})


def words(statements: list[Body]) -> str:
    """The rule's statements as a person would write them; counters are left out. Raises FormatError."""
    try:
        return " ".join(filter(None, (_one(statement, _STATEMENTS) for statement in statements)))
    except RecursionError as error:
        raise FormatError("nft: a rule nested too deep") from error


def _one(thing: object, forms: Mapping[str, Callable[[Any], str]]) -> str:
    """The words of an object with one key; its JSON when the key or what is below it is not known."""
    if isinstance(thing, dict) and len(thing) == 1:
        ((kind, body),) = thing.items()
        with suppress(KeyError, TypeError, ValueError, AttributeError):
            return forms[kind](body)
    return json.dumps(thing)


def _value(thing: object) -> str:
    if isinstance(thing, dict):
        return _one(thing, _EXPRESSIONS)
    if isinstance(thing, list):
        return "|".join(map(_value, thing))
    return str(thing)


def _meta(body: Body) -> str:
    return body["key"] if body["key"] in _BARE_META else f"meta {body['key']}"


def _set(items: list[object]) -> str:
    return "{ " + ", ".join(map(_value, items)) + " }"


def _joined(sign: str) -> Callable[[list[object]], str]:
    return lambda items: sign.join(map(_value, items))


def _match(body: Body) -> str:
    sign = "" if body["op"] in {"==", "in"} else f"{body['op']} "
    return f"{_value(body['left'])} {sign}{_value(body['right'])}"


def _limit(body: Body) -> str:
    over = "over " if body.get("inv") else ""
    unit = f" {body['rate_unit']}" if body.get("rate_unit", "packets") != "packets" else ""
    return f"limit rate {over}{body['rate']}{unit}/{body['per']}"


def _reject(body: Body | None) -> str:
    said = [str(body[key]) for key in ("type", "expr") if key in body] if body else []
    return " ".join(["reject", "with", *said] if said else ["reject"])


def _vmap(body: Body) -> str:
    data = body["data"]
    if not isinstance(data, str):  # a string names a map
        data = "{ " + ", ".join(f"{_value(key)} : {words([verdict])}" for key, verdict in data["set"]) + " }"
    return f"{_value(body['key'])} vmap {data}"


def _plain(name: str) -> Callable[[object], str]:
    return lambda _: name


_EXPRESSIONS: Mapping[str, Callable[[Any], str]] = {
    "payload": lambda body: f"{body['protocol']} {body['field']}",
    "meta": _meta,
    "ct": lambda body: f"ct {body['key']}",
    "numgen": lambda body: f"numgen {body['mode']} mod {body['mod']}",
    "prefix": lambda body: f"{_value(body['addr'])}/{body['len']}",
    "range": _joined("-"),
    "set": _set,
    "concat": _joined(" . "),
    "elem": lambda body: _value(body["val"]),
    "&": _joined(" & "),
    "|": _joined("|"),
}
_STATEMENTS: Mapping[str, Callable[[Any], str]] = {
    "match": _match,
    "limit": _limit,
    "counter": _plain(""),
    "vmap": _vmap,
    "reject": _reject,
    "log": _plain("log"),
    "jump": lambda body: f"jump {body['target']}",
    "goto": lambda body: f"goto {body['target']}",
    "xt": lambda body: str(body["name"]),
    **{name: _plain(name) for name in ("accept", "drop", "return", "continue")},
}
