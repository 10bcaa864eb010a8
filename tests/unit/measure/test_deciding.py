"""The rule that ends a trial early, as a trial applies it to the receiver's series."""

from collections.abc import Sequence

import pytest

from fullrate.measure.reading import decided, floor_for
from fullrate.records.trial import Sample
from fullrate.records.units import BitsPerSecond, Seconds
from trial_fakes import FULL


def at_rates(rates: Sequence[float]) -> tuple[Sample, ...]:
    """Samples of these rates, 0.1 s each."""
    return tuple(Sample(at=(number + 1) / 10, seconds=0.1, throughput=rate) for number, rate in enumerate(rates))


def wobbling(rate: BitsPerSecond, seconds: Seconds, by: float = 0.01) -> tuple[Sample, ...]:
    """Samples about a rate, `by` of it up and down."""
    return at_rates([rate * (1 + by * ((number * 7) % 5 - 2) / 2) for number in range(round(seconds * 10))])


@pytest.mark.parametrize(("names", "floor"), [(("bbr",), 10.0), (("cubic", "bbr2"), 10.0), (("reno", None), 3.0)])
def test_the_floor_follows_the_algorithm(names: tuple[str | None, ...], floor: Seconds) -> None:
    """Any bbr among the sender's sockets asks for its ten seconds."""
    assert floor == floor_for(names)


def test_no_algorithm_known_means_the_usual_floor() -> None:
    """An unknown algorithm is not waited for."""
    assert 3.0 == floor_for(())


@pytest.mark.parametrize("bar", [0.5 * FULL, 1.5 * FULL])
def test_a_rate_clear_of_the_bar_is_decided(bar: BitsPerSecond) -> None:
    """On either side."""
    assert decided(wobbling(FULL, 5), bar, elapsed=5.5)


def test_a_rate_at_the_bar_is_decided_when_settled() -> None:
    """Where the side stays open, an estimate good to 2 % is the answer."""
    assert decided(wobbling(FULL, 12), FULL, elapsed=12.5)


def test_a_wild_rate_at_the_bar_is_not_decided() -> None:
    """Neither the side nor the estimate is known."""
    swings = at_rates([FULL * (1 + number // 15 % 2) for number in range(60)])
    assert not decided(swings, 1.5 * FULL, elapsed=6.5)


def test_a_short_series_is_not_decided() -> None:
    """Before 3 s nothing is, however clear it looks."""
    assert not decided(wobbling(FULL, 2.9), 0.1 * FULL, elapsed=3.5)


def test_the_floor_of_bbr_holds_the_decision_back() -> None:
    """The same series is not decided before its floor."""
    series = wobbling(FULL, 9)
    assert (True, False) == tuple(decided(series, 0.5 * FULL, elapsed=9.5, floor=floor) for floor in (3.0, 10.0))


@pytest.mark.parametrize("bar", [None, FULL])
@pytest.mark.parametrize(("elapsed", "ends"), [(4.9, False), (5.0, True)])
def test_silence_is_an_answer_after_five_seconds(bar: BitsPerSecond | None, elapsed: Seconds, *, ends: bool) -> None:
    """Not before, with a bar or without."""
    assert ends is decided(at_rates([0.0] * round(elapsed * 10)), bar, elapsed=elapsed)


def test_no_sample_at_all_is_silence() -> None:
    """A link that counts nothing is not waited for either."""
    assert (False, True) == tuple(decided((), None, elapsed=elapsed) for elapsed in (4.0, 5.0))


def test_silence_after_a_flow_is_an_answer_too() -> None:
    """Its last five seconds count."""
    swings = [FULL * (1 + number // 15 % 2) for number in range(60)]
    assert decided(at_rates(swings + [0.0] * 50), None, elapsed=11.5)
