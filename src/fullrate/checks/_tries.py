"""The attempts to run a test, and the ports they were made on."""

from collections.abc import Iterable

from fullrate.records.trial import EngineFailure, Trial
from fullrate.records.view import View

NO_PROGRAM = {EngineFailure.MISSING, EngineFailure.OPTION}  # nothing was sent, nothing listened


def tries(view: View) -> tuple[Trial, ...]:
    """Every trial that sends, oldest first. Raises Missing, which asks for the first one."""
    found = tuple(trial for trial in view.trials if trial.spec.sends)
    return found or (view.trial(),)


def failures(tried: Iterable[Trial]) -> set[EngineFailure]:
    """How the traffic program failed, without repeats; empty when it did not or said nothing."""
    return {trial.engine.failure for trial in tried if trial.engine is not None and trial.engine.failure is not None}


def port_words(ports: Iterable[int]) -> str:
    """`TCP port 5201`, `TCP ports 5201 to 5210`."""
    known = sorted(ports)
    if not known:
        return "the TCP port"
    return f"TCP port {known[0]}" if len(known) == 1 else f"TCP ports {known[0]} to {known[-1]}"
