"""Where the missing rate goes, per direction."""

from collections.abc import Sequence

from fullrate.diagnose.judge import Judged
from fullrate.diagnose.verdict import main_measurement, missing_rate
from fullrate.records.ends import ONE_WAY, Direction
from fullrate.records.measurement import Measurement
from fullrate.records.run import UNEXPLAINED, BudgetPart


def budget(measurements: Sequence[Measurement], judged: Judged) -> tuple[BudgetPart, ...]:
    """The parts of every measured direction; they sum to max(0, ceiling - measured).

    A cause gets what it costs by its own arithmetic, the dearest first, never more than is still missing: the slower
    of two limits hides the other. What no cause accounts for is called unexplained.
    """
    return tuple(
        part
        for direction in ONE_WAY
        if (found := main_measurement(measurements, direction)) is not None and found.ceiling_bps is not None
        for part in _parts(direction, missing_rate(found), judged)
    )


def _parts(direction: Direction, gap: float, judged: Judged) -> list[BudgetPart]:
    parts, left = [], gap
    for finding in judged.problems(direction):
        share = min(finding.costs_bps, left)
        if share > 0:
            parts.append(BudgetPart(direction=direction, stage=finding.stage or "", cause=finding.cause, bps=share))
            left -= share
    return [*parts, BudgetPart(direction=direction, stage=UNEXPLAINED, cause=None, bps=left)]
