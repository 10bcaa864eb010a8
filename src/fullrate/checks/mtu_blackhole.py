"""Full-sized packets vanish on the path while small ones pass, and no ICMP tells the sender to send smaller ones.

The sign in the trial is a connection that is open and carries next to nothing. The proof is a pair of echo requests
that may not be fragmented: one as large as the link's MTU allows is lost, a small one is answered (RFC 1191, RFC 2923).
"""

from fullrate.checks._common import clear, measured, mtu, problem, rate, saw, unknown, version
from fullrate.records.facts.net import EchoProbe
from fullrate.records.finding import Ask, Confidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.probes import echo_request
from fullrate.records.trial import Trial
from fullrate.records.units import Bytes
from fullrate.records.view import View

CAUSE = "mtu-blackhole"
_STALLED = 0.02  # of the ceiling: a black hole lets handshakes and probes pass, no more (measured: under 0.1 %)
_ICMP = {4: 28, 6: 48}  # IP and ICMP echo headers
_SMALL: Bytes = 56
_LOWEST_MTU = {4: 576, 6: 1280}  # every path must carry this (RFC 791, RFC 8200)


def diagnose(view: View) -> Finding:
    """Whether full-sized packets of this direction vanish."""
    ceiling, trial = view.ceiling, view.trial()
    if rate(trial) >= _STALLED * ceiling:
        return clear(CAUSE, "full-sized packets arrive", [measured(trial)])
    address = view.receiver.address or ""
    sizes = (mtu(view) - _ICMP[version(view)], _SMALL)
    probes = [view.sender.want(EchoProbe, f"{address} {size}") for size in sizes]
    large, small = probes
    if large is None or small is None:
        return unknown(CAUSE, "the connection stalls; whether large packets vanish is not known yet", [measured(trial)],
                       asks=_asks(view, address, sizes))  # fmt: skip
    return _judge(view, trial, large, small)


def _asks(view: View, address: str, sizes: tuple[Bytes, ...]) -> tuple[Ask, ...]:
    requests = [echo_request(address, size) for size in sizes]
    return tuple(
        Ask(text=request.key.removeprefix("run "), end=view.sender.end, request=request) for request in requests
    )


def _judge(view: View, trial: Trial, large: EchoProbe, small: EchoProbe) -> Finding:
    evidence = [
        saw(f"ping -M do -s {probe.size}", "answered", f"{probe.received} of {probe.sent}") for probe in (large, small)
    ]
    evidence.append(measured(trial))
    if large.received or large.local_mtu is not None:
        return clear(CAUSE, "large packets pass, or are refused with a message as they should be", evidence)
    if not small.received:
        return unknown(CAUSE, "no echo request is answered, so sizes cannot be compared", evidence,
                       asks=(Ask(text="allow ICMP echo between the hosts, then check again"),))  # fmt: skip
    return problem(
        CAUSE,
        f"packets of {mtu(view)} bytes vanish on the way to {view.receiver.address}; small ones pass",
        evidence,
        subject="path",
        confidence=Confidence.HIGH,
        costs_bps=view.ceiling - rate(trial),
        remedies=(_remedy(view),),
    )


def _remedy(view: View) -> Remedy:
    end, lowest = view.sender, _LOWEST_MTU[version(view)]
    return Remedy(
        knob="sysctl.net.ipv4.tcp_mtu_probing",
        subject="net.ipv4.tcp_mtu_probing",
        value="1",
        end=end.end,
        commands=("sysctl -w net.ipv4.tcp_mtu_probing=1",),
        undo=("sysctl -w net.ipv4.tcp_mtu_probing=0",),
        note=f"makes TCP find a size that passes; better: give every hop the same MTU (none needs less than {lowest})"
        " or let ICMP 'fragmentation needed' through",
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
