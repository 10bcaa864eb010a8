"""The strip of a direction: what each stage of a packet's path showed during the trial."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from fullrate.records.ends import Direction
from fullrate.records.facts.cpu import CpuTimes, Softnet
from fullrate.records.facts.ethtool import Channels, Features, Rings
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import FilterRule, ProtocolCounters, TcpSocket
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.run import PathStage, State, Verdict
from fullrate.records.snapshot import Delta, increase
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE
from fullrate.records.view import EndView, View

SENDER, WIRE, RECEIVER = "sender", "wire", "receiver"
_OFFLOADS = {
    SENDER: {"tcp-segmentation-offload": "TSO", "generic-segmentation-offload": "GSO", "scatter-gather": "SG"},
    RECEIVER: {"generic-receive-offload": "GRO", "rx-checksumming": "checksum"},
}


def strip(view: View, verdict: Verdict) -> tuple[PathStage, ...]:
    """The stages of one direction in a packet's order; empty when it was not measured."""
    trial = view.want_trial()
    if trial is None:
        return ()
    return tuple(_mark(stage, view.direction, verdict) for build in _STAGES for stage in build(view, trial))


def _mark(stage: PathStage, direction: Direction, verdict: Verdict) -> PathStage:
    """Mark the limiting stage, at the end that the verdict names."""
    roles = {str(direction.sender): SENDER, str(direction.receiver): RECEIVER, "path": WIRE}
    limit = (
        verdict.direction is direction
        and verdict.stage == stage.stage
        and roles.get(verdict.end or "", "") == stage.role
        and verdict.state is not State.FULL
    )
    return replace(stage, limit=limit)


def _tool(view: View, trial: Trial) -> Iterator[PathStage]:
    engine = trial.engine
    if engine is None:
        return
    sends_from_client = not trial.spec.reverse
    busy = engine.client_cpu if sends_from_client else engine.server_cpu
    flows = "1 flow" if trial.spec.streams == 1 else f"{trial.spec.streams} flows"
    note = f"{engine.program} {engine.client_version or ''}, {flows}".replace(" ,", ",")
    yield PathStage(direction=view.direction, stage="tool", role=SENDER, note=note, utilisation=busy)


def _socket(view: View, trial: Trial) -> Iterator[PathStage]:
    if trial.spec.protocol != "tcp":
        return  # the only TCP connection is the test's control connection
    delta = _biggest(view.window(trial, view.sender).deltas(TcpSocket))
    if delta is None:
        return
    socket = delta.after
    window, rtt = socket.send_window, socket.rtt
    ceiling = window * BITS_PER_BYTE / rtt if window and rtt else None
    note = "" if not window or not rtt else f"peer's window {window / 1e6:.1f} MB, RTT {rtt * 1e3:.2f} ms"
    yield PathStage(direction=view.direction, stage="socket", role=SENDER, note=note, ceiling_bps=ceiling)
    yield PathStage(
        direction=view.direction,
        stage="tcp",
        role=SENDER,
        note=socket.congestion_control or "",
        lost=_grown(delta.before.retransmits, socket.retransmits),
        lost_note="retransmits",
    )


def _grown(before: int | None, after: int | None) -> int | None:
    """How much a counter grew; None when it is not reported or was reset."""
    return None if before is None or after is None else increase(before, after)


def _total(parts: Iterable[int | None]) -> int | None:
    """The sum of what is known; None when nothing is."""
    known = [part for part in parts if part is not None]
    return sum(known) if known else None


def _biggest(deltas: tuple[Delta[TcpSocket], ...]) -> Delta[TcpSocket] | None:
    return max(deltas, key=lambda delta: delta.after.bytes_sent or 0, default=None)


def _filters(view: View, trial: Trial, end: EndView, role: str) -> Iterator[PathStage]:
    rules = end.all(FilterRule)
    if not rules:
        return
    deltas = view.window(trial, end).deltas(FilterRule)
    yield PathStage(
        direction=view.direction,
        stage="filter",
        role=role,
        note=f"{len(rules)} rule{'s' if len(rules) != 1 else ''} that can drop",
        lost=_total(_grown(delta.before.packets, delta.after.packets) for delta in deltas),
        lost_note="packets",
    )


def _qdisc(view: View, trial: Trial) -> Iterator[PathStage]:
    for delta in view.window(trial, view.sender).deltas(Qdisc):
        qdisc = delta.after
        if qdisc.parent is None:
            yield PathStage(
                direction=view.direction,
                stage="qdisc",
                role=SENDER,
                note=qdisc.kind,
                ceiling_bps=qdisc.rate,
                lost=increase(delta.before.dropped, qdisc.dropped),
                lost_note="dropped",
            )


