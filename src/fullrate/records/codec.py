"""Runs to JSON and back, and the schema of their document.

A request stands in the document by its key (`read /proc/stat`), because JSON has no way to tell the kinds of
request apart. Rates are written as they are, not rounded: what is read back equals what was written.
"""

import dataclasses
from types import GenericAlias
from typing import Any, Literal, TypeAlias, get_type_hints

import msgspec

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, parse_request
from fullrate.records.finding import Ask, Finding
from fullrate.records.run import SCHEMA, Run

_Wire: TypeAlias = Any  # a twin: a class made at run time has no static type
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def encode_run(run: Run) -> bytes:
    """The JSON document of a run, on one line. Facts become plain objects and are read back as such."""
    return msgspec.json.encode(_wire_run(run))


def decode_run(document: bytes) -> Run:
    """The run of a JSON document. Raises FormatError when it is none of ours."""
    try:
        return _run(msgspec.json.decode(document, type=_WireRun, strict=True))
    except (msgspec.MsgspecError, FormatError, ValueError, RecursionError) as wrong:
        raise FormatError(f"this is no {SCHEMA} document: {wrong}") from wrong


def run_schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    schema = msgspec.json.schema(_WireRun)
    return {"$schema": _DIALECT, "title": SCHEMA, **schema}


def schema_text() -> str:
    """The schema as it stands in docs/schema/run-1.json."""
    return msgspec.json.format(msgspec.json.encode(run_schema()), indent=2).decode() + "\n"


def _twin(record: type, **changed: object) -> _Wire:
    # The record's form in JSON: the same fields in the same order, those in `changed` with another type.
    hints = {**get_type_hints(record), **changed}
    fields = [(each.name, hints[each.name], _like(each)) for each in dataclasses.fields(record)]
    namespace = {"__doc__": record.__doc__}
    return dataclasses.make_dataclass(
        record.__name__, fields, namespace=namespace, frozen=True, slots=True, kw_only=True
    )


def _like(of: "dataclasses.Field[Any]") -> Any:  # noqa: ANN401 - as dataclasses.field is typed
    if of.default_factory is not dataclasses.MISSING:
        return dataclasses.field(default_factory=of.default_factory)
    return dataclasses.field(default=of.default)


_WireAsk = _twin(Ask, request=str | None)
_WireFinding = _twin(Finding, asks=GenericAlias(tuple, (_WireAsk, ...)))
_WireRun = _twin(Run, schema=Literal[SCHEMA], findings=GenericAlias(tuple, (_WireFinding, ...)))


def _wire_run(run: Run) -> _Wire:
    return _WireRun(**{**_fields(run), "findings": tuple(map(_wire_finding, run.findings))})


def _wire_finding(finding: Finding) -> _Wire:
    return _WireFinding(**{**_fields(finding), "asks": tuple(map(_wire_ask, finding.asks))})


def _wire_ask(ask: Ask) -> _Wire:
    return _WireAsk(**{**_fields(ask), "request": None if ask.request is None else ask.request.key})


def _run(wire: _Wire) -> Run:
    return Run(**{**_fields(wire), "findings": tuple(map(_finding, wire.findings))})


def _finding(wire: _Wire) -> Finding:
    return Finding(**{**_fields(wire), "asks": tuple(map(_ask, wire.asks))})


def _ask(wire: _Wire) -> Ask:
    return Ask(**{**_fields(wire), "request": _request(wire.request)})


def _request(key: str | None) -> Request | None:
    return None if key is None else parse_request(key)


def _fields(record: _Wire) -> dict[str, Any]:
    return {each.name: getattr(record, each.name) for each in dataclasses.fields(record)}


if __name__ == "__main__":
    print(schema_text(), end="")  # noqa: T201 - python -m fullrate.records.codec > docs/schema/run-1.json
