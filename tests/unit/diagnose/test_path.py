"""The strip of a direction: what each stage of a packet's path showed during the trial."""

from dataclasses import replace
from typing import Any

import pytest

from fullrate.diagnose.path import RECEIVER, SENDER, WIRE, strip
from fullrate.records.ends import Direction
from fullrate.records.facts.base import Fact
from fullrate.records.facts.cpu import CpuTimes, Softnet
from fullrate.records.facts.ethtool import Channels, Feature, Features, Rings
from fullrate.records.facts.link import LinkCounters
from fullrate.records.facts.net import FilterRule, ProtocolCounters, TcpSocket
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.recording import Promise
from fullrate.records.run import PathStage, State, Verdict
from fullrate.records.trial import EngineResult, Trial
from fullrate.records.view import View
from unit.diagnose.making import BACK, CEILING, FAR, NEAR, OUT, trial, view, window

UNDECIDED = Verdict(state=State.UNDECIDED, summary="")
Pair = tuple[Fact, Fact]


def measured(*near: Pair, far: tuple[Pair, ...] = (), direction: Direction = OUT, **more: Any) -> Trial:  # noqa: ANN401 - fields of Trial
    """A trial during which both hosts showed these facts."""
    windows = {end: window(*pairs) for end, pairs in ((NEAR, near), (FAR, far)) if pairs}
    return trial(direction, windows=windows, **more)


def stages(seen: Trial, near: tuple[Fact, ...] = (), far: tuple[Fact, ...] = ()) -> list[PathStage]:
    """The strip of the trial's direction."""
    return list(strip(view(seen, near=near, far=far, direction=seen.spec.direction), UNDECIDED))


def stage(name: str, seen: Trial, near: tuple[Fact, ...] = (), far: tuple[Fact, ...] = ()) -> PathStage:
    """The one stage of that name."""
    (found,) = [one for one in stages(seen, near, far) if one.stage == name]
    return found


def counters(name: str = "eth0", *, rx: int = 0, tx: int = 0) -> LinkCounters:
    """A link's counters with so many drops."""
    quiet = dict.fromkeys(("rx_bytes", "rx_packets", "rx_errors", "tx_bytes", "tx_packets", "tx_errors"), 0)
    return LinkCounters(subject=name, rx_dropped=rx, tx_dropped=tx, **quiet)


def cpu(number: str, *, idle: int, softirq: int = 0, system: int = 0) -> CpuTimes:
    """One CPU's ticks."""
    return CpuTimes(subject=number, user=0, nice=0, system=system, idle=idle, iowait=0, irq=0, softirq=softirq, steal=0)


def socket(subject: str = "a b", **more: object) -> TcpSocket:
    """A socket of the test."""
    return TcpSocket(
        subject=subject,
        local_address="192.0.2.4",
        local_port=40000,
        peer_address="192.0.2.3",
        peer_port=5201,
        state="ESTAB",
        **more,  # type: ignore[arg-type]
    )


def rule(packets: int | None, handle: int = 7) -> FilterRule:
    """A rule that drops."""
    return FilterRule(
        subject=f"ip filter INPUT {handle}",
        family="ip",
        table="filter",
        chain="INPUT",
        handle=handle,
        hook="input",
        text="drop",
        verdict="drop",
        packets=packets,
    )


def softnet(number: str, dropped: int) -> Softnet:
    """One CPU's receive backlog."""
    return Softnet(subject=number, processed=1, dropped=dropped, time_squeeze=0)


def qdisc(parent: str | None, dropped: int, **more: object) -> Qdisc:
    """A queue of eth0."""
    return Qdisc(subject="eth0", kind="tbf", handle="1:", parent=parent, dropped=dropped, **more)  # type: ignore[arg-type]


# --- order and place


def test_unmeasured_direction_has_no_strip() -> None:
    """There is nothing to show."""
    assert () == strip(view(), UNDECIDED)


