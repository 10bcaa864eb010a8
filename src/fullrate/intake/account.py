"""The account of what was given: how each part was understood, and what was not."""

from collections.abc import Iterable, Sequence

from fullrate.intake.claim import Claim, Unclaimed
from fullrate.intake.outputs import Told
from fullrate.intake.places import subject_of
from fullrate.records.part import Given, LeftOut, Part, Reading

_SHOWN = 80  # characters of a part's first line


def given_of(
    claims: Iterable[Claim],
    unclaimed: Iterable[Unclaimed],
    left_out: Sequence[LeftOut],
    unused: int,
    trials: Iterable[Told],
) -> Given:
    """All parts in the order they were given."""
    trial_of = {part: told.record.id for told in trials for part in told.parts}
    readings = [*(_read(one, trial_of) for one in claims), *map(_not_read, unclaimed)]
    readings.sort(key=lambda one: (one.name, one.line))
    return Given(readings=tuple(readings), left_out=tuple(left_out), unused=unused)


def _read(claim: Claim, trial_of: dict[Part, str]) -> Reading:
    part, trial = claim.part, trial_of.get(claim.part)
    reader = claim.source or claim.generator
    if claim.request is None and trial is None:
        return _not_read(Unclaimed(part=part, why="it tells of no test"))
    return Reading(
        name=part.name,
        line=part.line,
        reader=reader.id if reader else None,
        key=claim.request.key if claim.request else f"trial/{trial}",
        end=part.end,
        moment=part.moment,
        link=subject_of(claim),
        first=_first(part),
        size=len(part.text),
        why="not offered there" if claim.refused else "",
    )


def _not_read(one: Unclaimed) -> Reading:
    part = one.part
    return Reading(
        name=part.name,
        line=part.line,
        end=part.end,
        moment=part.moment,
        first=_first(part),
        size=len(part.text),
        why=one.why,
    )


def _first(part: Part) -> str:
    line = part.typed or part.text.strip().split("\n")[0].strip()
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
