"""A rate that may be the limit of fullrate's own sender is held against nobody."""

import pytest

from fullrate.diagnose.own_limit import unblamed
from fullrate.diagnose.verdict import decide
from fullrate.records.finding import Judgement
from fullrate.records.measurement import Measurement
from fullrate.records.run import State, Verdict
from unit.diagnose.making import BACK, OUT, finding, judged, measured

BLAMED = finding("cpu-bound-host", costs=400e6)
SETTING = finding("offload-off")
SLOW = measured(OUT, 500e6, self_limited=True)
FULL = measured(BACK, 999e6)


def verdict(*measurements: Measurement) -> Verdict:
    """The answer when the host's CPU is blamed for what is missing from near to far."""
    return decide(measurements, unblamed(judged(BLAMED, SETTING), measurements))


def test_what_explains_the_rate_is_open_again() -> None:
    """It has no cost and no remedy any more, and says why."""
    (setting, reopened) = unblamed(judged(BLAMED, SETTING), (SLOW, FULL)).findings
    assert (SETTING, Judgement.UNKNOWN, 0.0) == (setting, reopened.verdict, reopened.costs_bps)
    assert reopened.summary.startswith(f"{BLAMED.summary}; whether it costs rate only iperf3 would tell")


@pytest.mark.parametrize("measurement", [measured(OUT, 500e6), measured(OUT, 999e6, self_limited=True)])
def test_another_sender_and_a_full_link_leave_no_doubt(measurement: Measurement) -> None:
    """The findings stay as they are."""
    found = judged(BLAMED, SETTING)
    assert found is unblamed(found, (measurement, FULL))


def test_the_other_direction_is_judged_by_its_own_measurement() -> None:
    """Its sender had time left."""
    other = finding("cpu-bound-host", direction=BACK, costs=400e6)
    assert other in unblamed(judged(BLAMED, other), (SLOW, measured(BACK, 500e6))).findings


def test_it_is_undecided_and_names_no_cause() -> None:
    """What would decide is the real sender."""
    found = verdict(SLOW, FULL)
    assert (State.UNDECIDED, None, OUT) == (found.state, found.cause, found.direction)
    assert "may be all that fullrate's own sender can do: it filled a CPU" in found.summary
    assert ("install iperf3 on both ends",) == tuple(one.partition(" and check")[0] for one in found.ask_for)


def test_unsteadiness_may_be_the_senders_too() -> None:
    """No criterion is missed for sure."""
    unsteady = measured(OUT, 999e6, self_limited=True, steady=False)
    assert State.UNDECIDED is verdict(unsteady, FULL).state


def test_a_full_link_is_full_whoever_sent() -> None:
    """There is nothing left to be limited."""
    assert State.FULL is verdict(measured(OUT, 999e6, self_limited=True), FULL).state


def test_the_other_direction_still_decides() -> None:
    """It is not full, and its sender had time left."""
    found = verdict(SLOW, measured(BACK, 700e6))
    assert (State.NOT_FULL, BACK) == (found.state, found.direction)
