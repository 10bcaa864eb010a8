"""iperf3: what it refuses, its command lines, and what its real outputs of three versions mean."""

from collections.abc import Callable

import pytest

from fullrate.generators.iperf3 import GENERATOR
from fullrate.records.ends import Direction, End
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Endpoint, Launch
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import TrialKind, TrialSpec
from iperf3_recorded import FIXTURES, FORWARD, REVERSE, UDP, UDP_REVERSE, bulk, client_says, pair, printed

Build = Callable[[TrialSpec, Endpoint, ProgramVersion], Launch]
VERSION = ProgramVersion(subject="iperf3", version="3.12")
IPV4 = Endpoint(server_address="192.0.2.2", client_address="192.0.2.1", port=5207)
IPV6 = Endpoint(server_address="2001:db8::2", client_address="2001:db8::1", port=5201)


def client_line(spec: TrialSpec, where: Endpoint = IPV4) -> str:
    """The client's command line as a person would type it."""
    return " ".join(GENERATOR.client(spec, where, VERSION).argv)


def refusals(spec: TrialSpec) -> tuple[str, ...]:
    """Why a trial cannot run where both ends have iperf3."""
    return GENERATOR.refuses(spec, VERSION, VERSION)


# Whether it can run a trial


@pytest.mark.parametrize("spec", [FORWARD, REVERSE, UDP, UDP_REVERSE, bulk(streams=128), bulk(rate=1e9)])
def test_takes_a_bulk_trial(spec: TrialSpec) -> None:
    """A trial within iperf3's limits is not refused."""
    assert () == refusals(spec)


@pytest.mark.parametrize(
    ("reason", "spec"),
    [
        ("iperf3 runs 1 to 128 streams, not 129", bulk(streams=129)),
        ("iperf3 runs 1 to 128 streams, not 0", bulk(streams=0)),
        ("iperf3 cannot send sctp: only tcp and udp", bulk(protocol="sctp")),
        ("a rate below 1 bit/s a stream means unlimited to iperf3", bulk(rate=0)),
        ("a rate below 1 bit/s a stream means unlimited to iperf3", bulk(rate=3, streams=4)),
        ("iperf3 runs 1 to 86400 s, not 0", bulk(max_seconds=0)),
        ("iperf3 runs 1 to 86400 s, not 86401", bulk(max_seconds=86401)),
        ("one direction at a time: both at once would share one process", bulk(Direction.BOTH)),
    ],
)
def test_refuses_with_a_reason(reason: str, spec: TrialSpec) -> None:
    """What iperf3 cannot do, or would do wrongly, is refused in words."""
    assert (reason,) == refusals(spec)


def test_refuses_an_idle_look() -> None:
    """A trial without traffic is not for iperf3."""
    assert "iperf3 sends bulk traffic only, not idle" in refusals(TrialSpec(kind=TrialKind.IDLE))


def test_refuses_with_every_reason() -> None:
    """All reasons are given at once."""
    assert 2 == len(refusals(bulk(streams=200, protocol="rds")))


def test_a_client_end_without_iperf3_is_named() -> None:
    """The end that lacks iperf3 is named, with the command that installs it."""
    assert ("iperf3 is not installed on the near end: apt install iperf3",) == GENERATOR.refuses(FORWARD, None, VERSION)


def test_a_server_end_without_iperf3_is_named() -> None:
    """The serving end is the far one."""
    assert ("iperf3 is not installed on the far end: apt install iperf3",) == GENERATOR.refuses(FORWARD, VERSION, None)


def test_swapped_roles_name_the_other_end() -> None:
    """When the near end serves, a missing client is the far end's."""
    swapped = TrialSpec(kind=TrialKind.BULK, direction=Direction.NEAR_TO_FAR, near_serves=True)
    assert ("iperf3 is not installed on the far end: apt install iperf3",) == GENERATOR.refuses(swapped, None, VERSION)


# Its command lines


def test_server_line() -> None:
    """The server takes one test on its address and port and reports every 0.1 s."""
    launch = GENERATOR.server(FORWARD, IPV4, VERSION)
    assert "iperf3 -s -1 -J -B 192.0.2.2 -p 5207 -i 0.1" == " ".join(launch.argv)


def test_client_line() -> None:
    """The client binds to its own address and reports every 0.1 s."""
    expected = "iperf3 -c 192.0.2.2 -p 5207 -B 192.0.2.1 -4 -J -t 20 -i 0.1 --connect-timeout 3000 -P 1"  # as recorded
    assert expected == client_line(FORWARD)


