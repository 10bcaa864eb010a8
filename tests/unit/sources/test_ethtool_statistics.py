"""The parser of `ethtool -S`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.ethtool import NicCounters
from fullrate.records.leaf import Scope
from fullrate.sources.ethtool_statistics import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("ethtool -S eth3")


def counters(payload: bytes) -> NicCounters:
    """The one fact of a reply."""
    (fact,) = parse(ASKED, payload)
    return fact


def test_counters_of_a_physical_nic() -> None:
    """Names and values are the driver's own."""
    found = counters(recorded("debian12/igb/ethtool_S.txt")).counters
    assert (295842, 17338, 441632579, 6) == (
        found["rx_packets"],
        found["tx_packets"],
        found["rx_bytes"],
        found["rx_short_length_errors"],
    )


@pytest.mark.parametrize("path", ["debian12/igb/ethtool_S.txt", "debian13/virtio_net/ethtool_S.txt"])
def test_every_line_is_a_counter(path: str) -> None:
    """Where no name repeats there are as many counters as lines."""
    payload = recorded(path)
    assert len(payload.splitlines()) - 1 == len(counters(payload).counters)


def test_subject_is_the_link_asked_for() -> None:
    """The text does not name the link."""
    assert "eth3" == counters(recorded("debian12/igb/ethtool_S.txt")).subject


@pytest.mark.parametrize(
    ("generation", "sent", "out_of_buffers"),
    [("debian12", 4956 + 4482 + 4748 + 4674, 523), ("debian13", 4656 + 5322 + 5042 + 5527, 264)],
)
def test_repeated_names_are_summed(generation: str, sent: int, out_of_buffers: int) -> None:
    """The vmxnet3 driver repeats its names a queue: the link's figure is their sum."""
    found = counters(recorded(f"{generation}/vmxnet3/ethtool_S.txt")).counters
    assert (sent, out_of_buffers) == (found["ucast pkts tx"], found["pkts rx OOB"])


def test_queue_headings_are_no_counters() -> None:
    """`Tx Queue#: 3` numbers a queue, it counts nothing."""
    found = counters(recorded("debian12/vmxnet3/ethtool_S.txt")).counters
    assert not [name for name in found if "#" in name]


def test_newer_driver_adds_names() -> None:
    """Names of a newer driver are kept without being known."""
    assert 0 == counters(recorded("debian13/vmxnet3/ethtool_S.txt")).counters["xdp aborted"]


def test_name_may_hold_a_colon() -> None:
    """The bnxt_en driver numbers its rings within the name."""
    found = counters(b"NIC statistics:\n     [0]: rx_ucast_packets: 12\n     [1]: rx_ucast_packets: 7\n")
    assert {"[0]: rx_ucast_packets": 12, "[1]: rx_ucast_packets": 7} == found.counters


def test_grepped_paste_is_read() -> None:
    """Without its title line the answer is read all the same."""
    paste = b"# ethtool -S eth03 | grep -i pause\n     tx_pause_ctrl_phy: 1266552\n     rx_pause_ctrl_phy: 3\n"
    assert {"tx_pause_ctrl_phy": 1266552, "rx_pause_ctrl_phy": 3} == counters(paste).counters


def test_second_command_in_one_paste_is_refused() -> None:
    """Counters of two links are not added up."""
    paste = b"root@c5:~# ethtool -S a | grep x\n  rx: 1\nroot@c5:~# ethtool -S b | grep x\n  rx: 2\n"
    with pytest.raises(FormatError):
        counters(paste)


@pytest.mark.parametrize("words", ["10 s later", "After 10 seconds:", "     rx_foo... no such counter"])
def test_words_between_counters_are_passed_over(words: str) -> None:
    """They belong to the person, not to the driver."""
    assert {"rx_a": 1, "rx_b": 2} == counters(f"     rx_a: 1\n{words}\n     rx_b: 2\n".encode()).counters


def test_words_after_the_counters_are_passed_over() -> None:
    """A sentence stands at the margin, where a cut counter would be indented."""
    assert {"rx_a": 1} == counters(b"     rx_a: 1\n10 s later\n").counters


def test_more_words_than_counters_are_refused() -> None:
    """That is a text about counters."""
    with pytest.raises(FormatError):
        counters(b"I see\nrx_a: 1\nand wonder\n")


def test_rings_are_no_counters() -> None:
    """Another command's numbers are not added up."""
    with pytest.raises(FormatError):
        counters(b"Ring parameters for eth0:\nPre-set maximums:\nRX: 4096\nTX: 4096\nRX: 512\nTX: 512\n")


def test_truncated_text_is_refused() -> None:
    """A line cut within its name is an error."""
    with pytest.raises(FormatError):
        counters(recorded("debian12/igb/ethtool_S.txt")[:1000])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"NIC statistics:\n", b"no stats available\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What holds no counter raises FormatError."""
    with pytest.raises(FormatError):
        counters(payload)


def test_each_link_is_asked() -> None:
    """One request a link under test."""
    assert (query("ethtool", "-S", "eth0"), query("ethtool", "-S", "eth1")) == SOURCE.requests(
        Scope(links=("eth0", "eth1"))
    )


def test_own_request_is_answered_and_no_other() -> None:
    """Only -S is its own."""
    assert [True, False] == [SOURCE.answers(ran(command)) for command in ("ethtool -S eth3", "ethtool -k eth3")]


def test_it_is_read_before_and_after_each_trial() -> None:
    """Counters move, but are not sampled."""
    assert (True, None) == (SOURCE.moving, SOURCE.sampled)
