"""The parser of `ethtool -a` and `ethtool -I -a`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.phy import PauseCounters, PauseSettings
from fullrate.records.leaf import Scope
from fullrate.sources.ethtool_pause import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("ethtool -I -a eth5")


@pytest.mark.parametrize("generation", ["debian12", "debian13"])
@pytest.mark.parametrize("name", ["ethtool_a", "ethtool_I_a"])
def test_settings_of_both_generations(generation: str, name: str) -> None:
    """Receive on, transmit off; the driver counts nothing."""
    expected = PauseSettings(subject="eth0", autonegotiate=True, rx=True, tx=False)
    assert (expected,) == parse(ASKED, recorded(f"{generation}/e1000/{name}.txt"))


def test_negotiated_states_are_read() -> None:
    """Newer kernels and drivers say what came of the negotiation."""
    (fact,) = parse(ASKED, recorded("debian13/e1000e/ethtool_I_a.txt"))
    assert (
        PauseSettings(subject="eth5", autonegotiate=True, rx=True, tx=True, rx_negotiated=True, tx_negotiated=True)
        == fact
    )


def test_counters_are_a_fact_of_their_own() -> None:
    """A driver that counts shows both ways."""
    settings, counters = parse(ASKED, recorded("phy/ethtool_I_a_statistics.txt"))
    assert "enp132s0f2" == settings.subject
    assert PauseCounters(subject="enp132s0f2", received=100, sent=0) == counters


def test_counters_recorded_by_debian_13() -> None:
    """Its netdevsim counts, that of Debian 12 does not."""
    _, counters = parse(ASKED, recorded("debian13/netdevsim/ethtool_I_a.txt"))
    assert PauseCounters(subject="eth10", received=1, sent=2) == counters
    assert 1 == len(parse(ASKED, recorded("debian12/netdevsim/ethtool_I_a.txt")))


def test_one_counter_alone_is_read() -> None:
    """The other one is not reported."""
    _, counters = parse(
        ASKED, b"Pause parameters for a:\nAutonegotiate:\toff\nRX:\ton\nTX:\toff\n  tx_pause_frames: 7\n"
    )
    assert PauseCounters(subject="a", received=None, sent=7) == counters


def test_negotiation_wins_over_the_setting() -> None:
    """Asked for, and refused by the partner: no frames are sent."""
    fact = PauseSettings(autonegotiate=True, rx=True, tx=True, rx_negotiated=False, tx_negotiated=False)
    assert fact.sends is False


def test_setting_counts_without_negotiation() -> None:
    """Nothing was negotiated."""
    assert PauseSettings(autonegotiate=False, rx=False, tx=True).sends


@pytest.mark.parametrize("end", [20, 40, 55])
def test_truncated_text_is_refused(end: int) -> None:
    """Settings cut before the last of them are an error."""
    with pytest.raises(FormatError):
        parse(ASKED, recorded("debian12/igb/ethtool_a.txt")[:end])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"Pause parameters for eth0:\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What is not of ethtool -a raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_each_link_is_asked_once() -> None:
    """One command brings settings and counters."""
    assert (query("ethtool", "-I", "-a", "eth0"),) == SOURCE.requests(Scope(links=("eth0",)))


def test_both_spellings_are_answered() -> None:
    """A recording may hold the older form."""
    commands = ("ethtool -I -a eth0", "ethtool -a eth0", "ethtool -A eth0", "ethtool -I --show-fec eth0")
    assert [True, True, False, False] == [SOURCE.answers(ran(command)) for command in commands]


def test_it_is_read_before_and_after_a_trial() -> None:
    """Pause frames are counters."""
    assert SOURCE.moving