def test_wire_is_always_shown() -> None:
    """With the payload it can carry."""
    (found,) = stages(measured())
    assert ("wire", WIRE, CEILING) == (found.stage, found.role, found.ceiling_bps)


def test_stages_stand_in_a_packets_order() -> None:
    """From the sending program to the receiving one."""
    near = ((socket(), socket()), (qdisc(None, 0), qdisc(None, 0)), (counters(), counters()))
    far = ((counters(), counters()), (softnet("0", 0), softnet("0", 0)), (cpu("0", idle=0), cpu("0", idle=9)))
    found = stages(measured(*near, far=far, engine=EngineResult(program="iperf3")))
    assert ["tool", "socket", "tcp", "qdisc", "tx_ring", "wire", "rx_ring", "backlog", "cpu"] == [
        one.stage for one in found
    ]


def test_roles_follow_the_direction() -> None:
    """Far to near: the far end sends, so its drops are the sender's."""
    seen = measured((counters(rx=1), counters(rx=3)), far=((counters(tx=1), counters(tx=6)),), direction=BACK)
    rings = {one.role: one.lost for one in stages(seen) if one.stage.endswith("ring")}
    assert {SENDER: 5, RECEIVER: 2} == rings


def test_every_stage_names_its_direction() -> None:
    """Strips of both directions stand in one list."""
    assert {BACK} == {one.direction for one in stages(measured((counters(), counters()), direction=BACK))}


# --- UDP


def snmp(full: int, *, table: str = "snmp", name: str = "UdpRcvbufErrors") -> ProtocolCounters:
    """So many datagrams found their socket's buffer full."""
    return ProtocolCounters(subject=table, counters={name: full})


def by_udp(*far: Pair, **more: Any) -> Trial:  # noqa: ANN401 - fields of Trial
    """A UDP trial during which the receiver showed these facts, and the sender its control connection."""
    seen = measured((socket(), socket()), far=far, engine=EngineResult(program="iperf3", lost_ratio=0.125), **more)
    return replace(seen, spec=replace(seen.spec, protocol="udp", rate=5e8, buffer=4_194_304))


def udp_view(seen: Trial) -> View:
    """The view of a job that is to carry UDP."""
    return replace(view(seen), promise=Promise(udp=5e8))


def test_udp_shows_what_its_sockets_discarded() -> None:
    """At the receiver, with the buffer it asked for; its control connection says nothing of it."""
    seen = by_udp((snmp(5), snmp(47)))
    found = [one for one in strip(udp_view(seen), UNDECIDED) if one.stage in {"socket", "tcp"}]
    expected = [("socket", RECEIVER, "buffer of 4.2 MB asked for", 42)]
    assert expected == [(one.stage, one.role, one.note, one.lost) for one in found]


def test_udp_shows_its_loss_on_the_wire() -> None:
    """As the program tells it: it does not say where."""
    (found,) = [one for one in strip(udp_view(by_udp()), UNDECIDED) if one.stage == "wire"]
    assert "12.50% of the datagrams missed, wherever lost" == found.note


# --- the limit's mark


def marked(verdict: Verdict) -> list[tuple[str, str]]:
    """Stage and role of the marked ones, on a path that has a CPU and a ring at both ends."""
    both = ((counters(), counters()), (cpu("0", idle=0), cpu("0", idle=9)))
    found = strip(view(measured(*both, far=both)), verdict)
    return [(one.stage, one.role) for one in found if one.limit]


LIMIT = Verdict(state=State.NOT_FULL, summary="", direction=OUT, stage="cpu", end="near")


@pytest.mark.parametrize(
    ("end", "name", "place"),
    [
        pytest.param("near", "cpu", ("cpu", SENDER), id="sender"),
        pytest.param("far", "cpu", ("cpu", RECEIVER), id="receiver"),
        pytest.param("path", "wire", ("wire", WIRE), id="between"),
    ],
)
def test_limit_is_marked_at_its_end(end: str, name: str, place: tuple[str, str]) -> None:
    """Both ends have a CPU: only the one the verdict names is marked."""
    assert [place] == marked(replace(LIMIT, end=end, stage=name))


