"""Bytes to plain text, and texts without what stands before every line."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullrate.intake.texts import plain, text_of, unquoted, without_prefix


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"Speed: 1000Mb/s\r\n", "Speed: 1000Mb/s\n"),
        ("Speed: 1000Mb/s\n".encode("utf-16"), "Speed: 1000Mb/s\n"),
        (b"\xef\xbb\xbfNIC statistics:\n", "NIC statistics:\n"),
        (b"\xff odd", "\ufffd odd"),
    ],
)
def test_encodings_are_read(data: bytes, text: str) -> None:
    """Windows line ends and marks, UTF-16 of PowerShell, and bytes that are no UTF-8."""
    assert text == text_of(data)


def test_bytes_with_zeros_are_no_text() -> None:
    """A core dump or a picture is not read."""
    assert text_of(b"\x7fELF\0\0\0") is None


@pytest.mark.parametrize(
    ("pasted", "text"),
    [
        ("\x1b[01;32mroot@nas\x1b[00m:~# ls", "root@nas:~# ls"),
        ("\x1b]0;title\x07$ ls", "$ ls"),
        ("a\u00a0b", "a b"),
        ("\u200bSettings", "Settings"),
        ("Link detected: yes &amp; &lt;up&gt; &#x27;x&#39;", "Link detected: yes & <up> 'x'"),
        ("<pre class='x'>Speed: 1Mb/s<br/>Duplex: Full</pre>", "Speed: 1Mb/s\nDuplex: Full\n"),
    ],
)
def test_what_terminals_and_web_pages_add_goes(pasted: str, text: str) -> None:
    """Colours, titles, odd spaces, entities and tags."""
    assert text == plain(pasted)


def test_flags_of_ip_are_no_tags() -> None:
    """Only a web page's own tags are taken out."""
    text = "2: eth0: <BROADCAST,UP> mtu 1500 &lt;x&gt;"
    assert "2: eth0: <BROADCAST,UP> mtu 1500 <x>" == plain(text)


@pytest.mark.parametrize(
    ("pasted", "text"),
    [("> a\n> b", "a\nb"), ("> > a", "a"), (">> a", "a"), (">     rx: 1", "    rx: 1"), ("a > b", "a > b"), (">", "")],
)
def test_quote_marks_go(pasted: str, text: str) -> None:
    """The marks of a reply, however deep, but not the indentation behind them."""
    assert text == unquoted(pasted)


@pytest.mark.parametrize(
    ("pasted", "text"),
    [
        ("1  a\n2  b\n3  c\n", " a\n b\n c"),
        ("1 | a\n2 | b\n3 | c", "a\nb\nc"),
        ("[12:00:01] a\n[12:00:01] b\n[12:00:02] c", "a\nb\nc"),
        ("2024-05-01T12:00:01.5Z a\n2024-05-01T12:00:02 b\n2024-05-01 12:00:03 c", "a\nb\nc"),
        ("Nov  3 12:00:01 a\nNov  3 12:00:01 b\nNov 13 12:00:02 c", "a\nb\nc"),
    ],
)
def test_numbers_and_times_before_every_line_go(pasted: str, text: str) -> None:
    """Line numbers of a listing, times of a terminal's log."""
    assert text == without_prefix(pasted)


@pytest.mark.parametrize(
    "text",
    [
        " 26:  1 0\n 27:  5 0\n 28:  6 0",  # interrupts
        "1: lo: <UP>\n2: eth0: <UP>\n3: eth1: <UP>",
        "Nov  3 12:00:01 nas kernel: a\nNov  3 12:00:01 nas kernel: b\nNov  3 12:00:01 nas kernel: c",
        "1 a\n2 b",
        "2 a\n3 b\n4 c",
        "12:00:01 a\nno time\n12:00:02 b",
    ],
)
def test_what_is_no_prefix_stays(text: str) -> None:
    """Numbers of interrupts and links, a kernel's log, too few lines, or not all of them."""
    assert without_prefix(text) is None


@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    """No text is an error, and what was made plain stays as it is."""
    without_prefix(text)
    assert "\r" not in plain(text)


def test_blank_lines_below_a_listing_are_no_lines_of_it() -> None:
    """However many there are: each is looked at once."""
    begun = time.process_time()
    assert "a\nb\nc" == without_prefix("1 a\n2 b\n3 c" + "\n" * 50_000)
    assert time.process_time() - begun < 1
