"""The receiver's socket: what its program leaves unread, and how large its buffer has to be."""

from dataclasses import dataclass

from fullrate.checks._common import saw
from fullrate.checks._flow import mean_round_trip
from fullrate.records.facts.net import TcpSocket
from fullrate.records.finding import Evidence
from fullrate.records.snapshot import Delta
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, MILLISECONDS, Bytes
from fullrate.records.view import View

_UNREAD = 0.25  # of the receive buffer, about half of the window it gives (ip-sysctl.rst, tcp_adv_win_scale)
_MOSTLY = 0.5  # of the samples
_WINDOW = 2  # buffer bytes for each byte of window
_PACKETS = 2
_SUPERFRAME: Bytes = 65536


def reading(view: View, trial: Trial) -> Delta[TcpSocket] | None:
    """The receiver's socket that took most of the payload; None when it was not seen."""
    deltas = [delta for delta in view.window(trial, view.receiver).deltas(TcpSocket) if delta.after.receive_buffer]
    return max(deltas, key=lambda delta: delta.after.bytes_received or 0, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """In how many samples of a trial half of a socket's receive window lay unread."""

    samples: int
    full: int
    evidence: Evidence

    @property
    def share(self) -> float:
        """Of the samples."""
        return self.full / self.samples

    @property
    def mostly(self) -> bool:
        """Whether the program leaves more lying than it reads: a burst comes and goes within a sample."""
        return self.share > _MOSTLY


def unread(view: View, trial: Trial, socket: Delta[TcpSocket]) -> Unread:
    """What the receiver's program left lying in the trial. Raises Missing when the socket was not sampled."""
    end = view.receiver
    samples = [one for one in view.window(trial, end).course(TcpSocket, socket.after.identity) if one.receive_buffer]
    if not samples:
        raise end.missing(TcpSocket, socket.after.subject)
    full = sum(one.recv_queue > _UNREAD * (one.receive_buffer or 0) for one in samples)
    most = max(samples, key=lambda one: one.recv_queue)
    words = f"in {full} of {len(samples)} samples; at most {most.recv_queue} of {most.receive_buffer} bytes"
    return Unread(
        samples=len(samples), full=full, evidence=saw(socket.source, "half of the receive window unread", words)
    )


def buffer_needed(view: View, flows: tuple[Delta[TcpSocket], ...]) -> Bytes:
    """Buffer bytes each connection needs: twice its share of the bandwidth-delay product (ip-sysctl.rst).

    Never less than two superframes, twice over too.
    """
    share = view.ceiling * mean_round_trip(view.sender, flows) / BITS_PER_BYTE / len(flows)
    return max(round(_WINDOW * share), least_buffer(view, len(flows)))


def least_buffer(view: View, flows: int) -> Bytes:
    """What two superframes a flow need without any delay: one is read while the other is on its way.

    The sender makes them of what it paces in a millisecond, at most 64 kB (net/ipv4/tcp_output.c, tcp_tso_autosize).
    A program that reads all it can still leaves half of a smaller buffer unread.
    """
    paced = view.ceiling / BITS_PER_BYTE / MILLISECONDS / flows
    return round(_WINDOW * _PACKETS * min(_SUPERFRAME, paced))
