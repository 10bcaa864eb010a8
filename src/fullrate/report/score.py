"""The lab's score as text: the sums, then one line a run."""

from fullrate.records.score import HEALTHY, Outcome, Row, Score
from fullrate.records.units import MEGABIT, Seconds
from fullrate.report import words
from fullrate.report.layout import BLANK, Cell, Line, Style, join, paragraph, row

NARROWEST = 80
_STYLES = {Outcome.RIGHT: Style.GOOD, Outcome.NOT_EFFECTIVE: Style.OPEN}
_OUTCOME, _RATE, _SECONDS = 13, 16, 7  # columns


def render_score(score: Score, width: int = 80, *, colour: bool = False) -> str:
    """The whole score; the runs stand in the order they were made."""
    width = max(width, NARROWEST)
    style = Style.GOOD if score.perfect else Style.BAD
    lines = [line for text in _sums(score) for line in paragraph(text, width, rest="  ", style=style)]
    return join([*lines, BLANK, *(line for one in score.rows for line in _row(one, width))], colour=colour)


def _sums(score: Score) -> list[str]:
    sums = []
    if score.faults:
        named = sum(one.outcome is Outcome.RIGHT for one in score.rows if one.kind != HEALTHY)
        share = "" if score.recall is None else f" ({100 * score.recall:.1f} %)"
        sums.append(
            f"faults named: {named} of {score.effective} effective runs{share}{_took(score.median_faulty_seconds)}"
        )
    if score.healthy_runs:
        took = _took(score.median_healthy_seconds)
        sums.append(f"false alarms: {score.false_alarms} of {score.healthy_runs} healthy runs{took}")
    return sums or ["nothing was scored"]


def _took(seconds: Seconds | None) -> str:
    return "" if seconds is None else f"; a check took {seconds:.1f} s in the median"


def _row(one: Row, width: int) -> list[Line]:
    return row(
        [
            Cell(text=one.outcome.replace("_", " "), width=_OUTCOME),
            Cell(text=f"{one.seconds:.1f} s", width=_SECONDS),
            Cell(text=_rates(one), width=_RATE),
            Cell(text=_what(one), width=width - _OUTCOME - _SECONDS - _RATE - 6),
        ],
        style=_STYLES.get(one.outcome, Style.BAD),
    )


def _rates(one: Row) -> str:
    """The injector's own figures in Mbit/s: with the fault, of without."""
    if one.plain_bps is None or one.healthy_bps is None:
        return ""
    return f"{one.plain_bps / MEGABIT:.0f} of {one.healthy_bps / MEGABIT:.0f} M"


def _what(one: Row) -> str:
    parts = [one.fault]
    if one.got != one.expected and one.outcome is not Outcome.NOT_EFFECTIVE:
        parts.append(f"{one.got or 'no cause'} instead of {one.expected or 'full'}")
    parts += [f"{cause} is innocent" for cause in one.blamed]
    if one.second is False:
        parts.append("the smaller one is not among the problems")
    return words.neutral("; ".join(filter(None, (*parts, one.failure))))
