"""Full-sized packets vanish on the path while small ones pass, and no ICMP tells the sender to send smaller ones.

The sign in the trial is a connection that is open and carries next to nothing. The proof is a pair of echo requests
that may not be fragmented: one as large as the link's MTU allows is lost, a small one is answered (RFC 1191, RFC 2923).
"""

from fullrate.checks._common import (
    clear,
    measured,
    mtu,
    not_applicable,
    on_loopback,
    problem,
    rate,
    saw,
    unknown,
    version,
)
from fullrate.checks._glance import again, suspect
from fullrate.checks._told import only_first_flight
from fullrate.records.facts.net import EchoProbe, Sysctl
from fullrate.records.finding import Ask, Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.probes import echo_request, largest_echo
from fullrate.records.trial import Trial
from fullrate.records.units import Bytes
from fullrate.records.view import Missing, View

CAUSE = "mtu-blackhole"
_STALLED = 0.02  # of the ceiling: a black hole lets handshakes and probes pass, no more (measured: under 0.1 %)
_SMALL: Bytes = 56
_LOWEST_MTU = {4: 576, 6: 1280}  # every path must carry this (RFC 791, RFC 8200)
_PROBING = "net.ipv4.tcp_mtu_probing"  # of both IP versions, in spite of its name


def diagnose(view: View) -> Finding:
    """Whether full-sized packets of this direction vanish."""
    told = view.want_trial()
    if told is not None and told.told and only_first_flight(told):
        return _by_its_word(told)
    if on_loopback(view) or mtu(view) <= _LOWEST_MTU[version(view)]:
        return not_applicable(CAUSE, "no packet of the test is larger than what every path must carry")
    ceiling, trial = view.ceiling, view.trial()
    if rate(trial) >= _STALLED * ceiling:
        return clear(CAUSE, "full-sized packets arrive", [measured(trial)])
    address = view.receiver.address
    if address is None:
        raise Missing(f"the address of the {view.receiver.end} end", [Ask(text="name it: --bind ADDRESS")])
    sizes = (largest_echo(mtu(view), version=version(view)), _SMALL)
    large, small = (view.sender.want(EchoProbe, f"{address} {size}") for size in sizes)
    if large is None or small is None:
        why = "the connection stalls; whether large packets vanish is not known yet"
        return unknown(CAUSE, why, [measured(trial)], asks=_asks(view, address, sizes))
    return _judge(view, trial, large, small)


def _by_its_word(trial: Trial) -> Finding:
    return problem(
        CAUSE,
        "the first packets of a connection left, and nothing after them: large packets seem to vanish, small ones pass",
        [measured(trial), saw(f"trial/{trial.id}", "retransmits", trial.engine.retransmits if trial.engine else None)],
        subject="path",
        confidence=Confidence.MEDIUM,
        asks=(Ask(text="ping -M do -s 1472 and -s 8972 to the other end: the largest that is answered is the path's"),),
    )


def _asks(view: View, address: str, sizes: tuple[Bytes, ...]) -> tuple[Ask, ...]:
    requests = [echo_request(address, size) for size in sizes]
    return tuple(
        Ask(text=request.key.removeprefix("run "), end=view.sender.end, request=request) for request in requests
    )


def _judge(view: View, trial: Trial, large: EchoProbe, small: EchoProbe) -> Finding:
    evidence = [
        saw(view.sender.source_of(probe), f"answered of {probe.size} bytes", f"{probe.received} of {probe.sent}")
        for probe in (large, small)
    ]
    evidence.append(measured(trial))
    if large.received or large.local_mtu is not None or large.path_mtu is not None:
        return clear(CAUSE, "large packets pass, or are refused with a message as they should be", evidence)
    if not small.received or large.errors:
        return unknown(CAUSE, "echo requests are refused or not answered, so sizes cannot be compared", evidence,
                       asks=(Ask(text="allow ICMP echo between the hosts, then check again"),))  # fmt: skip
    return problem(
        CAUSE,
        f"packets of {mtu(view)} bytes vanish on the way to {view.receiver.address}; small ones pass",
        evidence,
        subject="path",
        confidence=Confidence.HIGH,
        costs_bps=view.ceiling - rate(trial),
        remedies=_remedies(view),
    )


def _remedies(view: View) -> tuple[Remedy, ...]:
    """Let TCP search a size that passes, where it does not yet; without the value found no undo, so no change."""
    found, end = view.sender.want(Sysctl, _PROBING), view.sender
    known = found is not None and found.value == "0"
    return (
        Remedy(
            knob=f"sysctl.{_PROBING}",
            subject=_PROBING,
            value="1",
            end=end.end,
            commands=(f"sysctl -w {_PROBING}=1",) if known else (),
            undo=(f"sysctl -w {_PROBING}=0",) if known else (),
            note="makes TCP find a size that passes; better: give every hop the same MTU"
            f" (none needs less than {_LOWEST_MTU[version(view)]}) or let ICMP 'fragmentation needed' through",
        ),
    )


_LARGE: Bytes = 1000  # of payload: every path lets smaller packets pass


def _answered(view: View, probe: EchoProbe) -> Evidence:
    return saw(view.here.source_of(probe), f"answered of {probe.size} bytes", f"{probe.received} of {probe.sent}")


def glance(view: View) -> Finding | None:
    """Echo requests that somebody showed: large ones vanished without a word, small ones were answered."""
    probes = [one for one in view.here.all(EchoProbe) if one.size is not None]
    lost = [one for one in probes if (one.size or 0) >= _LARGE and _vanished(one)]
    pairs = ((one, other) for one in lost for other in probes if _to(one) == _to(other) and _is_smaller(other, one))
    large, small = next(pairs, (None, None))
    if large is None or small is None:
        return None
    seen = [_answered(view, large), _answered(view, small)]
    words = f"echo requests of {large.size} bytes to {_to(large)} vanished, and those of {small.size} were answered"
    return suspect(view, CAUSE, words, seen, subject="path", asks=again(view, "ip link show", "tracepath PEER"))


def _to(probe: EchoProbe) -> str:
    return probe.subject.partition(" ")[0]


def _vanished(probe: EchoProbe) -> bool:
    said = probe.errors or probe.local_mtu is not None or probe.path_mtu is not None
    return probe.sent > 0 and not probe.received and not said


def _is_smaller(one: EchoProbe, other: EchoProbe) -> bool:
    return (one.size or 0) < (other.size or 0) and one.received == one.sent > 0


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
