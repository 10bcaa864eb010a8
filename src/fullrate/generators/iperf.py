"""iperf 2 as people paste it: TCP and UDP, one direction or both, its client's text or its server's.

    [  3] local 192.0.2.1 port 38990 connected with 192.0.2.2 port 5001
    [ ID] Interval       Transfer     Bandwidth
    [  3]  0.0-10.0 sec  1.09 GBytes   935 Mbits/sec
    [  3] Server Report:
    [  3]  0.0-10.0 sec  12.5 MBytes  10.5 Mbits/sec   0.012 ms    0/ 8917 (0%)

Formats: src/Locale.c; iperf(1). We do not start it: it stops on whole seconds only, and its servers may hang.
"""

from collections.abc import Iterable

from fullrate.generators._iperf3_document import Sum
from fullrate.generators._iperf3_failure import classify
from fullrate.generators._iperf3_report import interval_of
from fullrate.generators._printed import Printed, printed
from fullrate.generators._runs import generation, runs_of
from fullrate.records.leaf import Generator
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure, EngineResult, Interval, TrialSpec
from fullrate.records.units import MILLISECONDS, BitsPerSecond, Seconds

_PROGRAM = "iperf"
_THIS = 2


def _recognizes(text: str) -> bool:
    return generation(text) == _THIS


def _runs(text: str) -> tuple[str, ...]:
    return tuple(run for run in runs_of(text) if _told(run) is not None)


def _told(text: str) -> TrialSpec | None:
    found = printed(text)
    return found.spec if found.seconds or found.words.error else None


def _read(spec: TrialSpec, outputs: tuple[ProgramOutput, ...]) -> EngineResult:
    found = [printed(output.stdout.decode(errors="replace")) for output in outputs]
    client, server = _of_role(found, serves=False), _of_role(found, serves=True)
    sender, receiver = (server, client) if spec.reverse else (client, server)
    arrived = receiver.total or sender.received  # a client prints what its UDP server reports
    failure, message = _failure(client, server)
    return EngineResult(
        program=_PROGRAM,
        failure=failure,
        message=message,
        sent=_intervals(sender),
        received=_intervals(receiver),
        total_sent=_rate(sender.total),
        total_received=_rate(arrived),
        seconds=next((one.seconds for one in (arrived, sender.total) if one is not None), None),
        retransmits=sender.total.retransmits if sender.total else None,
        mss=client.words.mss or server.words.mss,
        lost_ratio=_lost_ratio(arrived),
        jitter=_jitter(arrived),
        client_address=client.local or server.remote,
        server_address=client.remote or server.local,
        warnings=client.words.warnings + server.words.warnings,
    )


def _of_role(found: Iterable[Printed], *, serves: bool) -> Printed:
    return next((one for one in found if one.words.serves is serves), Printed.nothing(serves=serves))


def _rate(total: Sum | None) -> BitsPerSecond | None:
    return None if total is None else total.bits_per_second


def _lost_ratio(arrived: Sum | None) -> float | None:
    """The share of the datagrams that did not arrive; late ones can make the count negative."""
    if arrived is None or arrived.lost_packets is None or not arrived.packets:
        return None
    return max(0, arrived.lost_packets) / arrived.packets


def _jitter(arrived: Sum | None) -> Seconds | None:
    return None if arrived is None or arrived.jitter_ms is None else arrived.jitter_ms / MILLISECONDS


def _intervals(found: Printed) -> tuple[Interval, ...]:
    return tuple(map(interval_of, found.steps))


def _failure(client: Printed, server: Printed) -> tuple[EngineFailure | None, str]:
    """Why nothing ran; what it says at the end of a run that came to figures is no failure."""
    if client.seconds or server.seconds:
        return None, ""
    message = client.words.error or server.words.error
    failed = f"unable to connect: {message}" if "connect failed" in message else message
    return (classify(failed) if message else None), message


GENERATOR = Generator(id="iperf", program=_PROGRAM, recognizes=_recognizes, runs=_runs, told=_told, read=_read)
