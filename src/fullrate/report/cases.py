"""The score over recorded cases as text: the sums, then one line a case."""

from fullrate.records.cases import CaseRow, CaseScore, Outcome
from fullrate.report.layout import BLANK, Cell, Line, Style, join, paragraph, row

NARROWEST = 80
_OUTCOME, _SECONDS, _NAME = 6, 6, 29  # columns


def render_cases(score: CaseScore, width: int = 80, *, colour: bool = False) -> str:
    """The whole score; the cases stand in the order of their names."""
    width = max(width, NARROWEST)
    style = Style.GOOD if score.perfect else Style.BAD
    lines = [line for text in _sums(score) for line in paragraph(text, width, rest="  ", style=style)]
    return join([*lines, BLANK, *(line for one in score.rows for line in _row(one, width))], colour=colour)


def _sums(score: CaseScore) -> list[str]:
    share = 100 * score.good / score.cases if score.cases else 0.0
    counted = f"right {score.right}, near {score.near}, asked {score.asked}, wrong {score.wrong}"
    return [
        f"good answers: {score.good} of {score.cases} ({share:.1f} %); {counted}",
        f"wrong without a doubt: {score.confident_wrong}",
        f"seconds a case: {score.median_seconds or 0.0:.2f} in the median, {score.worst_seconds or 0.0:.2f} at worst",
    ]


def _row(one: CaseRow, width: int) -> list[Line]:
    style = Style.GOOD if one.counts else Style.BAD if one.outcome is Outcome.WRONG else Style.OPEN
    cells = [
        Cell(text=one.outcome, width=_OUTCOME),
        Cell(text=f"{one.seconds:.2f} s", width=_SECONDS),
        Cell(text=one.id, width=_NAME),
        Cell(text=_answer(one), width=width - _OUTCOME - _SECONDS - _NAME - 3 * 2),
    ]
    return row(cells, style=style)


def _answer(one: CaseRow) -> str:
    """What was said, and what is true where that is another thing."""
    said = one.failure or (f"{one.got} ({one.confidence})" if one.got else "nothing named")
    return said if one.got == one.expected else f"{said}; true: {one.expected}"
