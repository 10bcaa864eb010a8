"""A run as text for a terminal, a pipe or a mail: the answer, where the rate goes, the path, the evidence, the rest."""

from collections.abc import Sequence

from fullrate.records.ends import End
from fullrate.records.measurement import Measurement
from fullrate.records.run import PathStage, Run, State
from fullrate.records.setting import Setting
from fullrate.records.target import server_name
from fullrate.records.trial import Estimate
from fullrate.records.units import MEGABYTE, MILLISECONDS, BitsPerSecond
from fullrate.registry import knob_of
from fullrate.report import doubts, view
from fullrate.report.facts import facts
from fullrate.report.findings import finding_lines
from fullrate.report.given import given_lines
from fullrate.report.layout import BLANK, Cell, Line, Style, join, paragraph, row, verbatim
from fullrate.report.numbers import number_lines
from fullrate.report.spark import highest, spark
from fullrate.report.wording import host_name, in_names
from fullrate.report.words import count, half_width, of_ceiling, percent, rate, rate_like, share, short_rate, speed

NARROWEST = 60
_STYLE = {
    State.FULL: Style.GOOD,
    State.NOT_FULL: Style.BAD,
    State.UNDECIDED: Style.OPEN,
    State.NOT_MEASURED: Style.OPEN,
}
_UDP = {State.FULL: "ARRIVES", State.NOT_FULL: "FALLS SHORT"}  # what was asked for; the link may have room
_STAGE, _BUSY, _BEST, _LOST = 11, 6, 8, 20  # columns of the strip
_RATE = 12  # columns of a rate
_HEAD = 14  # columns of the answer's state
_INDENT = " " * (_HEAD + 2)
_TRIED = 3  # requests of a list that failed alike
_NAMED = 5  # causes of a list of which nothing is wrong, or not known to be
_LISTED = 5  # lines of a list of things not known
_DOUBTS = 3  # reasons for which something could not be told, those that most wait for
_MORE = "and {} more (--json)"


def render(run: Run, width: int = 80, *, colour: bool = False, blocks: bool = True) -> str:
    """The whole report. It holds no control character but its own colours; without `blocks` courses are plain ASCII."""
    width = max(width, NARROWEST)
    middle = [facts(run, width), finding_lines(run, width)] if view.only_collected(run) else _measured(run, width)
    sections = [
        _header(run, width),
        _answer(run, width, blocks=blocks),
        *number_lines(run, width),
        *middle,
        given_lines(run, width),
        _footer(run, width),
    ]
    lines = [line for section in sections if section for line in (BLANK, *section)]
    return join(lines[1:], colour=colour)


def _measured(run: Run, width: int) -> list[list[Line]]:
    return [
        *_budgets(run, width),
        *_strips(run, width),
        finding_lines(run, width),
        _to_decide(run, width),
        _not_told(run, width),
        _elsewhere(run, width),
    ]


def _header(run: Run, width: int) -> list[Line]:
    ends = [_end(run, end) for end in End if end in run.ends]
    both = "  <->  ".join(ends)
    lines = [line for text in ([both] if len(both) <= width else ends) for line in paragraph(text, width, rest="  ")]
    links = [] if (slower := view.smaller_link(run)) is None else [f"smaller link: {speed(slower)}"]
    links += _promised(run)
    lines += paragraph(", ".join(links), width)
    for text in view.detours(run):
        lines += paragraph(text, width, rest="  ")
    for end, report in run.ends.items():
        if report.unreachable:
            lines += paragraph(f"{host_name(run, end)} not read: {report.unreachable}", width, rest="  ")
    return lines


def _promised(run: Run) -> list[str]:
    """What the answer is measured against: the link's ceiling; of UDP what was asked, and how it is sent."""
    best, udp = view.ceiling(run), view.datagrams(run)
    if udp is None or udp.asked_bps is None:
        return [] if best is None else [f"goodput ceiling: {rate(best)}"]
    words = [f"UDP of {rate(udp.asked_bps)} asked"]
    words += [f"the link carries {rate(best)} of it"] if best is not None and best < udp.asked_bps else []
    words += [f"datagrams of {udp.datagram_bytes} bytes"] if udp.datagram_bytes else []
    return [*words, f"socket buffers of {udp.buffer_bytes / MEGABYTE:.1f} MB"] if udp.buffer_bytes else words


