"""Which trials a pasted output of iperf3 tells of: text of any version, documents, streams of events."""

from dataclasses import replace

import msgspec

from fullrate.generators._iperf3_document import TestStart, backwards
from fullrate.generators._iperf3_forms import document_in
from fullrate.generators._printed import printed
from fullrate.generators._runs import generation, runs_of
from fullrate.records.ends import Direction
from fullrate.records.trial import TrialKind, TrialSpec

_THIS = 3


def recognizes(text: str) -> bool:
    """Whether a text is what an iperf3 printed."""
    return generation(text) == _THIS


def runs(text: str) -> tuple[str, ...]:
    """The text of each run, in order; of both directions at once what the client sends comes first."""
    if '"intervals"' in text or '"event"' in text:
        return _documents(text)
    return tuple(run for run in runs_of(text) if told(run) is not None)


def told(text: str) -> TrialSpec | None:
    """The trial that one run tells of, the client being the near end; None when it tells of none."""
    document = document_in(text.encode())
    if document is None:
        return None
    test = document.start.test_start
    return printed(text).spec if test is None else replace(_spec(test), buffer=document.start.sock_bufsize or None)


def _spec(test: TestStart) -> TrialSpec:
    return TrialSpec(
        kind=TrialKind.BULK,
        direction=Direction.FAR_TO_NEAR if test.reverse else Direction.NEAR_TO_FAR,
        protocol=test.protocol.lower(),
        streams=test.num_streams,
        rate=test.target_bitrate * test.num_streams or None,
        max_seconds=round(test.duration),
    )


def _documents(text: str) -> tuple[str, ...]:
    """The document, or its two directions as if each had been run alone."""
    document = document_in(text.encode())
    if document is None or document.start.test_start is None:
        return ()
    back = backwards(document)
    if back.end.sum_received.bytes is None and all(step.sum.bytes is None for step in back.intervals):
        return (text,)
    return text, msgspec.json.encode(back).decode()
