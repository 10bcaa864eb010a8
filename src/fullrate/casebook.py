"""A folder of cases: what is true of each, what a diagnosis of its evidence was worth.

A case is a folder with `case.yaml` and files of evidence. Of that file only what the score needs is read: names at the
start of a line, values on one line or going on indented below, lists of `- ` lines.

    id: x520-in-pcie2-x4
    cause: pcie-link-narrow
    secondary_causes: []
    decidable_from_evidence: 'yes'
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fullrate.records.cases import CaseRow, Decidable, Outcome, Truth, related, slug_of
from fullrate.records.errors import UsageError
from fullrate.records.finding import Judgement
from fullrate.records.run import Run, State
from fullrate.records.units import Seconds

TRUTH = "case.yaml"
_KEY = re.compile(r"([a-z_]+):(?: +(.*))?")
_FILLED = "link-filled"
_CONTROLS = (_FILLED, "not-", "local-test-not-link")
_OPEN = "undetermined"
_LARGEST = 100_000  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFolder:
    """One case: its truth and its files of evidence."""

    truth: Truth
    evidence: tuple[Path, ...]


def cases_in(folder: Path) -> tuple[CaseFolder, ...]:
    """The cases in a folder, by name. Raises UsageError when there is none."""
    found = tuple(_case(path.parent) for path in sorted(folder.glob(f"*/{TRUTH}")))
    if not found:
        raise UsageError(f"no case in {folder}: a case is a folder with {TRUTH} and files of evidence")
    return found


def _case(folder: Path) -> CaseFolder:
    files = sorted(path for path in folder.iterdir() if path.name != TRUTH and not path.name.startswith("."))
    try:
        with (folder / TRUTH).open(encoding="utf-8") as file:
            truth = truth_of(file.read(_LARGEST))
    except (OSError, UnicodeDecodeError, ValueError) as wrong:
        raise UsageError(f"cannot read {folder / TRUTH}: {wrong}") from wrong
    return CaseFolder(truth=truth, evidence=tuple(files))


def truth_of(text: str) -> Truth:
    """What the text of a case says. Raises ValueError."""
    values = _values(text)
    missing = [name for name in ("id", "cause", "decidable_from_evidence") if not values.get(name)]
    if missing:
        raise ValueError(f"it does not say {missing[0]}")
    causes = (*values["cause"][:1], *values.get("secondary_causes", ()))
    decidable = Decidable(values["decidable_from_evidence"][0])
    return Truth(id=values["id"][0], causes=tuple(map(slug_of, causes)), decidable=decidable)


def _values(text: str) -> Mapping[str, list[str]]:
    """The values of each name, those that go on below included."""
    values: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        key = _KEY.fullmatch(line.rstrip())
        if key is not None:
            name = key[1]
            values[name] = [_bare(key[2])] if key[2] and key[2] != "[]" else []
        elif name and line.lstrip().startswith("- "):
            values[name].append(_bare(line.lstrip().removeprefix("- ")))
    return values


def _bare(value: str) -> str:
    return value.strip().strip("'\"").strip()


def judged(truth: Truth, run: Run, seconds: Seconds) -> CaseRow:
    """What an answer was worth."""
    got = named(run)
    outcome = _outcome(truth, run, got)
    good = outcome is Outcome.RIGHT or (outcome is not Outcome.WRONG and truth.decidable is not Decidable.YES)
    return CaseRow(
        id=truth.id,
        expected=truth.causes[0],
        got=got,
        outcome=outcome,
        counts=good,
        seconds=seconds,
        confidence=run.verdict.confidence,
        decidable=truth.decidable,
    )


def failed(truth: Truth, why: str, seconds: Seconds) -> CaseRow:
    """The row of a case whose evidence could not be read at all."""
    return CaseRow(
        id=truth.id,
        expected=truth.causes[0],
        got=None,
        outcome=Outcome.WRONG,
        counts=False,
        seconds=seconds,
        decidable=truth.decidable,
        failure=why,
    )


def named(run: Run) -> str | None:
    """The cause that comes first in an answer; None when none is named."""
    if run.verdict.cause is not None:
        return run.verdict.cause
    return next((one.cause for one in run.findings if one.verdict is Judgement.PROBLEM), None)


def _outcome(truth: Truth, run: Run, got: str | None) -> Outcome:
    if got in truth.causes or _cleared(truth, run, got):
        return Outcome.RIGHT
    if got is None:
        said_slow = run.verdict.state is State.NOT_FULL and truth.causes[0].startswith(_CONTROLS)
        asks = bool(run.verdict.ask_for) and run.verdict.state is not State.FULL and not said_slow
        right = asks and truth.causes[0] == _OPEN
        return Outcome.RIGHT if right else Outcome.ASKED if asks else Outcome.WRONG
    return Outcome.NEAR if any(related(got, cause) for cause in truth.causes) else Outcome.WRONG


def _cleared(truth: Truth, run: Run, got: str | None) -> bool:
    """Of a control: the link is called full, or nothing is blamed and something was looked at and cleared."""
    cause = truth.causes[0]
    if not cause.startswith(_CONTROLS):
        return False
    if cause.startswith(_FILLED):
        return run.verdict.state is State.FULL or (got or "").startswith(_FILLED)
    return got is None and any(one.verdict is Judgement.CLEAR for one in run.findings)
