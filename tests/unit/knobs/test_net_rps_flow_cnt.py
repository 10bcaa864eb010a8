"""The knob net.rps_flow_cnt."""

import pytest

from fullrate.knobs.net_rps_flow_cnt import KNOB
from fullrate.records.evidence import ReadFile, WriteFile
from unit.knobs.machine import read, refused, setting

FILE = "/sys/class/net/eth3/queues/rx-0/rps_flow_cnt"
QUEUE = setting("net.rps_flow_cnt", "4096", "eth3/rx-0")


def test_it_is_read_and_written() -> None:
    """A number in a file."""
    assert ReadFile(path=FILE) == KNOB.reading(QUEUE).request
    assert "4096" == read(KNOB, QUEUE, "4096\n")
    writing = KNOB.write(QUEUE, {})
    assert (WriteFile(path=FILE, content="4096"), "4096") == (writing.action, writing.expect)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("0", ""),
        ("1", ""),
        ("32768", ""),
        ("3", "net.rps_flow_cnt is a power of two or 0: the kernel would make 4 of 3"),
        ("4097", "net.rps_flow_cnt is a power of two or 0: the kernel would make 8192 of 4097"),
        ("33554432", "net.rps_flow_cnt of eth3/rx-0 can be 0 to 16777216, not 33554432"),
        ("-1", "net.rps_flow_cnt takes a whole number, not '-1'"),
    ],
)
def test_limits(value: str, reason: str) -> None:
    """The kernel rounds up and does not say so."""
    assert reason == refused(KNOB, setting("net.rps_flow_cnt", value, "eth3/rx-0"), {})
