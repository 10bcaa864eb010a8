"""Which trials a pasted output of iperf3 tells of, and what it says: text, documents, streams of events."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullrate.generators.iperf3 import GENERATOR
from fullrate.records.ends import Direction, End
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure, EngineResult
from iperf3_recorded import FORWARD, REVERSE
from iperf_pasted import names, result, text, told

TEXTS = names("iperf3_text")


def said(name: str, run: int = 0) -> EngineResult:
    """What one run of a fixture says."""
    return result(GENERATOR, GENERATOR.runs(text(name))[run])


@pytest.mark.parametrize("name", TEXTS)
def test_its_outputs_are_recognised(name: str) -> None:
    """All of them, and each tells of a trial."""
    assert (True, True) == (GENERATOR.recognizes(text(name)), bool(GENERATOR.runs(text(name))))


@pytest.mark.parametrize("name", names("iperf_text"))
def test_texts_of_iperf_2_are_not(name: str) -> None:
    """They are another program's."""
    assert not GENERATOR.recognizes(text(name))


@pytest.mark.parametrize(
    ("name", "protocol", "streams", "rate", "seconds"),
    [
        ("macos.txt", "tcp", 1, None, 10),
        ("3.12_tcp_omit_2flow.txt", "tcp", 2, None, 3),
        ("old_udp_total.txt", "udp", 1, 50e6, 10),
        ("old_totals_4flow.txt", "tcp", 4, None, 10),
        ("old_4flow_trimmed.txt", "tcp", 4, None, 2),
        ("3.12_bidir.json", "tcp", 1, 20e6, 2),
        ("3.18_stream.ndjson", "tcp", 1, None, 1),
        ("3.12_udp_verbose_reverse.txt", "udp", 1, None, 2),
    ],
)
def test_the_trial(name: str, protocol: str, streams: int, rate: float | None, seconds: int) -> None:
    """By the command, the set-up or the rows, whichever is there."""
    spec = told(GENERATOR, text(name))
    assert (protocol, streams, rate, seconds) == (spec.protocol, spec.streams, spec.rate, spec.max_seconds)


def test_udp_without_a_rate_sends_a_megabit() -> None:
    """Its default, of each stream."""
    row = "[SUM]   0.00-5.00   sec  1.25 MBytes  2.10 Mbits/sec  0.031 ms  0/4316 (0%)  receiver\n"
    assert 2 * 1024 * 1024 == told(GENERATOR, "$ iperf3 -c nas -u -P 2\n" + row).rate


def test_udp_without_a_limit() -> None:
    """-b 0 is no rate."""
    row = "[  5]   0.00-5.00   sec  1.25 GBytes  2.10 Gbits/sec  0.031 ms  0/4316 (0%)  receiver\n"
    assert told(GENERATOR, "$ iperf3 -c nas -u -b 0\n" + row).rate is None


@pytest.mark.parametrize(
    ("name", "directions"),
    [
        ("macos.txt", [Direction.NEAR_TO_FAR]),
        ("3.12_verbose_reverse.txt", [Direction.FAR_TO_NEAR]),
        ("reverse_totals.txt", [Direction.FAR_TO_NEAR]),
        ("old_server.txt", [Direction.NEAR_TO_FAR]),
        ("3.12_bidir.txt", [Direction.NEAR_TO_FAR, Direction.FAR_TO_NEAR]),
        ("3.12_bidir.json", [Direction.NEAR_TO_FAR, Direction.FAR_TO_NEAR]),
        ("3.18_stream.ndjson", [Direction.NEAR_TO_FAR]),
    ],
)
def test_who_sends(name: str, directions: list[Direction]) -> None:
    """The client, but with -R; of both directions at once each is a run."""
    assert directions == [told(GENERATOR, run).direction for run in GENERATOR.runs(text(name))]


def test_columns_tell_who_sends() -> None:
    """A client that counts no retransmits while its server does is the receiver."""
    rows = text("3.12_verbose_reverse.txt").partition("[ ID]")[2]
    assert Direction.FAR_TO_NEAR is told(GENERATOR, rows).direction


def test_a_servers_columns_tell_who_sends() -> None:
    """One that counts retransmits sends."""
    runs = GENERATOR.runs(text("3.12_server.txt"))
    assert (Direction.FAR_TO_NEAR, 2) == (told(GENERATOR, runs[-1]).direction, len(result(GENERATOR, runs[-1]).sent))


def test_a_clients_intervals() -> None:
    """What was omitted is left out; each has its window."""
    found = said("3.12_tcp_omit_2flow.txt")
    assert [24.1e9, 29.9e9, 26.1e9] == [one.throughput for one in found.sent]
    assert (22095, (450 + 368) * 1024) == (found.sent[0].retransmits, found.sent[0].cwnd)


def test_totals_of_both_ends() -> None:
    """The client knows both."""
    found = said("3.12_tcp_omit_2flow.txt")
    assert (26.7e9, 26.7e9, 98929, 3.0) == (found.total_sent, found.total_received, found.retransmits, found.seconds)


def test_a_round_trip_of_macos() -> None:
    """In seconds."""
    assert 0.021 == said("macos.txt").sent[0].rtt


def test_a_servers_text_is_the_receivers() -> None:
    """Its zero for what the client sent is no figure."""
    found = said("old_server.txt")
    assert (0, 11, None, 900e6) == (len(found.sent), len(found.received), found.total_sent, found.total_received)


