"""The source cpu_idle_states."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import IdleState, IdleStates
from fullrate.records.leaf import Scope
from fullrate.sources.cpu_idle_states import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

LINUX618 = fixture("recorded/linux-6.18/cpu_idle_states.txt")
HEAD = b"/sys/devices/system/cpu/possible:0-1\n"
STATE = b"/sys/devices/system/cpu/cpu0/cpuidle/state%d/"


def state(number: int, latency: int, disable: int) -> bytes:
    """The lines of one state."""
    rows = (b"name:C%d\n" % number, b"latency:%d\n" % latency, b"disable:%d\n" % disable)
    return b"".join(STATE % number + row for row in rows)


def states(payload: bytes) -> tuple[IdleState, ...]:
    """The states a payload holds."""
    return parsed(SOURCE, payload, IdleStates)[""].states


def test_states_of_a_virtual_machine() -> None:
    """Polling, and halting with a microsecond."""
    assert [("POLL", 0.0), ("haltpoll idle", 1e-6)] == [(one.name, one.latency) for one in states(LINUX618)]


def test_fields_are_told_apart() -> None:
    """Latency in microseconds; a state may be disabled."""
    expected = IdleState(number=3, name="C3", latency=133e-6, disabled=True)
    assert (expected,) == states(HEAD + state(3, 133, 1))


def test_order_is_by_number() -> None:
    """The folders come in no order."""
    assert [2, 10] == [one.number for one in states(state(10, 890, 0) + state(2, 10, 0))]


def test_deepest_state_is_an_enabled_one() -> None:
    """A disabled state wakes nobody."""
    fact = parsed(SOURCE, state(1, 2, 0) + state(2, 80, 0) + state(3, 133, 1), IdleStates)[""]
    assert 80e-6 == getattr(fact.deepest(), "latency", None)


def test_no_state_at_all() -> None:
    """A kernel that does not choose idle states: that was read."""
    fact = parsed(SOURCE, HEAD, IdleStates)[""]
    assert ((), None) == (fact.states, fact.deepest())


@pytest.mark.parametrize(
    "payload",
    [LINUX618[-30:], state(1, 2, 0)[:-30], state(1, 2, 0).replace(b":2", b":two"), b"/sys/a:1\n", GARBAGE, b""],
)
def test_other_bytes_are_refused(payload: bytes) -> None:
    """A cut line, a missing file, no number, another file, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request_is_about_one_cpu() -> None:
    """All CPUs would be thousands of files."""
    (request,) = SOURCE.requests(Scope())
    assert request.key.endswith("/sys/devices/system/cpu/cpu0/cpuidle")