def test_reverse_line() -> None:
    """When the server is to send, the client says so."""
    assert client_line(FORWARD) + " -R" == client_line(REVERSE)


def test_swapped_roles_reverse() -> None:
    """With the server on the near end, near to far is the server's sending."""
    swapped = TrialSpec(kind=TrialKind.BULK, direction=Direction.NEAR_TO_FAR, near_serves=True)
    assert client_line(swapped).endswith(" -R")


def test_udp_line_is_unlimited() -> None:
    """UDP without a rate is unlimited, not iperf3's 1 Mbit/s."""
    assert client_line(UDP).endswith(" -P 1 -u -b 0")


def test_rate_is_divided_by_streams() -> None:
    """iperf3's rate is per stream, ours is of all together, in whole bits per second."""
    assert client_line(bulk(streams=3, rate=1e9)).endswith(" -P 3 -b 333333333")


def test_udp_rate() -> None:
    """A UDP rate takes the place of unlimited."""
    assert client_line(bulk(protocol="udp", rate=2.5e9)).endswith(" -u -b 2500000000")


def test_tcp_without_rate_is_unlimited() -> None:
    """TCP is unlimited by itself."""
    assert " -b " not in client_line(FORWARD)


def test_duration_is_whole_seconds() -> None:
    """The duration is the trial's own, as a whole number."""
    assert " -t 7 " in client_line(bulk(max_seconds=7))


def test_ipv6_line() -> None:
    """The address decides the family."""
    assert client_line(FORWARD, IPV6).startswith("iperf3 -c 2001:db8::2 -p 5201 -B 2001:db8::1 -6 ")


def test_client_without_known_address_does_not_bind() -> None:
    """Where the client's address is not known, the kernel chooses it."""
    assert "-B" not in client_line(FORWARD, Endpoint(server_address="192.0.2.2", client_address="", port=5201))


@pytest.mark.parametrize("launch", [GENERATOR.client, GENERATOR.server])
def test_deadline(launch: Build) -> None:
    """Neither end outlives the trial by more than 10 s."""
    assert 17 == launch(bulk(max_seconds=7), IPV4, VERSION).deadline


def test_probe() -> None:
    """Its version is asked from the program itself."""
    assert "run iperf3 --version" == GENERATOR.probe.key


# A complete test


@pytest.mark.parametrize(
    ("rate", "name", "spec"),
    [
        (16735378078.2, "3.12_tcp_1flow.json", FORWARD),
        (17018207784.4, "3.12_tcp_4flow_reverse.json", REVERSE),
        (909282860.1, "3.12_udp_flood.json", UDP),
        (12792996150.3, "3.12-client_3.18-server_tcp.json", FORWARD),
        (23396961915.3, "3.18_tcp_4flow_reverse.json", REVERSE),
        (49987851.3, "3.18_udp_reverse.json", UDP_REVERSE),
        (16719511867.2, "3.21_tcp_1flow.json", FORWARD),
        (35453671731.2, "3.21_tcp_4flow_reverse.json", REVERSE),
        (3313163749.6, "3.21_udp_flood.json", UDP),
    ],
)
def test_total_is_the_receivers(rate: float, name: str, spec: TrialSpec) -> None:
    """The total is what the receiver counted, in every version and direction."""
    assert rate == pytest.approx(client_says(name, spec).total_received, rel=1e-9)


@pytest.mark.parametrize(
    ("version", "name"),
    [("3.12", "3.12_tcp_1flow.json"), ("3.18", "3.18_tcp_1flow.json"), ("3.21+", "3.21_tcp_1flow.json")],
)
def test_version(version: str, name: str) -> None:
    """The client's version is its own word."""
    assert version == client_says(name).client_version


@pytest.mark.parametrize(
    ("count", "name", "spec"),
    [
        (1274, "3.12_tcp_1flow.json", FORWARD),
        (878, "3.12_tcp_4flow_reverse.json", REVERSE),
        (1934, "3.18_tcp_4flow_reverse.json", REVERSE),
        (45, "3.21_tcp_4flow_reverse.json", REVERSE),
        (23533, "3.21_tcp_1flow.json", FORWARD),
    ],
)
def test_retransmits_are_the_senders(count: int, name: str, spec: TrialSpec) -> None:
    """Retransmits are the sender's total, also when the server sent and its output is missing."""
    assert count == client_says(name, spec).retransmits


def test_intervals_of_both_ends() -> None:
    """Sent is the client's series and received the server's, which ends a little later."""
    result = pair("3.12_complete")
    assert (1.000132, 1.005546) == (result.sent[-1].end, result.received[-1].end)