def test_a_servers_udp() -> None:
    """Lost and jitter hold, its rate of zero does not; its total's jitter is that of the last 40 ms, 4.247 ms."""
    found = said("old_server_udp.txt")
    assert found.total_received is None
    assert (478 / 137900, 0.057e-3) == pytest.approx((found.lost_ratio, found.jitter))


def test_udp_of_a_client() -> None:
    """What arrived is the receiver's row."""
    found = said("two_tails_udp.txt", 1)
    assert (30e6, 19.5e6, 4432 / 12945) == pytest.approx((found.total_sent, found.total_received, found.lost_ratio))


def test_old_udp_says_what_was_sent_and_lost() -> None:
    """What arrived follows."""
    found = said("old_udp_total.txt")
    assert (49.5e6, 49.5e6 * (1 - 8274 / 15114)) == pytest.approx((found.total_sent, found.total_received))


def test_the_cpu_of_both_programs() -> None:
    """As shares of one."""
    found = said("old_udp_total.txt")
    assert (0.019, 0.001) == pytest.approx((found.client_cpu, found.server_cpu))


def test_the_set_up() -> None:
    """-V tells more."""
    found = said("3.12_verbose_reverse.txt")
    assert ("3.12", "bbr", 32768, "127.0.0.1") == (
        found.client_version,
        found.congestion_control,
        found.mss,
        found.client_address,
    )


def test_the_age_of_a_text() -> None:
    """Bandwidth was the word before 3.2."""
    assert ("3.2", None) == (said("old_server.txt").older_than, said("macos.txt").older_than)


def test_the_addresses() -> None:
    """The client's and the server's, whoever printed them."""
    found = [said(name) for name in ("macos.txt", "old_server.txt")]
    assert [("192.0.2.142", "192.0.2.63"), ("198.51.100.4", "198.51.100.8")] == [
        (one.client_address, one.server_address) for one in found
    ]


def test_a_foreign_client() -> None:
    """No test ran, and why in the server's words."""
    found = said("server_foreign_client.txt")
    assert (EngineFailure.OTHER, True) == (found.failure, "unable to receive parameters" in found.message)


def test_what_somebody_stopped() -> None:
    """The totals are wrong then, the intervals hold."""
    found = said("stopped.txt")
    assert (EngineFailure.INTERRUPTED, None, 10) == (found.failure, found.total_received, len(found.sent))


def test_a_stream_of_events() -> None:
    """One interval each; it was cut off before its end."""
    found = said("3.18_stream.ndjson")
    assert 2 == len(found.sent)
    assert 14.75e9 == pytest.approx(found.sent[0].throughput, rel=0.001)


def test_a_document_in_a_paste() -> None:
    """Prompts before and after it do no harm."""
    pasted = "$ iperf3 -c nas -J\n" + text("3.12_bidir.json") + "\n$ \n"
    assert said("3.12_bidir.json") == result(GENERATOR, GENERATOR.runs(pasted)[0])


def test_the_way_back_of_a_document() -> None:
    """What the server sent is counted by the client."""
    found = said("3.12_bidir.json", 1)
    assert (0, 2) == (len(found.sent), len(found.received))


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_cut_off_at_any_line(name: str) -> None:
    """Whatever is left is read, or tells of no trial."""
    lines = text(name).splitlines(keepends=True)
    for count in range(0, len(lines), 1 if len(lines) < 60 else 7):
        for run in GENERATOR.runs("".join(lines[:count])):
            assert "iperf3" == result(GENERATOR, run).program


@settings(max_examples=30, deadline=None)
@given(st.text() | st.lists(st.sampled_from("".join(map(text, TEXTS)).splitlines()), max_size=8).map("\n".join))
def test_any_text(pasted: str) -> None:
    """None of it is an error."""
    assert isinstance(GENERATOR.recognizes(pasted), bool)
    for run in GENERATOR.runs(pasted):
        output = ProgramOutput(role="client", end=End.NEAR, argv=(), stdout=run.encode(errors="replace"))
        assert "iperf3" == GENERATOR.read(REVERSE if "R" in run else FORWARD, (output,)).program


@pytest.mark.parametrize(
    "unit", ["[", "[  5]", " ", "iperf3 -c ", "a local b port 1 connected to ", "[  5]   0.00-1.00   sec  "]
)
def test_a_long_line_takes_no_longer_than_its_length(unit: str) -> None:
    """Twice the text takes some twice the time, not four times."""

    def seconds(count: int) -> float:
        pasted, started = unit * count, time.process_time()
        GENERATOR.runs(pasted)
        return time.process_time() - started

    seconds(10)
    assert seconds(4000) < 20 * max(seconds(1000), 0.002)


@pytest.mark.parametrize(("command", "size"), [("-u -b 0 -l 20k", 20 * 1024), ("-u -b 0", None), ("-l 20k", None)])
def test_a_datagrams_size_is_what_its_command_says(command: str, size: int | None) -> None:
    """Of TCP it is no datagram's."""
    head = "Total Datagrams" if "-u" in command else "Retr  Cwnd"
    row = "1839" if "-u" in command else "0   400 KBytes"
    lines = f"[ ID] Interval  Transfer  Bitrate  {head}\n[  5]   0.00-1.00   sec  35.9 MBytes   301 Mbits/sec  {row}\n"
    assert size == told(GENERATOR, f"$ iperf3 -c 192.0.2.1 {command}\n{lines}").datagram
