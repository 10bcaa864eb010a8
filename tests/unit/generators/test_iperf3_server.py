"""What a server that is not ours told its client."""

import json
from dataclasses import replace

import pytest

from fullrate.generators._iperf3_document import Document
from fullrate.generators._iperf3_report import Report, read_report
from fullrate.generators._iperf3_server import told
from fullrate.generators.iperf3 import GENERATOR
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Endpoint
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure, TrialSpec
from iperf3_recorded import FORWARD, REVERSE, client_says, printed

WHERE = Endpoint(server_address="192.0.2.2", client_address="192.0.2.1", port=5201, server_output=True)
VERSION = ProgramVersion(subject="iperf3", version="3.12")
HEAD = "[ ID] Interval           Transfer     Bitrate\n"
LINE = "[  5]   0.00-1.00   sec  1.10 GBytes  9.41 Gbits/sec                  \n"


def client(name: str) -> Report:
    """The client's report."""
    return read_report(printed("client", name))


def said(text: str) -> Report | None:
    """The report of a server that printed this text."""
    return told(Report(document=Document(server_output_text=text)))


def argv(spec: TrialSpec, where: Endpoint = WHERE) -> tuple[str, ...]:
    """The client's command line."""
    return GENERATOR.client(spec, where, VERSION).argv


def test_a_servers_document_is_read_as_its_report() -> None:
    """With -J it sends all of it: ten intervals of what it received, and its version."""
    report = told(client("3.12_server_output_json.json"))
    assert report is not None
    assert (10, "iperf 3.12") == (len(report.intervals), report.document.start.version)
    assert 52.4e6 == pytest.approx(report.intervals[0].throughput, rel=0.001)


def test_a_servers_text_is_read_as_intervals() -> None:
    """Without -J it sends what it printed; the total is none of them."""
    report = told(client("3.12_server_output_text.json"))
    assert report is not None
    assert [(0.0, 0.1), (0.1, 0.2)] == [(one.start, one.end) for one in report.intervals[:2]]
    assert 52.4e6 == pytest.approx(report.intervals[0].throughput)
    assert 10 == len(report.intervals)


def test_a_server_has_intervals_of_its_own() -> None:
    """Of a second, unless it was started with another."""
    report = told(client("3.12_server_output_text_1s.json"))
    assert report is not None
    assert [50.3e6, 50.3e6] == [pytest.approx(one.throughput) for one in report.intervals]


def test_several_flows_are_taken_together() -> None:
    """The lines of the sum, not those of its parts."""
    report = told(client("3.12_server_output_text_2flow.json"))
    assert report is not None
    assert [50.3e6, 50.3e6] == [pytest.approx(one.throughput) for one in report.intervals]


def test_after_an_early_stop_it_has_told_nothing() -> None:
    """The client leaves before the server could."""
    assert told(client("3.12_server_output_early_stop.json")) is None


def test_a_client_that_did_not_ask_was_told_nothing() -> None:
    """Its document has neither."""
    assert told(client("3.12_complete_client.json")) is None


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        ("9.41 Gbits/sec", 9.41e9),
        ("941 Mbits/sec", 941e6),
        ("12.5 Kbits/sec", 12.5e3),
        ("0.00 bits/sec", 0.0),
        ("1.00 Tbits/sec", 1e12),
        ("1.12 GBytes/sec", 1.12 * 8 * 1024**3),
    ],
)
def test_units_of_a_rate(rate: str, expected: float) -> None:
    """Bits in powers of 1000, bytes (-f G) of 1024; a second without payload is one too."""
    report = said(f"{HEAD}[  5]   0.00-1.00   sec  1.10 GBytes  {rate}\n")
    assert report is not None
    assert [expected] == [pytest.approx(one.throughput) for one in report.intervals]


@pytest.mark.parametrize(
    "text",
    [
        "",
        HEAD,
        "[  5] local 192.0.2.2 port 5201 connected to 192.0.2.1 port 37973\n",
        LINE.rstrip() + "                  receiver\n",
        LINE.replace("0.00-1.00", "-"),
        LINE.replace("9.41", "many"),
        "\x1b[2J",
    ],
)
def test_a_text_without_intervals_tells_nothing(text: str) -> None:
    """Headers and totals are left out."""
    assert said(text) is None


@pytest.mark.parametrize("own", [b"null", b"7", b'{"intervals": 3}', b'{"start": []}'])
def test_a_strange_document_of_a_server_costs_only_itself(own: bytes) -> None:
    """What somebody's server sends must not hide what our client saw."""
    document = json.loads(printed("client", "3.12_complete_client.json").stdout)
    output = replace(
        printed("client", "3.12_complete_client.json"),
        stdout=json.dumps({**document, "server_output_json": json.loads(own)}).encode(),
    )
    report = read_report(output)
    assert report.steps
    assert told(report) is None


def test_the_receivers_intervals_are_the_servers() -> None:
    """Forward the server receives; the client's own are what it sent."""
    result = client_says("3.12_server_output_json.json")
    assert (10, 10, "3.12") == (len(result.received), len(result.sent), result.server_version)
    assert result.failure is None


def test_the_clients_document_holds_the_receivers_sum() -> None:
    """Both ends exchange results at the end of a whole test."""
    assert 50.3e6 == pytest.approx(client_says("3.12_server_output_text.json").total_received, rel=0.001)


def test_what_our_own_server_printed_is_used_where_nothing_was_told() -> None:
    """As it always was."""
    outputs = (printed("client", "3.12_complete_client.json"), printed("server", "3.12_complete_server.json"))
    assert GENERATOR.read(FORWARD, outputs).received
    assert not GENERATOR.read(FORWARD, outputs[:1]).received


def test_a_client_asks_a_server_that_is_not_ours() -> None:
    """By one option; of our own server the output is there anyway."""
    assert "--get-server-output" in argv(FORWARD)
    assert "--get-server-output" not in argv(FORWARD, replace(WHERE, server_output=False))


def test_in_reverse_the_client_is_the_receiver() -> None:
    """Then the server has nothing to add."""
    assert "--get-server-output" not in argv(REVERSE)


def test_a_build_that_cannot_ask_says_so() -> None:
    """As it says it of every option it does not know."""
    words = b"iperf3: unrecognized option '--get-server-output'\nUsage: iperf3 [-s|-c host] [options]\n"
    output = ProgramOutput(role="client", end=printed("client", "x").end, argv=("iperf3",), stderr=words, exit_code=1)
    assert EngineFailure.OPTION is GENERATOR.read(FORWARD, (output,)).failure


def test_the_servers_own_document_is_read_apart() -> None:
    """The client's is read whatever form it has."""
    document = client("3.12_server_output_json.json").document
    assert {"start", "intervals", "end"} == set(document.server_output_json)
