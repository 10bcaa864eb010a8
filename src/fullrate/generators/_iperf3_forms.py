"""The forms in which one iperf3 tells of its test: a document (-J), a stream of events (--json-stream), or text.

    {"event":"start","data":{"connected":[...],"version":"iperf 3.18",...}}
    {"event":"interval","data":{"streams":[...],"sum":{...}}}
    {"event":"end","data":{"sum_sent":{...},"sum_received":{...},...}}

Events: JSONStream_Output in src/iperf_api.c of iperf3, since 3.17. A paste may hold other lines before and after.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from fullrate.generators._iperf3_document import Document, decode
from fullrate.generators._iperf3_text import document_of
from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError

_EVENT = re.compile(rb'\{\s{0,4}"event"\s{0,4}:')


def document_in(stdout: bytes) -> Document | None:
    """What an iperf3 said in any of its forms, as its document; None where it said nothing of a test."""
    found = decode(stdout)
    if found is None and b"{" in stdout:
        found = _events(stdout) if _EVENT.search(stdout) else decode(_outermost(stdout))
    return found or document_of(stdout.decode(errors="replace"))


def _outermost(text: bytes) -> bytes:
    """From the first brace to the last."""
    return text[text.index(b"{") : text.rfind(b"}") + 1]


def _events(stdout: bytes) -> Document | None:
    parts: dict[str, Any] = {"intervals": []}
    for name, data in _each_event(stdout):
        if name == "interval":
            parts["intervals"].append(data)
        else:
            parts[name] = data
    try:
        return msgspec.convert(parts, Document, strict=False)
    except msgspec.ValidationError:
        return None


def _each_event(stdout: bytes) -> Iterator[tuple[str, Any]]:
    for line in stdout.splitlines():
        try:
            event = decoded(line, object)
        except FormatError:
            continue
        if isinstance(event, dict) and isinstance(event.get("event"), str):
            yield event["event"], event.get("data")
