"""What the parsers of tc share."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.sources._tc import Block, Statistics, bits, blocks, rate, size, statistics


@pytest.mark.parametrize(
    ("word", "expected"), [("0b", 0), ("60564b", 60564), ("32Kb", 32768), ("256Mb", 268435456), ("1.5Kb", 1536)]
)
def test_sizes(word: str, expected: int) -> None:
    """Sizes are printed by powers of 1024."""
    assert expected == size(word)


@pytest.mark.parametrize("word", ["", "b", "12Xb", "many"])
def test_other_words_are_no_sizes(word: str) -> None:
    """A word in another unit is refused."""
    with pytest.raises(FormatError):
        size(word)


@pytest.mark.parametrize(
    ("text", "expected"),
    [(" rate 831Kbit ", 831e3), (" rate 20Mbit", 20e6), (" rate 10Gbit x", 10e9), (" rate 512bit", 512.0)],
)
def test_rates(text: str, expected: float) -> None:
    """Rates are printed by powers of 1000."""
    assert expected == rate(text, "rate")


@pytest.mark.parametrize("text", ["", " bandwidth unlimited", " low_rate_threshold 550Kbit", " peakrate 5Mbit"])
def test_other_words_are_no_rates(text: str) -> None:
    """Neither a word without figure nor the rate of something else is taken."""
    assert rate(text, "rate", "bandwidth") is None


@pytest.mark.parametrize(
    ("value", "expected"), [(125000, 1e6), (0, 0.0), ("unlimited", None), (None, None), (True, None)]
)
def test_bytes_become_bits(value: object, expected: float | None) -> None:
    """JSON's bytes per second are converted; words are no rate."""
    assert expected == bits(value)


def test_blocks_are_split_at_their_first_lines() -> None:
    """A block goes on until the next begins."""
    text = b"qdisc mq 0: root \n Sent 1 bytes\nqdisc fq 1: parent :1 \n"
    assert [("qdisc mq 0: root", " Sent 1 bytes"), ("qdisc fq 1: parent :1", "")] == [
        (block.head, block.below) for block in blocks(text, "qdisc")
    ]


def test_statistics_with_an_estimator_line() -> None:
    """Older tools print the estimated rate before the backlog; it is not the backlog."""
    below = (
        " Sent 7 bytes 6 pkt (dropped 5, overlimits 4 requeues 3)\n rate 0bit 0pps backlog 2b 1p requeues 3\n"
        "  backlog      9b"
    )
    expected = Statistics(sent_bytes=7, sent_packets=6, dropped=5, overlimits=4, requeues=3, backlog=2)
    assert expected == statistics(Block(head="qdisc", below=below))


def test_statistics_may_be_left_out() -> None:
    """Without -s there is nothing below the first line."""
    assert Statistics() == statistics(Block(head="qdisc", below=""))


def test_statistics_cut_short_are_refused() -> None:
    """Half a line of counters is not zero."""
    with pytest.raises(FormatError):
        statistics(Block(head="qdisc", below=" Sent 96269"))