@pytest.mark.parametrize(
    "verdict",
    [
        pytest.param(replace(LIMIT, direction=BACK), id="other direction"),
        pytest.param(replace(LIMIT, direction=None), id="no direction"),
        pytest.param(replace(LIMIT, state=State.FULL), id="full"),
        pytest.param(replace(LIMIT, stage=None), id="no stage"),
        pytest.param(replace(LIMIT, end=None), id="no end"),
        pytest.param(replace(LIMIT, end="path"), id="a host's stage on the path"),
    ],
)
def test_nothing_is_marked_elsewhere(verdict: Verdict) -> None:
    """A wrong mark sends people to the wrong machine."""
    assert [] == marked(verdict)


# --- the stages


def test_tool_names_program_and_flows() -> None:
    """As a person would run it."""
    seen = measured(engine=EngineResult(program="iperf3", client_version="3.18"))
    assert "iperf3 3.18, 1 flow" == stage("tool", seen).note


def test_tool_without_a_version_is_still_named() -> None:
    """No comma hangs in the air."""
    assert "iperf3, 1 flow" == stage("tool", measured(engine=EngineResult(program="iperf3"))).note


@pytest.mark.parametrize(
    ("direction", "near_serves", "busy"),
    [(OUT, False, 0.25), (BACK, False, 0.75), (OUT, True, 0.75), (BACK, True, 0.25)],
)
def test_tool_shows_the_senders_load(direction: Direction, busy: float, *, near_serves: bool) -> None:
    """The client sends, or the server does when the test is reversed."""
    seen = measured(direction=direction, engine=EngineResult(program="iperf3", client_cpu=0.25, server_cpu=0.75))
    assert busy == stage("tool", replace(seen, spec=replace(seen.spec, near_serves=near_serves))).utilisation


def test_socket_ceiling_is_window_over_rtt() -> None:
    """One megabyte a millisecond is 8 Gbit/s."""
    found = stage("socket", measured((socket(), socket(send_window=1_000_000, rtt=0.001))))
    assert (8e9, "peer's window 1.0 MB, RTT 1.00 ms") == (found.ceiling_bps, found.note)


@pytest.mark.parametrize("known", [{"send_window": 1_000_000}, {"rtt": 0.001}, {"send_window": 1000, "rtt": 0.0}])
def test_socket_without_window_or_rtt_has_no_ceiling(known: dict[str, Any]) -> None:
    """Nothing is made up, nothing divided by zero."""
    assert None is stage("socket", measured((socket(), socket(**known)))).ceiling_bps


def test_tcp_counts_what_was_sent_again() -> None:
    """During the trial, not since the connection began."""
    again = (socket(retransmits=5), socket(retransmits=12, congestion_control="cubic"))
    found = stage("tcp", measured(again))
    assert (7, "cubic", "retransmits") == (found.lost, found.note, found.lost_note)


@pytest.mark.parametrize(("before", "after"), [(None, 12), (5, None), (12, 5)])
def test_tcp_does_not_know_what_it_cannot_count(before: int | None, after: int | None) -> None:
    """Absent is not zero, and a counter that went back says nothing."""
    assert None is stage("tcp", measured((socket(retransmits=before), socket(retransmits=after)))).lost


def test_busiest_socket_is_shown() -> None:
    """The control connection carries next to nothing."""
    control = (socket("c"), socket("c", bytes_sent=900, congestion_control="reno"))
    data = (socket("d"), socket("d", bytes_sent=10**9, congestion_control="bbr"))
    assert "bbr" == stage("tcp", measured(data, control)).note


def test_filter_counts_drops_during_the_trial() -> None:
    """The rules' counters are summed; one without a counter adds nothing."""
    pairs = ((rule(1), rule(5)), (rule(10, 8), rule(30, 8)), (rule(None, 9), rule(None, 9)))
    found = stage("filter", measured(*pairs), near=(rule(1), rule(10, 8), rule(None, 9)))
    assert (24, "3 rules that can drop", SENDER) == (found.lost, found.note, found.role)


