"""The settings that move a measured rate, as they were found. Pure."""

from collections.abc import Iterator, Mapping

from fullrate.records.ends import End
from fullrate.records.facts.ethtool import Features
from fullrate.records.facts.link import Link
from fullrate.records.facts.net import Sysctl, TcpSocket
from fullrate.records.facts.processor import FrequencyControl
from fullrate.records.numbers import Condition
from fullrate.records.trial import Trial
from fullrate.records.units import Bytes
from fullrate.records.view import EndView

_OFFLOADS = {
    "TSO": "tcp-segmentation-offload",
    "GSO": "generic-segmentation-offload",
    "GRO": "generic-receive-offload",
    "LRO": "large-receive-offload",
}
_IPERF3_WRITE: Bytes = 131_072  # DEFAULT_TCP_BLKSIZE in src/iperf.h
_BUFFERS = {"largest receive buffer": "net.ipv4.tcp_rmem", "largest send buffer": "net.ipv4.tcp_wmem"}


def conditions(ends: Mapping[End, EndView], trials: tuple[Trial, ...]) -> tuple[Condition, ...]:
    """What moves the result on each end, in one order; what is not known is left out."""
    own = tuple(
        Condition(end=end, name=name, value=value)
        for end, view in ends.items()
        if view.seen
        for name, value in (*_of_sockets(end, trials), *_of_link(view), *_of_kernel(view))
        if value
    )
    return (*_of_tests(trials), *own)


def _of_tests(trials: tuple[Trial, ...]) -> Iterator[Condition]:
    """How the traffic program writes where no test asked for another size, with its version."""
    programs = {
        f"{trial.engine.program} {trial.engine.client_version or ''}".strip()
        for trial in trials
        if trial.engine and trial.engine.program == "iperf3" and trial.spec.protocol == "tcp" and not trial.spec.write
    }
    for program in sorted(programs):
        yield Condition(end=None, name="writes", value=f"of {_IPERF3_WRITE:,} bytes, as {program} has it")


def _of_sockets(end: End, trials: tuple[Trial, ...]) -> Iterator[tuple[str, str]]:
    """The congestion control that this end's sockets had in the tests where nobody asked for one."""
    sending = (trial.windows[end] for trial in trials if end in trial.windows and trial.spec.usual)
    named = {one.congestion_control for window in sending for one in window.after.all(TcpSocket)}
    yield "congestion control", ", ".join(sorted(filter(None, named)))


def _of_link(view: EndView) -> Iterator[tuple[str, str]]:
    link = view.want(Link, view.interface) if view.interface else None
    features = view.want(Features, view.interface) if view.interface else None
    if link is not None:
        yield "MTU", str(link.mtu)
        yield "largest GSO packet", "" if link.gso_max_size is None else f"{link.gso_max_size} bytes"
    if features is not None:
        states = {short: features.on(name) for short, name in _OFFLOADS.items()}
        yield "offloads", ", ".join(f"{name} {'on' if on else 'off'}" for name, on in states.items() if on is not None)


def _of_kernel(view: EndView) -> Iterator[tuple[str, str]]:
    for name, key in _BUFFERS.items():
        setting = view.want(Sysctl, key)
        yield name, f"{setting.numbers[-1]} bytes" if setting is not None and setting.numbers else ""
    governors = {one.governor for fact in view.all(FrequencyControl) for one in fact.policies}
    yield "CPU governor", ", ".join(sorted(filter(None, governors)))
