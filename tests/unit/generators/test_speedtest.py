"""speedtest: what its texts tell."""

import pytest

from fullrate.generators.speedtest import GENERATOR
from fullrate.records.ends import Direction
from fullrate.records.leaf import LaunchedGenerator
from iperf_pasted import names, result, text, told

OOKLA = """
    Download:   934.19 Mbps (data used: 1.1 GB)
                 10.06 ms   (jitter: 0.71ms, low: 2.60ms, high: 16.26ms)
      Upload:   936.02 Mbps (data used: 421.4 MB)
"""
BOTH = [Direction.FAR_TO_NEAR, Direction.NEAR_TO_FAR]


def test_it_is_not_started() -> None:
    """It would load servers of others."""
    assert not isinstance(GENERATOR, LaunchedGenerator)


@pytest.mark.parametrize("said", [*map(text, names("speedtest")), OOKLA])
def test_its_texts_tell_of_both_directions(said: str) -> None:
    """Down comes first; the near end asked."""
    assert GENERATOR.recognizes(said)
    assert BOTH == [told(GENERATOR, run).direction for run in GENERATOR.runs(said)]


@pytest.mark.parametrize(
    ("said", "rates"),
    [(text("cli.txt"), [44.24e6, 0.0]), (text("cli_trimmed.txt"), [0.68e6, 28.98e6]), (OOKLA, [934.19e6, 936.02e6])],
)
def test_rates(said: str, rates: list[float]) -> None:
    """In megabits; none at all is a rate too."""
    assert rates == pytest.approx([result(GENERATOR, run).total_received for run in GENERATOR.runs(said)])


def test_a_rate_in_bytes() -> None:
    """speedtest-cli --bytes."""
    assert 8 * 5.53e6 == pytest.approx(result(GENERATOR, "Download: 5.53 Mbyte/s").total_received)


def test_it_is_weak() -> None:
    """A reader is told."""
    assert "tells little of this link" in result(GENERATOR, OOKLA).warnings[0]


@pytest.mark.parametrize(
    "said", ["", "Download speed was bad", "Download: fast", *(text(name) for name in names("iperf3_text"))]
)
def test_other_texts(said: str) -> None:
    """They are none of its."""
    assert (False, ()) == (GENERATOR.recognizes(said), GENERATOR.runs(said))


def test_nothing_tells_of_no_trial() -> None:
    """Nor of a rate."""
    assert GENERATOR.told("Testing download speed....") is None