def _offload(view: View, end: EndView, role: str) -> Iterator[PathStage]:
    features = end.want(Features, end.interface)
    if features is not None:
        states = {word: features.on(name) for name, word in _OFFLOADS[role].items()}
        words = [f"{word} {'on' if on else 'off'}" for word, on in states.items() if on is not None]
        yield PathStage(direction=view.direction, stage="offload", role=role, note=", ".join(words))


def _ring(view: View, trial: Trial, end: EndView, role: str) -> Iterator[PathStage]:
    delta = view.window(trial, end).want(LinkCounters, end.interface or "")
    if delta is None:
        return
    way = "tx" if role == SENDER else "rx"
    before, after = (getattr(fact, f"{way}_dropped") for fact in (delta.before, delta.after))
    yield PathStage(
        direction=view.direction,
        stage=f"{way}_ring",
        role=role,
        note=", ".join(filter(None, (_descriptors(end, way), _queues(end, way)))),
        lost=increase(before, after),
        lost_note=f"{way}_dropped",
    )


def _descriptors(end: EndView, way: str) -> str:
    rings = end.want(Rings, end.interface)
    size = None if rings is None else getattr(rings, way)
    return f"{size} of {getattr(rings, f'{way}_max')}" if size else ""


def _queues(end: EndView, way: str) -> str:
    channels = end.want(Channels, end.interface)
    count = 0 if channels is None else (channels.combined or 0) + (getattr(channels, way) or 0)
    return f"{count} queue{'s' if count != 1 else ''}" if count else ""


def _wire(view: View, trial: Trial) -> Iterator[PathStage]:
    again, lost = trial.retransmit_ratio, trial.engine.lost_ratio if trial.engine else None
    note = "" if again is None else f"{again:.2%} of the segments sent again"
    if trial.spec.protocol == "udp":
        note = "" if lost is None else f"{lost:.2%} of the datagrams missed, wherever lost"
    yield PathStage(
        direction=view.direction, stage="wire", role=WIRE, note=note, ceiling_bps=view.ceilings.get(view.direction)
    )


def _backlog(view: View, trial: Trial) -> Iterator[PathStage]:
    deltas = view.window(trial, view.receiver).deltas(Softnet)
    if deltas:
        dropped = _total(increase(delta.before.dropped, delta.after.dropped) for delta in deltas)
        yield PathStage(
            direction=view.direction, stage="backlog", role=RECEIVER, lost=dropped, lost_note="backlog full"
        )


def _datagrams(view: View, trial: Trial) -> Iterator[PathStage]:
    """What the receiver's sockets discarded of a UDP test."""
    table, name = ("snmp6", "Udp6RcvbufErrors") if ":" in (view.receiver.address or "") else ("snmp", "UdpRcvbufErrors")
    delta = view.window(trial, view.receiver).want(ProtocolCounters, table)
    if trial.spec.protocol != "udp" or delta is None:
        return
    size = trial.spec.buffer
    yield PathStage(
        direction=view.direction,
        stage="socket",
        role=RECEIVER,
        note="" if size is None else f"buffer of {size / 1e6:.1f} MB asked for",
        lost=_grown(delta.before.counters.get(name), delta.after.counters.get(name)),
        lost_note="buffer full",
    )


def _cpu(view: View, trial: Trial, end: EndView, role: str) -> Iterator[PathStage]:
    loads = []
    for delta in view.window(trial, end).deltas(CpuTimes):
        total = delta.after.total - delta.before.total
        if delta.after.subject and total > 0:
            busy = (delta.after.busy - delta.before.busy) / total
            loads.append((busy, (delta.after.softirq - delta.before.softirq) / total, delta.after.subject))
    if loads:
        busy, softirq, cpu = max(loads)
        yield PathStage(
            direction=view.direction,
            stage="cpu",
            role=role,
            note=f"busiest of {len(loads)}: CPU {cpu}, {softirq:.0%} softirq",
            utilisation=busy,
        )


_STAGES: tuple[Callable[[View, Trial], Iterator[PathStage]], ...] = (
    _tool,
    _socket,
    lambda view, trial: _filters(view, trial, view.sender, SENDER),
    _qdisc,
    lambda view, _: _offload(view, view.sender, SENDER),
    lambda view, trial: _ring(view, trial, view.sender, SENDER),
    lambda view, trial: _cpu(view, trial, view.sender, SENDER),
    _wire,
    lambda view, trial: _ring(view, trial, view.receiver, RECEIVER),
    lambda view, _: _offload(view, view.receiver, RECEIVER),
    _backlog,
    lambda view, trial: _filters(view, trial, view.receiver, RECEIVER),
    _datagrams,
    lambda view, trial: _cpu(view, trial, view.receiver, RECEIVER),
)