def _end(run: Run, end: End) -> str:
    report = run.ends[end]
    unseen = "nothing of it was given" if run.given else "only a server"
    link = [unseen] if server_name(report.target) else []
    link += [report.driver] if report.driver else []
    link += [speed(report.speed_bps)] if report.speed_bps else []
    words = [host_name(run, end), view.named_link(report), f"({', '.join(link)})" if link else ""]
    return " ".join(word for word in words if word)


def _answer(run: Run, width: int, *, blocks: bool) -> list[Line]:
    verdict = run.verdict
    if run.numbers is not None and not view.answers(run):
        return paragraph(f"{verdict.summary[:1].upper()}{verdict.summary[1:]}.", width)
    state = (_UDP if view.datagrams(run) else {}).get(verdict.state, verdict.state.replace("_", " ").upper())
    lines = _directions(run, width, state, blocks=blocks)
    found = view.problems(run) or run.given
    if view.only_collected(run) or (verdict.state is State.NOT_MEASURED and found):
        return lines  # what was found follows at once; that nothing was measured is said
    return lines + [line for text in _sentences(run) for line in paragraph(text, width, first="  ", rest="  ")]


def _sentences(run: Run) -> list[str]:
    """The answer in words and how sure it is; where that is open, what is suspected all the same."""
    verdict = run.verdict
    answer = in_names(run, verdict.summary).rstrip(".") + "."
    if verdict.cause is None:
        return [answer]
    sure = f"  sure: {verdict.confidence}"
    return [answer, f"Suspected: {verdict.cause}, see below.{sure}"] if view.is_suspected(run) else [answer + sure]


def _nothing_sent(run: Run) -> str:
    found = len(view.problems(run))
    nothing = "no traffic was sent" if run.given is None else "no result of a test was given"
    if run.verdict.state is State.UNDECIDED and not found:
        return nothing
    return f"{nothing}; {count(found, 'problem') if found else 'no problem'} found"


def _directions(run: Run, width: int, state: str, *, blocks: bool) -> list[Line]:
    """Each direction's figures and course, the state before the first."""
    answers = view.answers(run)
    if not answers:
        return _headed(state, _nothing_sent(run), width, _STYLE[run.verdict.state])
    lines: list[Line] = []
    for answer in answers:
        head, style = ("", Style.PLAIN) if lines else (state, _STYLE[run.verdict.state])
        lines += _headed(head, _direction(run, answer), width, style)
        lines += paragraph(_course(answer.measured, blocks=blocks), width, first=_INDENT, rest=_INDENT)
    return lines


def _headed(head: str, text: str, width: int, style: Style) -> list[Line]:
    return paragraph(text, width, first=head.ljust(_HEAD), rest=_INDENT, style=style)


def _course(measured: Measurement | None, *, blocks: bool) -> str:
    """How the rate went in each run, and between which figures; empty when only its total is known."""
    if measured is None or measured.step_seconds is None:
        return ""
    known = [step for run in measured.series_bps for step in run if step is not None]
    top = highest(known)
    runs = [spark(run, top, blocks=blocks) for run in measured.series_bps]
    low = rate_like(min(known, default=0.0), top).partition(" ")[0]
    return f"every {measured.step_seconds:g} s: {' '.join(runs)} {low} to {rate(top)}"


def _direction(run: Run, answer: view.Answer) -> str:
    measured = answer.measured
    if measured is None or measured.throughput_bps is None:
        failure = "" if measured is None else in_names(run, measured.failure or "")
        return f"{answer.way}: {failure or 'not measured'}"
    if measured.asked_bps is not None:
        return _arrived(answer.way, measured, measured.throughput_bps, measured.asked_bps)
    estimate, best = measured.throughput_bps, measured.ceiling_bps
    figures = [*([half_width(estimate)] if estimate.median else []), count(estimate.n, "run")]
    known = rate(estimate.median) if best is None else of_ceiling(estimate.median, best)
    figures = figures if best is None else [percent(estimate.median, best), *figures]
    result = ("full",) if answer.full else answer.because
    return f"{answer.way} {known} ({', '.join(figures)}){': ' if result else ''}{', '.join(result)}"