def test_filter_without_counters_does_not_claim_zero() -> None:
    """Nothing is counted, so nothing is known."""
    found = stage("filter", measured(far=((rule(None), rule(None)),)), far=(rule(None),))
    assert (None, "1 rule that can drop", RECEIVER) == (found.lost, found.note, found.role)


def test_only_the_root_qdisc_is_shown() -> None:
    """With the rate of a shaper and what it dropped."""
    rate = {"rate": 1e9}
    pairs = ((qdisc(None, 2, **rate), qdisc(None, 9, **rate)), (qdisc("1:1", 0), qdisc("1:1", 50)))
    found = stage("qdisc", measured(*pairs))
    assert ("tbf", 1e9, 7) == (found.note, found.ceiling_bps, found.lost)


def test_offloads_are_those_of_the_role() -> None:
    """A sender segments, a receiver merges; what the kernel does not list is neither on nor off."""
    wanted = {"tcp-segmentation-offload": False, "scatter-gather": True, "generic-receive-offload": True}
    known = Features(subject="eth0", features=tuple(Feature(name=name, on=on) for name, on in wanted.items()))
    found = {one.role: one.note for one in stages(measured(), (known,), (known,)) if one.stage == "offload"}
    assert {SENDER: "TSO off, SG on", RECEIVER: "GRO on"} == found


def test_ring_shows_size_and_queues_of_its_side() -> None:
    """A sender's ring is the tx one."""
    known = (
        Rings(subject="eth0", rx=256, rx_max=4096, tx=512, tx_max=2048),
        Channels(subject="eth0", rx=3, tx=1, combined=4),
    )
    both = ((counters(), counters()),)
    found = {one.role: one.note for one in stages(measured(*both, far=both), known, known) if one.role != WIRE}
    assert {SENDER: "512 of 2048, 5 queues", RECEIVER: "256 of 4096, 7 queues"} == found


def test_ring_without_sizes_still_shows_its_drops() -> None:
    """A virtual driver reports no ring."""
    found = stage("rx_ring", measured(far=((counters(rx=3), counters(rx=10)),)))
    assert ("", 7, "rx_dropped") == (found.note, found.lost, found.lost_note)


def test_ring_counter_that_went_back_says_nothing() -> None:
    """The link was reset."""
    assert None is stage("tx_ring", measured((counters(tx=9), counters(tx=1)))).lost


def test_other_links_ring_is_not_shown() -> None:
    """Only the link under test is on the path."""
    assert ["wire"] == [one.stage for one in stages(measured((counters("eth1"), counters("eth1", tx=9))))]


def test_backlog_sums_all_cpus() -> None:
    """Each CPU has a queue."""
    pairs = ((softnet("0", 1), softnet("0", 4)), (softnet("1", 0), softnet("1", 20)))
    assert 23 == stage("backlog", measured(far=pairs)).lost


def test_busiest_cpu_is_shown() -> None:
    """The average of all hides the one that is the limit; the sum line is none."""
    pairs = (
        (cpu("", idle=0), cpu("", idle=10, system=190)),
        (cpu("0", idle=100), cpu("0", idle=190, softirq=10)),
        (cpu("1", idle=100), cpu("1", idle=110, softirq=60, system=30)),
    )
    found = stage("cpu", measured(*pairs))
    assert (0.9, "busiest of 2: CPU 1, 60% softirq") == (found.utilisation, found.note)


def test_cpu_that_counted_nothing_is_left_out() -> None:
    """No time passed between the readings."""
    assert ["wire"] == [one.stage for one in stages(measured((cpu("0", idle=5), cpu("0", idle=5))))]


@pytest.mark.parametrize(("ratio", "note"), [(None, ""), (0.0123, "1.23% of the segments sent again")])
def test_wire_tells_the_share_sent_again(ratio: float | None, note: str) -> None:
    """Nothing is said of what is not known."""
    assert note == stage("wire", measured(retransmit_ratio=ratio)).note
