"""The parser of `vcgencmd get_throttled`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import FirmwareThrottling
from fullrate.sources.vcgencmd import SOURCE
from tool_output import GARBAGE, ran
from unit.sources.pasted import ASKED, claimants

HOT = b"$ sudo vcgencmd get_throttled\nthrottled=0x80000\n"


def test_the_bits_are_read() -> None:
    """As a whole."""
    assert (FirmwareThrottling(bits=0x80000),) == SOURCE.parse(ASKED, HOT)


@pytest.mark.parametrize(
    ("bits", "now", "ever"),
    [
        (0x0, False, False),
        (0x80008, True, True),
        (0x80000, False, True),
        (0x20002, True, True),
        (0x50005, False, False),
    ],
)
def test_heat_is_told_from_low_voltage(bits: int, now: bool, ever: bool) -> None:  # noqa: FBT001 - columns of the table
    """Both cap the clock; only the soft limit is of heat alone."""
    said = FirmwareThrottling(bits=bits)
    assert (now, ever) == (said.heat(now=True), said.heat(now=False))


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"temp=48.3'C\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """Another question of the same program too."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)


def test_it_alone_claims_its_text() -> None:
    """With and without its command."""
    assert ["vcgencmd"] == claimants(HOT)


def test_answers_its_command() -> None:
    """And no other of the same program."""
    assert SOURCE.answers(ran("vcgencmd get_throttled"))
    assert not SOURCE.answers(ran("vcgencmd measure_temp"))
