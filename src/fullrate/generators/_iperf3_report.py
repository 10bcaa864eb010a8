"""What one iperf3 process said: its document, its words on stderr, and so why it failed."""

from collections.abc import Iterable
from dataclasses import dataclass

from fullrate.generators._iperf3_document import Document, Ending, Sum, decode
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure, Interval
from fullrate.records.units import bits_per_second

_CONNECTING = "unable to connect"
_CONNECT_ERRORS = (  # strerror(3) of glibc and of musl
    ("Connection refused", EngineFailure.REFUSED),
    ("timed out", EngineFailure.UNREACHABLE),
    ("No route to host", EngineFailure.UNREACHABLE),
    ("Host is unreachable", EngineFailure.UNREACHABLE),
    ("Network is unreachable", EngineFailure.UNREACHABLE),
    ("Network unreachable", EngineFailure.UNREACHABLE),
)
_ERRORS = (  # src/iperf_error.c, iperf_strerror
    ("busy running a test", EngineFailure.BUSY),
    ("Address already in use", EngineFailure.PORT_IN_USE),
    ("Address in use", EngineFailure.PORT_IN_USE),
    ("has terminated", EngineFailure.INTERRUPTED),
    ("control socket has closed unexpectedly", EngineFailure.INTERRUPTED),
    ("Message too long", EngineFailure.TOO_LARGE),  # EMSGSIZE, udp(7): as glibc says it
    ("Message too large", EngineFailure.TOO_LARGE),  # and musl
    ("parameter error", EngineFailure.OPTION),
    ("unrecognized option", EngineFailure.OPTION),
    ("invalid option", EngineFailure.OPTION),
    ("unable to set TCP_CONGESTION", EngineFailure.OPTION),
)
_EMPTY = Document()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One process: its document (empty when it printed none) and why it failed, if it did."""

    document: Document = _EMPTY
    failure: EngineFailure | None = None
    message: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def steps(self) -> tuple[Sum, ...]:
        """Its intervals in order, without the last one's repetition.

        When the other end stops early, iperf3 prints its last interval a second time.
        """
        sums = [step.sum for step in self.document.intervals if step.sum.bytes is not None and step.sum.seconds]
        return tuple(one for before, one in zip([None, *sums], sums, strict=False) if one != before)

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """Its intervals as records."""
        return tuple(
            Interval(
                start=one.start or 0.0,
                end=one.end or 0.0,
                throughput=bits_per_second(one.bytes or 0.0, one.seconds or 1.0),
                retransmits=one.retransmits,
            )
            for one in self.steps
        )

    @property
    def cpu(self) -> float | None:
        """The CPU it used itself, in percent of one."""
        return self.document.end.cpu_utilization_percent.host_total

    @property
    def totals(self) -> Ending:
        """Its totals; empty when it did not end by itself, for then they are wrong."""
        return Ending() if self.document.error else self.document.end


def read_report(output: ProgramOutput) -> Report:
    """What one iperf3 process said, and how it failed."""
    stderr = output.stderr.decode(errors="replace")
    document = decode(output.stdout)
    message = _complaint(stderr) if document is None else document.error
    failure = _classify(message) if message else _silent_failure(output, document)
    if failure is EngineFailure.INTERRUPTED and output.role == "client" and not _connected(document):
        failure = EngineFailure.UNREACHABLE  # stopped while it still waited for an answer
    return Report(
        document=document or _EMPTY,
        failure=failure,
        message=message.removeprefix("error - ") or _silence(failure, output),
        warnings=tuple(line for line in stderr.splitlines() if line.startswith("warning")),
    )


def report_of(role: str, outputs: Iterable[ProgramOutput]) -> Report:
    """What the process of one role said last; empty when there was none."""
    found = [read_report(output) for output in outputs if output.role == role]
    return found[-1] if found else Report()


def _connected(document: Document | None) -> bool:
    return document is not None and bool(document.start.connected)


def _complaint(stderr: str) -> str:
    lines = [line.removeprefix("iperf3: ") for line in stderr.splitlines() if line.startswith("iperf3: ")]
    return lines[0] if lines else ""


def _classify(message: str) -> EngineFailure:
    table = _CONNECT_ERRORS if _CONNECTING in message else _ERRORS
    return next((failure for words, failure in table if words in message), EngineFailure.OTHER)


def _silent_failure(output: ProgramOutput, document: Document | None) -> EngineFailure | None:
    if document is not None or output.stopped:
        return None
    return EngineFailure.MISSING if output.exit_code is None else EngineFailure.OTHER


def _silence(failure: EngineFailure | None, output: ProgramOutput) -> str:
    if failure is EngineFailure.MISSING:
        return f"iperf3 could not be started on the {output.end} end"
    return "" if failure is None else f"iperf3 printed no report and ended with {output.exit_code}"
