"""Two tests that somebody showed, alike but for one option: what the option does."""

from collections.abc import Callable, Iterator

from fullrate.checks._common import measured, rate
from fullrate.checks._glance import again, suspect
from fullrate.records.finding import Finding
from fullrate.records.trial import Trial, TrialKind
from fullrate.records.view import View

# more than two tests in turn differ on a path that others use too (20 % between runs is common there)
CLEARLY = 1.5


def outdone_by(view: View, differs: Callable[[Trial, Trial], bool]) -> tuple[Trial, Trial] | None:
    """A test and one of the same way and protocol that differs from it so, and carried clearly more."""
    faster = ((one, other) for one, other in _pairs(view) if rate(other) >= CLEARLY * rate(one) > 0)
    return next((pair for pair in faster if differs(*pair)), None)


def smaller_buffer(view: View, cause: str) -> Finding | None:
    """That a test without -w, or with a larger one, carried clearly more."""
    found = outdone_by(view, _is_smaller)
    if found is None:
        return None
    one, other = found
    larger = "without -w" if other.spec.buffer is None else f"with {other.spec.buffer:,}"
    words = f"with buffers of {one.spec.buffer:,} bytes (-w) the test carries less than {larger}"
    return suspect(view, cause, words, [measured(one), measured(other)], subject="path", asks=again(view, "ss -tinm"))


def _is_smaller(one: Trial, other: Trial) -> bool:
    mine, others = one.spec.buffer, other.spec.buffer
    alike = one.spec.protocol == "tcp" and one.spec.streams == other.spec.streams
    return alike and mine is not None and (others is None or others > mine)


def _pairs(view: View) -> Iterator[tuple[Trial, Trial]]:
    shown = [one for one in view.trials if one.told and one.throughput and one.spec.kind is TrialKind.BULK]
    for one in shown:
        for other in shown:
            alike = (one.spec.direction, one.spec.protocol) == (other.spec.direction, other.spec.protocol)
            if one is not other and alike and _program(one) == _program(other):
                yield one, other


def _program(trial: Trial) -> str:
    return trial.engine.program if trial.engine else ""
