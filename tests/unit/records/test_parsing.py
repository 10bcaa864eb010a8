"""The small steps of the evidence parsers."""

import math
import shlex

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.parsing import (
    bit_rate,
    cpu_list,
    decimal,
    hexadecimal,
    named_columns,
    shell_words,
    version_numbers,
    whole,
    whole_words,
    wholes,
)


@pytest.mark.parametrize(("word", "number"), [("0", 0), ("007", 7), ("-1", -1), ("4294967296", 4294967296)])
def test_whole(word: str, number: int) -> None:
    """Decimal digits with an optional minus are a number."""
    assert number == whole(word)


@pytest.mark.parametrize(
    "word", ["", "-", "1_000", "+5", " 7", "0x10", "1.5", "n/a", "\u0663", "--1", "9" * 5000, str(2**64)]
)
def test_whole_refuses(word: str) -> None:
    """What the kernel never prints as a number is none, nor one that is larger than all of its own."""
    with pytest.raises(FormatError):
        whole(word)


def test_wholes() -> None:
    """Every word becomes a number, in order."""
    assert (3, 1, 2) == wholes(["3", "1", "2"])


def test_decimal() -> None:
    """A number with a point is read."""
    assert 5.853 == decimal("5.853")


@pytest.mark.parametrize("word", ["Unknown!", "nan", "inf", "1e5", "1_0", "", ".", "9" * 400, "1,5"])
def test_decimal_refuses(word: str) -> None:
    """A word is no number, nor what only Python takes for one."""
    with pytest.raises(FormatError, match="is not a number"):
        decimal(word)


def test_no_light_is_a_number() -> None:
    """`ethtool -m` prints the logarithm of 0 mW as -inf dBm."""
    assert -math.inf == decimal("-inf")


def test_hexadecimal() -> None:
    """As the kernel prints it, with zeros in front."""
    assert 201 == hexadecimal("000000c9")


@pytest.mark.parametrize("word", ["", "0xc9", "C9", "c 9", "-1", "f" * 17])
def test_hexadecimal_refuses(word: str) -> None:
    """No prefix, no capitals, no more than 64 bits."""
    with pytest.raises(FormatError):
        hexadecimal(word)


def test_bit_rate() -> None:
    """As tc and ss print it."""
    assert 5e7 == bit_rate("50Mbit")


@pytest.mark.parametrize("word", ["50MYbit", "", "0bit", "9" * 400 + "bit"])
def test_bit_rate_refuses(word: str) -> None:
    """What is no rate is no text of the tool."""
    with pytest.raises(FormatError):
        bit_rate(word)


def test_numbers_among_words() -> None:
    """Other words are passed over, and what only looks like a number."""
    assert (4096, -1, 6291456) == whole_words("4096 bbr -1 \u00b2 --2 6291456 " + "9" * 5000)


@pytest.mark.parametrize(
    ("version", "numbers"),
    [("3.12", (3, 12)), ("3.17.1+", (3, 17)), ("3", ()), ("3.x", ()), ("3." + "9" * 5000, ())],
)
def test_version_numbers(version: str, numbers: tuple[int, ...]) -> None:
    """The first two, or none."""
    assert numbers == version_numbers(version)


@pytest.mark.parametrize(
    "text", ["", " \t", "ip -s  link\r\n", "a\x0bb\x0cc\xa0d\u2028e #f", "printf 'a b' \"c'\" ''", r"a\ b \'c"]
)
def test_shell_words(text: str) -> None:
    """With quotes or without, they are what shlex.split says."""
    assert tuple(shlex.split(text)) == shell_words(text)


@pytest.mark.parametrize("text", ["don't", 'say "so', "end\\"])
def test_shell_words_of_an_open_quote(text: str) -> None:
    """There are none, as with shlex.split."""
    with pytest.raises(ValueError, match=r"^No (closing quotation|escaped character)$"):
        shell_words(text)


@pytest.mark.parametrize(
    ("text", "cpus"),
    [("0", (0,)), ("0-3", (0, 1, 2, 3)), ("1,5-6,9\n", (1, 5, 6, 9)), ("", ()), ("\n", ())],
)
def test_cpu_list(text: str, cpus: tuple[int, ...]) -> None:
    """Single CPUs, spans and holes are spelled out; nothing is no CPU."""
    assert cpus == cpu_list(text)


@pytest.mark.parametrize("text", ["a", "3-1", "-", "-2", "1 2", "0-99999999999", "0-65535,65536"])
def test_cpu_list_refuses(text: str) -> None:
    """Masks, empty spans and lists longer than any machine are no CPU list."""
    with pytest.raises(FormatError):
        cpu_list(text)


def test_named_columns() -> None:
    """Names get their protocol in front; lines pair up."""
    lines = ["Tcp: A B", "Tcp: 1 -2", "Udp: A", "Udp: 3"]
    assert {"TcpA": 1, "TcpB": -2, "UdpA": 3} == named_columns(lines)


@pytest.mark.parametrize(
    "lines",
    [[], ["Tcp: A"], ["Tcp: A B", "Tcp: 1"], ["Tcp: A", "Udp: 1"], ["Tcp: A", "Tcp: x"], ["Tcp A", "Tcp 1"]],
)
def test_named_columns_refuses(lines: list[str]) -> None:
    """Lines that do not pair, differ in length or protocol, hold no numbers or no protocol lack the form."""
    with pytest.raises(FormatError):
        named_columns(lines)
