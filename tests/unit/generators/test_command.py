"""The command line of iperf or iperf3 as somebody typed it."""

import pytest

from fullrate.generators._command import Command, command_of


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("$ iperf3 -c 192.0.2.2", Command(program="iperf3")),
        ("root@a:~# iperf3 -c nas -u -b 1G/10 -P4", Command(program="iperf3", udp=True, rate=1e9, streams=4)),
        ("iperf3 --client nas --time=30 --reverse", Command(program="iperf3", seconds=30, reverse=True)),
        ("iperf3 -uc nas -b0 -l 1472", Command(program="iperf3", udp=True, rate=0.0, length=1472)),
        ("# iperf3 -A 8,8 -c nas -Z -P 4", Command(program="iperf3", streams=4)),
        (
            "iperf -c nas -w 416k -l 4M -P 16 -t 30",
            Command(program="iperf", window=416 * 1024, length=4 * 1024**2, streams=16, seconds=30),
        ),
        ("iperf3 -s -p 5202 -D", Command(program="iperf3", serves=True)),
        ("@air ~  # iperf3-darwin -c nas", Command(program="iperf3")),
        ("iperf3.exe -c nas -t 5 | tail -n 4", Command(program="iperf3", seconds=5)),
        ("iperf3 -c nas -b fast -P many", Command(program="iperf3")),
    ],
)  # fmt: skip
def test_a_command(line: str, expected: Command) -> None:
    """Short and long options, joined or apart; what is no number is not known."""
    assert expected == command_of(line)


@pytest.mark.parametrize(
    "text", ["", "iperf3", "iperf3 --version", "iperf3: error - no route", "we ran iperf3 for hours", "iperf Done."]
)
def test_no_command(text: str) -> None:
    """Neither a client nor a server is started."""
    assert command_of(text) is None


def test_the_first_command_counts() -> None:
    """Of several in one text."""
    assert Command(program="iperf3", streams=2) == command_of(
        "apt install iperf3\niperf3 -c a -P 2\niperf3 -c a -P 8\n"
    )
