"""What both processes of one iperf3 trial report together."""

from typing import TypeVar

from fullrate.generators._iperf3_datagrams import heeded, jitter, lost_ratio
from fullrate.generators._iperf3_document import Ending, Sum
from fullrate.generators._iperf3_report import Report, report_of
from fullrate.generators._iperf3_server import told
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure, EngineResult, TrialSpec
from fullrate.records.units import MILLISECONDS, BitsPerSecond, Seconds

T = TypeVar("T")
_PROGRAM = "iperf3"
# iperf3(1), --authorized-users-path: who has no name there is refused
_LOCKED = (
    "the server tests only for users that it knows ({}): name another port, or a host where fullrate starts its own"
)


def read(spec: TrialSpec, outputs: tuple[ProgramOutput, ...]) -> EngineResult:
    """What one trial's iperf3 processes report together."""
    client = report_of("client", outputs)
    server = told(client) or report_of("server", outputs)
    sender, receiver = (server, client) if spec.reverse else (client, server)
    culprit = _culprit(client, server)
    totals = (
        client if client.document.end != Ending() else server
    ).totals  # the client's are both ends': they exchange
    return EngineResult(
        program=_PROGRAM,
        client_version=_version(client),
        server_version=_version(server),
        failure=None if _ended_on_request(client, culprit, outputs) else culprit.failure,
        message=_LOCKED.format(culprit.message) if culprit.failure is EngineFailure.LOCKED else culprit.message,
        sent=sender.intervals,
        received=receiver.intervals,
        total_received=_arrived(totals, udp=spec.protocol == "udp"),
        total_sent=totals.sum_sent.bits_per_second or totals.sum.bits_per_second,
        seconds=_known(totals.sum_received.seconds, totals.sum_sent.seconds, totals.sum.seconds),
        retransmits=_retransmits(totals.sum_sent, sender),
        mss=client.document.start.tcp_mss_default or None,
        congestion_control=totals.sender_tcp_congestion or sender.document.end.sender_tcp_congestion,
        lost_ratio=lost_ratio(totals, sender, receiver) if spec.protocol == "udp" else None,
        jitter=_jitter(receiver, totals) if spec.protocol == "udp" else None,
        client_cpu=_share(client.cpu),
        server_cpu=_share(server.cpu, totals.cpu_utilization_percent.remote_total),
        client_address=_known(client.local, server.remote),
        server_address=_known(client.remote, server.local),
        older_than=_known(client.document.start.older_than, server.document.start.older_than),
        warnings=heeded(spec, client.warnings + server.warnings),
    )


def _culprit(client: Report, server: Report) -> Report:
    # Before the test runs, the server's own trouble explains the client's; later the client knows best.
    if not client.steps and server.failure not in {None, EngineFailure.INTERRUPTED}:
        return server
    return client if client.steps or client.failure is not None else server


def _ended_on_request(client: Report, culprit: Report, outputs: tuple[ProgramOutput, ...]) -> bool:
    stopped = {output.role for output in outputs if output.stopped}
    if "client" in stopped:
        return bool(client.steps) or culprit.failure in {None, EngineFailure.INTERRUPTED}
    return "server" in stopped and "the server has terminated" in client.message


def _version(report: Report) -> str | None:
    version = report.document.start.version
    return None if version is None else version.removeprefix("iperf ")


def _retransmits(total: Sum, sender: Report) -> int | None:
    if total.retransmits is not None:
        return total.retransmits
    counts = [step.retransmits for step in sender.steps if step.retransmits is not None]
    return sum(counts) if counts else None


def _arrived(totals: Ending, *, udp: bool) -> BitsPerSecond | None:
    """What the receiver counted. UDP before 3.2 says what was sent and how much of it was lost."""
    if totals.sum_received.bits_per_second is not None:
        return totals.sum_received.bits_per_second
    rate, packets, lost = totals.sum.bits_per_second, totals.sum.packets, totals.sum.lost_packets
    return rate * (1 - max(0, lost) / packets) if udp and rate and packets and lost is not None else None


def _jitter(receiver: Report, totals: Ending) -> Seconds | None:
    """The intervals'; where there are none, the whole test's, which is that of its last moment."""
    last = _known(totals.sum_received.jitter_ms, totals.sum.jitter_ms)
    return _known(jitter(receiver), None if last is None else last / MILLISECONDS)


def _share(*percents: float | None) -> float | None:
    found = _known(*percents)
    return None if found is None else found / 100


def _known(*values: T | None) -> T | None:
    """The first that is known."""
    return next((value for value in values if value is not None), None)
