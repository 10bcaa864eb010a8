"""What one iperf3 process said: its document, its words on stderr, and so why it failed."""

from collections.abc import Iterable
from dataclasses import dataclass

from fullrate.generators._iperf3_document import Document, Ending, Step, Sum
from fullrate.generators._iperf3_failure import classify
from fullrate.generators._iperf3_forms import document_in
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure, Interval
from fullrate.records.units import MICROSECONDS, Seconds, bits_per_second

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
        """Its intervals in order, without the warm-up that -O leaves out."""
        return tuple(step.sum for step in self._kept)

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """Its intervals as records."""
        return tuple(map(interval_of, self._kept))

    @property
    def _kept(self) -> tuple[Step, ...]:
        """When the other end stops early, iperf3 prints its last interval a second time."""
        known = [step for step in self.document.intervals if step.sum.bytes is not None and step.sum.seconds]
        kept = [step for step in known if not step.sum.omitted]
        return tuple(one for before, one in zip([None, *kept], kept, strict=False) if one != before)

    @property
    def serves(self) -> bool:
        """Whether it is a server's: a client does not accept."""
        return self.document.start.accepted_connection is not None

    @property
    def local(self) -> str | None:
        """Its own address in the test."""
        return next((one.local_host or None for one in self.document.start.connected), None)

    @property
    def remote(self) -> str | None:
        """The other end's address in the test."""
        return next((one.remote_host or None for one in self.document.start.connected), None)

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
    document = document_in(output.stdout)
    message = _complaint(stderr) if document is None else document.error
    failure = classify(message) if message else _silent_failure(output, document)
    if failure is EngineFailure.INTERRUPTED and output.role == "client" and not _connected(document):
        failure = EngineFailure.UNREACHABLE  # stopped while it still waited for an answer
    return Report(
        document=document or _EMPTY,
        failure=failure,
        message=message.removeprefix("error - ") or _silence(failure, output),
        warnings=_warnings(stderr, output.stdout),
    )


def report_of(role: str, outputs: Iterable[ProgramOutput]) -> Report:
    """What the process of one role said last; empty when there was none. What says that it accepted is a server's."""
    reports = [(output.role, read_report(output)) for output in outputs]
    found = [report for given, report in reports if role == ("server" if report.serves else given)]
    return found[-1] if found else Report()


def interval_of(step: Step) -> Interval:
    """The record of one interval."""
    return Interval(
        start=step.sum.start or 0.0,
        end=step.sum.end or 0.0,
        throughput=bits_per_second(step.sum.bytes or 0.0, step.sum.seconds or 1.0),
        retransmits=step.sum.retransmits,
        cwnd=_total(stream.snd_cwnd for stream in step.streams),
        rtt=_seconds(stream.rtt for stream in step.streams),
    )


def _total(sizes: Iterable[float | None]) -> float | None:
    known = [size for size in sizes if size is not None]
    return sum(known) if known else None


def _seconds(times: Iterable[float | None]) -> Seconds | None:
    """The mean of microseconds that are not zero, which means unknown."""
    known = [time for time in times if time]
    return sum(known) / len(known) / MICROSECONDS if known else None


def _warnings(stderr: str, stdout: bytes) -> tuple[str, ...]:
    """On stderr, or in between of what was pasted."""
    pasted = "" if stdout.lstrip().startswith(b"{") else stdout.decode(errors="replace")
    return tuple(line for line in (stderr + pasted).splitlines() if line.startswith("warning"))


def _connected(document: Document | None) -> bool:
    return document is not None and bool(document.start.connected)


def _complaint(stderr: str) -> str:
    lines = [line.removeprefix("iperf3: ") for line in stderr.splitlines() if line.startswith("iperf3: ")]
    return lines[0] if lines else ""


def _silent_failure(output: ProgramOutput, document: Document | None) -> EngineFailure | None:
    if document is not None or output.stopped:
        return None
    return EngineFailure.MISSING if output.exit_code is None else EngineFailure.OTHER


def _silence(failure: EngineFailure | None, output: ProgramOutput) -> str:
    if failure is EngineFailure.MISSING:
        return f"iperf3 could not be started on the {output.end} end"
    return "" if failure is None else f"iperf3 printed no report and ended with {output.exit_code}"
