"""What a traffic program told of itself in a test of which nothing else is known."""

from fullrate.checks._common import rate
from fullrate.records.ends import End
from fullrate.records.parsing import version_numbers
from fullrate.records.trial import EngineResult, Trial
from fullrate.records.units import BITS_PER_BYTE, Bytes, Seconds
from fullrate.records.view import Missing, View

# What a socket takes before anything was acknowledged: twice ten segments at what each costs in memory, some 320 kB at
# MTU 9000, 46 kB at 1500 (tcp_sndbuf_expand, net/ipv4/tcp_input.c).
_FIRST_FLIGHT: Bytes = 320_000
_SILENT: Seconds = 5.0  # with nothing at all: the timer has fired three times by then (0.2, 0.6, 1.4, 3 s; RFC 6298)
_TRIED_AGAIN = 3  # retransmits
_FASTER = 1.2  # more than runs of one program differ on a busy host (5 % between runs, measured)


def program_share(trial: Trial, end: End) -> float | None:
    """How much of one CPU the program of an end used; None where it was not told."""
    engine = trial.engine or EngineResult(program="")
    return engine.server_cpu if end is trial.spec.server else engine.client_cpu


def outdone(view: View, trial: Trial) -> Trial | None:
    """A test of this direction in which another program carried clearly more with as many streams."""
    mine = trial.engine.program if trial.engine else ""
    others = (
        one
        for one in view.trials
        if one.engine is not None
        and one.engine.program not in {mine, ""}
        and (one.spec.direction, one.spec.protocol) == (trial.spec.direction, trial.spec.protocol)
        and one.spec.streams <= trial.spec.streams
    )
    return next((one for one in others if rate(one) > _FASTER * rate(trial)), None)


def only_first_flight(trial: Trial) -> bool:
    """Whether a sender got rid of its first window and of nothing more, though the connection stood and it tried again.

    One that is refused or filtered has no window to send; one that loses by chance goes on.
    """
    sent = trial.engine.sent if trial.engine else ()
    carried = [(one.end - one.start) * one.throughput / BITS_PER_BYTE for one in sent]
    silent = sum(one.end - one.start for one in sent[1:])
    tried = trial.engine.retransmits if trial.engine else None
    return (
        bool(carried)
        and 0 < carried[0] <= _FIRST_FLIGHT * trial.spec.streams
        and not any(carried[1:])
        and silent >= _SILENT
        and (tried or 0) >= _TRIED_AGAIN
    )


def older(engine: EngineResult, version: tuple[int, ...]) -> bool | None:
    """Whether the client is older than a version, by its own words; None where they do not tell."""
    numbers = version_numbers(engine.client_version or "")
    if numbers:
        return numbers < version
    bound = tuple(map(int, engine.older_than.split("."))) if engine.older_than else None
    return True if bound is not None and bound <= version else None


def ceiling_reached(view: View, trial: Trial, share: float) -> bool:
    """Whether the test carried so much of the ceiling; no, where none is known."""
    try:
        return rate(trial) >= share * view.ceiling
    except Missing:
        return False