def test_interval_values() -> None:
    """An interval is bytes over its own seconds."""
    last = pair("3.12_complete").sent[-1]
    assert 20867684.8 == pytest.approx(last.throughput)


def test_receiver_intervals_have_no_retransmits() -> None:
    """The receiver does not know retransmits: None, not zero."""
    assert {None} == {interval.retransmits for interval in pair("3.12_complete").received}


def test_reverse_intervals_change_sides() -> None:
    """With -R the client receives."""
    result = pair("3.12_complete_reverse", REVERSE)
    assert 18881542.7 == pytest.approx(result.received[-1].throughput)
    assert 10425599.8 == pytest.approx(result.sent[-1].throughput)


def test_reverse_needs_no_server_output() -> None:
    """With -R the client alone has the receiver's series."""
    assert 2 == len(client_says("3.21_tcp_4flow_reverse.json", REVERSE).received)


def test_four_flows_are_summed() -> None:
    """An interval holds all streams together."""
    assert 35103743767.1 == pytest.approx(
        client_says("3.21_tcp_4flow_reverse.json", REVERSE).received[0].throughput, rel=1e-9
    )


def test_missing_server_output_leaves_received_empty() -> None:
    """The client's own series never stands in for the receiver's."""
    assert () == client_says("3.12_tcp_1flow.json").received


def test_server_document_of_another_version() -> None:
    """A 3.18 server's document gives the receiver's series."""
    outputs = (printed("client", "3.12-client_3.18-server_tcp.json"), printed("server", "3.18_server_tcp.json"))
    result = GENERATOR.read(FORWARD, outputs)
    assert ("3.12", "3.18", 2) == (result.client_version, result.server_version, len(result.received))


def test_mss_is_the_clients() -> None:
    """The server reports an MSS of 0, which means nothing."""
    assert 1448 == pair("3.12_complete").mss


def test_udp_has_no_mss() -> None:
    """UDP has no MSS."""
    assert pair("3.12_complete_udp", UDP).mss is None


@pytest.mark.parametrize(
    ("name", "spec"), [("3.12_complete", FORWARD), ("3.12_complete_reverse", REVERSE), ("3.12_early_stop", FORWARD)]
)
def test_congestion_control_is_the_senders(name: str, spec: TrialSpec) -> None:
    """The congestion control in use at the sender."""
    assert "bbr" == pair(name, spec, stopped="client").congestion_control


def test_cpu_is_a_share_of_one() -> None:
    """Each program's CPU is its own figure, 1.0 for one core."""
    result = pair("3.12_complete_udp", UDP)
    assert 0.0193401421 == pytest.approx(result.client_cpu)
    assert 0.0146079997 == pytest.approx(result.server_cpu)


def test_server_cpu_from_the_client() -> None:
    """Without the server's output its CPU is what it told the client."""
    assert pytest.approx(0.449012590) == client_says("3.12_tcp_1flow.json").server_cpu


@pytest.mark.parametrize(
    ("ratio", "name", "spec"),
    [
        (261152 / 418150, "3.12_udp_flood.json", UDP),
        (0.0, "3.18_udp_reverse.json", UDP_REVERSE),
        (0.0, "3.21_udp_flood.json", UDP),
    ],
)
def test_udp_loss(ratio: float, name: str, spec: TrialSpec) -> None:
    """Loss is the receiver's count over what was sent."""
    assert ratio == client_says(name, spec).lost_ratio


def test_tcp_has_no_loss_ratio() -> None:
    """TCP loss is not the program's to know."""
    assert client_says("3.12_tcp_1flow.json").lost_ratio is None


def test_warnings_are_kept() -> None:
    """What iperf3 warns of on stderr reaches the result, though the test went well."""
    result = client_says("3.18_udp_mtu_too_big.json", UDP)
    expected = "warning: UDP block size 65507 exceeds TCP MSS 1448, may result in fragmentation / drops"
    assert (None, (expected,)) == (result.failure, result.warnings)


def test_words_on_stderr_do_not_spoil_a_document() -> None:
    """With a document, its `error` alone decides; iperf3 also grumbles of what it got over."""
    whole = (FIXTURES / "3.12_complete_client.json").read_bytes()
    output = ProgramOutput(role="client", end=End.NEAR, argv=(), stdout=whole, stderr=b"iperf3: getsockopt - oops\n")
    assert GENERATOR.read(FORWARD, (output,)).failure is None


def test_complete_test_has_no_failure() -> None:
    """A test that ended by itself has neither failure nor message."""
    result = pair("3.12_complete")
    assert (None, "") == (result.failure, result.message)