def _arrived(way: str, measured: Measurement, estimate: Estimate, asked: BitsPerSecond) -> str:
    """One direction of UDP: what the receiving program read of what was asked, and what it missed."""
    figures = [percent(estimate.median, asked), half_width(estimate), count(estimate.n, "run")]
    result = [] if measured.lost_ratio is None else [f"{share(measured.lost_ratio)} lost"]
    result += [] if measured.jitter_seconds is None else [f"jitter {measured.jitter_seconds * MILLISECONDS:.3f} ms"]
    result += [] if measured.steady else ["unsteady"]
    told = f": {', '.join(result)}" if result else ""
    return f"{way} {of_ceiling(estimate.median, asked)} arrives ({', '.join(figures)}){told}"


def _budgets(run: Run, width: int) -> list[list[Line]]:
    return [] if run.verdict.state is State.FULL else [_budget(each, width) for each in view.shortfalls(run)]


def _budget(shortfall: view.Shortfall, width: int) -> list[Line]:
    cause = max(1, *(len(part.cause or "") for part in shortfall.parts))
    bar = width - 2 - _STAGE - cause - _RATE - 3 * 2
    lines = paragraph(f"Where {rate(shortfall.total)} {shortfall.way} go", width, style=Style.HEADING)
    for part in shortfall.parts:
        cells = [
            Cell(text=part.stage, width=_STAGE),
            Cell(text=part.cause or "", width=cause),
            Cell(text="#" * round(bar * part.bps / shortfall.total), width=bar),
            Cell(text=rate_like(part.bps, shortfall.total), width=_RATE, right=True),
        ]
        lines += [Line(text=f"  {line.text}") for line in row(cells)]
    return lines


def _strips(run: Run, width: int) -> list[list[Line]]:
    return [] if run.verdict.state is State.FULL else [_strip(each, width) for each in view.strips(run)]


def _strip(strip: view.Strip, width: int) -> list[Line]:
    if not strip.has_figures:
        return paragraph(f"The path {strip.way}: {', '.join(strip.remarks)}", width, rest="  ")
    head = [Cell(text=f"The path {strip.way}", width=_STAGE + 4 + _note(width)), *_figures("busy", "ceiling", "lost")]
    lines = row(head, style=Style.HEADING)
    role = ""
    for stage in strip.stages:
        if stage.role != role:
            role = stage.role
            lines += _role(strip, role, width)
        lines += _marked(stage, row(_stage(stage, width)))
    return lines


def _role(strip: view.Strip, role: str, width: int) -> list[Line]:
    words = {"sender": f"{strip.sender} sends", "receiver": f"{strip.receiver} receives"}.get(role, "")
    return paragraph(words, width, style=Style.QUIET)


def _marked(stage: PathStage, lines: list[Line]) -> list[Line]:
    style = Style.BAD if stage.limit else Style.PLAIN
    marks = [">" if stage.limit else " ", *[" "] * len(lines)]
    return [Line(text=f"{mark} {line.text}", style=style) for mark, line in zip(marks, lines, strict=False)]


def _stage(stage: PathStage, width: int) -> list[Cell]:
    lost = "" if stage.lost is None else f"{stage.lost:,}"
    words = [f"{lost} {stage.lost_note}".strip(), "the limit" if stage.limit else ""]
    busy = "" if stage.utilisation is None else f"{stage.utilisation * 100:.0f} %"
    best = "" if stage.ceiling_bps is None else short_rate(stage.ceiling_bps)
    note = Cell(text=stage.note, width=_note(width))
    return [Cell(text=stage.stage, width=_STAGE), note, *_figures(busy, best, ", ".join(filter(None, words)))]


def _figures(busy: str, best: str, lost: str) -> list[Cell]:
    return [
        Cell(text=busy, width=_BUSY, right=True),
        Cell(text=best, width=_BEST, right=True),
        Cell(text=lost, width=_LOST),
    ]


def _note(width: int) -> int:
    return width - 2 - _STAGE - _BUSY - _BEST - _LOST - 4 * 2


