"""A trial by its program's own figures, where there is nothing of any kernel."""

import pytest

from fullrate.generators.iperf import GENERATOR as IPERF
from fullrate.generators.iperf3 import GENERATOR as IPERF3
from fullrate.measure.told import read_told
from fullrate.records.leaf import Generator
from fullrate.records.recording import TrialRecord
from fullrate.records.trial import EngineFailure, EngineResult, Estimate, Interval, Trial
from iperf3_recorded import FORWARD, UDP
from iperf_pasted import result, text, told

RECORD = TrialRecord(id="t1", spec=FORWARD, generator="iperf3")


def rows(*rates: float, seconds: float = 1.0) -> tuple[Interval, ...]:
    """Intervals one after the other."""
    return tuple(Interval(start=n * seconds, end=(n + 1) * seconds, throughput=rate) for n, rate in enumerate(rates))


def trial(record: TrialRecord = RECORD, **said: object) -> Trial:
    """The trial of which a program said just this."""
    return read_told(record, EngineResult(program="iperf3", **said))  # type: ignore[arg-type]


def pasted(name: str, generator: Generator = IPERF3) -> Trial:
    """The trial that the first run of a fixture tells of."""
    run = generator.runs(text(name))[0]
    record = TrialRecord(id="t1", spec=told(generator, run), generator=generator.id)
    return read_told(record, result(generator, run))


def rate(found: Trial) -> Estimate:
    """Its estimate."""
    assert found.throughput is not None
    return found.throughput


def test_ten_seconds_have_the_usual_interval() -> None:
    """The mean of what the receiver counted, one run of it."""
    found = rate(pasted("old_server.txt"))
    assert 898e6 == pytest.approx(found.median, rel=0.01)
    assert 0.95 * found.median < found.ci_low < 0.995 * found.median


def test_it_says_that_it_is_told() -> None:
    """A reader sees by whom it was counted."""
    found = pasted("old_server.txt")
    assert (True, True) == (found.told, "iperf3 itself counted at the receiver" in found.warnings[0])


def test_a_sender_counts_what_stands_in_its_socket() -> None:
    """That is said too."""
    assert "still stood in its socket" in pasted("macos.txt").warnings[0]


def test_the_start_is_left_out() -> None:
    """A burst of two seconds before a plateau is a warm-up of two seconds."""
    found = trial(sent=rows(1990e6, 178e6, *[10.5e6] * 6))
    assert 10.5e6 == pytest.approx(rate(found).median)
    assert found.warm_up >= 2.0


def test_the_interval_is_never_narrower_than_the_digits() -> None:
    """Three digits: half a percent."""
    found = rate(trial(received=rows(*[941e6] * 10)))
    assert (0.995 * 941e6, 1.005 * 941e6) == pytest.approx((found.ci_low, found.ci_high))


def test_few_intervals_have_a_wide_interval() -> None:
    """Student's t of four."""
    found = rate(trial(received=rows(90e6, 100e6, 110e6, 100e6)))
    assert (100e6, 3.182 * 8.165e6 / 2) == pytest.approx((found.median, found.ci_high - found.median), rel=0.01)


def test_a_total_alone_may_hide_a_slow_start() -> None:
    """The rate may have been higher once it had started, not lower."""
    found = rate(trial(total_received=941e6, seconds=10.0))
    assert (941e6, 0.995 * 941e6) == pytest.approx((found.median, found.ci_low))
    assert 1.07 * 941e6 < found.ci_high < 1.09 * 941e6


def test_a_senders_total_may_stand_in_its_socket() -> None:
    """Four megabytes of 10 s are 3.4 Mbit/s."""
    found = rate(trial(total_sent=20e6, seconds=10.0))
    assert 20e6 * 0.995 - 4 * 8 * 1024**2 / 10 == pytest.approx(found.ci_low)


def test_the_course_of_a_total_is_not_known() -> None:
    """It is neither steady nor unsteady."""
    found = trial(total_received=941e6, seconds=10.0)
    assert found.steady is None
    assert any("whether the rate was steady" in one for one in found.warnings)


def test_a_few_seconds_of_many_do_not_stand_for_all() -> None:
    """The total does."""
    assert 50e6 == rate(trial(sent=rows(90e6, 90e6, 90e6), total_received=50e6, seconds=60.0)).median


def test_one_second_alone_is_wide() -> None:
    """It may be the start of the run."""
    found = rate(trial(sent=rows(20.4e9)))
    assert (20.4e9, True) == (found.median, found.ci_high > 1.9 * found.median)


def test_two_seconds_are_as_wide_as_they_differ() -> None:
    """At least."""
    found = rate(trial(sent=rows(200e6, 186e6)))
    assert found.ci_low < 186e6 - 5e6


@pytest.mark.parametrize(("expected", "rates"), [(True, [100e6] * 9 + [95e6]), (False, [100e6] * 9 + [50e6])])
def test_a_dip(expected: object, rates: list[float]) -> None:
    """A second under 90 % of the median is one."""
    assert expected is trial(received=rows(*rates)).steady


def test_the_last_piece_of_a_second_is_no_dip() -> None:
    """Some rows are shorter."""
    found = trial(received=(*rows(*[100e6] * 10), Interval(start=10.0, end=10.05, throughput=1e6)))
    assert found.steady


def test_one_long_row_counts_for_all_its_time() -> None:
    """Two minutes without a byte outweigh a second with some."""
    assert 1e6 > rate(pasted("stopped.txt")).median


def test_what_somebody_stopped_holds_until_then() -> None:
    """The program's complaint is no failure of the measurement."""
    found = trial(failure=EngineFailure.INTERRUPTED, message="interrupt", sent=rows(*[5e6] * 10))
    assert ("", 5e6) == (found.failure, rate(found).median)


def test_a_failure_is_no_measurement() -> None:
    """In the program's words."""
    found = trial(failure=EngineFailure.BUSY, message="the server is busy")
    assert ("the server is busy", None, False) == (found.failure, found.throughput, found.told)


def test_what_was_sent_of_udp_is_no_rate() -> None:
    """Only the receiver knows what arrived."""
    found = trial(
        TrialRecord(id="t1", spec=UDP, generator="iperf3"), sent=rows(*[1e9] * 10), total_sent=1e9, seconds=10.0
    )
    assert (None, True) == (found.throughput, "only its receiver counts" in found.failure)


def test_what_arrived_of_udp() -> None:
    """The receiver's total beside the sender's intervals."""
    found = trial(
        TrialRecord(id="t1", spec=UDP, generator="iperf3"), sent=rows(*[30e6] * 5), total_received=19.5e6, seconds=5.0
    )
    assert 19.5e6 == rate(found).median


def test_retransmits_to_segments() -> None:
    """Counted by the program, to what its bytes make at the usual segment size."""
    found = trial(total_received=1448 * 8 * 1e3, seconds=10.0, retransmits=100)
    assert 100 / 10100 == pytest.approx(found.retransmit_ratio)


def test_what_stood_in_buffers() -> None:
    """A twentieth of what was sent had not arrived."""
    found = trial(total_sent=20e6, total_received=19e6, seconds=5.0)
    assert any("5% of what was sent" in one for one in found.warnings)


def test_iperf_2() -> None:
    """The same for its figures."""
    assert 41.9e6 == pytest.approx(rate(pasted("2.1.8_tcp.txt", IPERF)).median, rel=0.01)


def test_no_figures() -> None:
    """There is a sentence all the same."""
    assert "iperf3 told no rate" == trial().failure
