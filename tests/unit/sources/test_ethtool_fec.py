"""The parser of `ethtool --show-fec`, with statistics and without."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.phy import FecCounters, FecMode
from fullrate.records.leaf import Scope
from fullrate.sources.ethtool_fec import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("ethtool -I --show-fec eth0")


def test_old_form_has_the_mode_alone() -> None:
    """A switch port without statistics."""
    assert (FecMode(subject="swp23", configured=("Auto",), active=("Off",)),) == parse(
        ASKED, recorded("phy/ethtool_show_fec_old.txt")
    )


def test_totals_are_read_and_lanes_left() -> None:
    """145 blocks in all, 128 of them on lane 0."""
    mode, counters = parse(ASKED, recorded("phy/ethtool_I_show_fec_lanes.txt"))
    assert FecMode(subject="eth0", configured=("None",), active=("None",)) == mode
    assert FecCounters(subject="eth0", corrected_blocks=256, uncorrectable_blocks=145) == counters


def test_histogram_is_no_hindrance() -> None:
    """Linux 6.18 adds lines that are not read."""
    _, counters = parse(ASKED, recorded("phy/ethtool_I_show_fec_histogram.txt"))
    assert FecCounters(subject="eni8np1", corrected_blocks=123, uncorrectable_blocks=4) == counters


def test_recorded_by_debian_12() -> None:
    """This ethtool prints no statistics, whatever the driver counts."""
    expected = (FecMode(subject="eth10", configured=("None",), active=("None",)),)
    assert expected == parse(ASKED, recorded("debian12/netdevsim/ethtool_I_show_fec.txt"))


def test_recorded_by_debian_13() -> None:
    """With the same command the blocks are there."""
    _, counters = parse(ASKED, recorded("debian13/netdevsim/ethtool_I_show_fec.txt"))
    assert FecCounters(subject="eth10", corrected_blocks=123, uncorrectable_blocks=4) == counters


def test_several_configured_modes_are_kept_in_order() -> None:
    """What is supported and set."""
    text = b"FEC parameters for a:\nSupported/Configured FEC encodings: Auto RS BaseR\nActive FEC encoding: RS\n"
    assert (FecMode(subject="a", configured=("Auto", "RS", "BaseR"), active=("RS",)),) == parse(ASKED, text)


def test_corrected_bits_are_read() -> None:
    """Some drivers count bits."""
    text = b"FEC parameters for a:\nConfigured FEC encodings: RS\nActive FEC encoding: RS\n  corrected_bits: 17\n"
    assert FecCounters(subject="a", corrected_bits=17) == parse(ASKED, text)[1]


@pytest.mark.parametrize("end", [12, 30, 60])
def test_truncated_text_is_refused(end: int) -> None:
    """Cut before the active encoding."""
    with pytest.raises(FormatError):
        parse(ASKED, recorded("phy/ethtool_show_fec_old.txt")[:end])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"FEC parameters for eth0:\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What names no encoding raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_strange_count_is_refused() -> None:
    """A counter that is no number."""
    text = b"FEC parameters for a:\nConfigured FEC encodings: RS\nActive FEC encoding: RS\n  corrected_blocks: many\n"
    with pytest.raises(FormatError, match="many"):
        parse(ASKED, text)


def test_each_link_is_asked_once() -> None:
    """One command brings mode and counters."""
    assert (query("ethtool", "-I", "--show-fec", "eth0"),) == SOURCE.requests(Scope(links=("eth0",)))


def test_both_spellings_are_answered() -> None:
    """A recording may hold the older form."""
    commands = ("ethtool -I --show-fec eth0", "ethtool --show-fec eth0", "ethtool -I -a eth0")
    assert [True, True, False] == [SOURCE.answers(ran(command)) for command in commands]


def test_it_is_read_before_and_after_a_trial() -> None:
    """Blocks are counters."""
    assert SOURCE.moving