def _to_decide(run: Run, width: int) -> list[Line]:
    found = doubts.to_decide(run)
    head = "What would decide" if run.verdict.state is State.UNDECIDED else "What would tell more"
    return paragraph(head, width, style=Style.HEADING) + _listed(found, width) if found else []


def _not_told(run: Run, width: int) -> list[Line]:
    """The few reasons that most causes wait for, and how many wait for others; of what was pasted only the number."""
    found = doubts.open_questions(run)
    if not found or run.verdict.state is State.FULL:
        return []
    shown = () if run.given and len(found) > _DOUBTS else doubts.weightiest(found, _DOUBTS)
    rest = doubts.causes_of(found) - doubts.causes_of(shown)
    texts = [f"{_some(doubt.causes)}: {doubt.why}" for doubt in shown]
    why = "for want of what was not given" if run.given else "for other reasons"
    more = f"{count(len(rest), 'cause')} {why} (--json lists them)" if rest else ""
    if not texts:
        return paragraph(f"Could not tell: {more}", width, rest="  ")
    texts += [f"and {more}"] if more else []
    return paragraph("Could not tell", width, style=Style.HEADING) + _listed(texts, width)


def _elsewhere(run: Run, width: int) -> list[Line]:
    found = doubts.elsewhere(run)
    if found is None or run.verdict.state is State.FULL:
        return []
    head = paragraph("What only the other end could tell", width, style=Style.HEADING)
    return head + paragraph(f"{found.command}: {_some(found.causes)}", width, first="  ", rest="    ")


def _some(causes: Sequence[str]) -> str:
    """The first causes and how many more; all when only one would be left out."""
    named = causes if len(causes) <= _NAMED + 1 else causes[:_NAMED]
    more = len(causes) - len(named)
    return ", ".join(named) + (f" {_MORE.format(more)}" if more else "")


def _listed(texts: Sequence[str], width: int) -> list[Line]:
    lines = [line for text in texts[:_LISTED] for line in paragraph(text, width, first="  ", rest="    ")]
    more = len(texts) - _LISTED
    return [*lines, Line(text="  " + _MORE.format(more))] if more > 0 else lines


def _footer(run: Run, width: int) -> list[Line]:
    clear = view.cleared(run)
    lines = paragraph(f"Looked at and clear: {_some(clear)}", width, rest="  ") if clear else []
    lines += _unseen(run, width)
    for note in view.notes(run):
        lines += paragraph(f"Note: {note}", width, rest="  ")
    return [*lines, *_last(run, width)]


def _unseen(run: Run, width: int) -> list[Line]:
    found = view.unseen(run)
    lines = [line for each in found[:_LISTED] for line in paragraph(_not_seen(each), width, rest="  ")]
    more = len(found) - _LISTED
    return [*lines, Line(text="  " + _MORE.format(more))] if more > 0 else lines


def _not_seen(unseen: view.Unseen) -> str:
    tried = ", ".join(unseen.tried[:_TRIED])
    more = len(unseen.tried) - _TRIED
    return f"Not seen on {', '.join(unseen.hosts)}: {tried}{f' and {more} more' if more > 0 else ''} ({unseen.why})"


def _last(run: Run, width: int) -> list[Line]:
    cause = run.verdict.cause
    kept = f"Run {run.id}, {run.started_at}, fullrate {run.tool_version}"
    offline = f"Diagnosed by fullrate {run.tool_version}; no host was asked anything."
    lines = paragraph(offline if run.given else kept, width, rest="  ")
    if cause is None or run.verdict.state is State.FULL:
        return lines
    explained = verbatim(f"fullrate explain {cause}", first="Next: ")
    planned = verbatim(f"fullrate plan {run.id}", first="      ") if not run.given and _can_be_set(run) else None
    return [*lines, explained, *([planned] if planned else [])]


def _can_be_set(run: Run) -> bool:
    """Whether a remedy of a problem is a setting that can be planned."""
    remedies = (remedy for finding in view.problems(run) for remedy in finding.remedies)
    return any(
        knob_of(Setting(knob=remedy.knob, subject=remedy.subject, value=remedy.value)) is not None
        for remedy in remedies
    )
