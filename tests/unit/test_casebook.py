"""Cases: what is true of them, and what an answer was worth."""

from pathlib import Path

import pytest

from fullrate.casebook import TRUTH, cases_in, failed, judged, named, truth_of
from fullrate.records.cases import Decidable, Outcome, Truth
from fullrate.records.errors import UsageError
from fullrate.records.finding import Confidence, Finding, Judgement
from fullrate.records.run import SCHEMA, Run, State, Verdict

TEXT = """id: x520
title: 'Slow: 1.4 Gbit/s'
cause: pcie-link-narrow
secondary_causes:
- bad-cable
- iperf3-single-thread
fix: move the card
  to another slot
decidable_from_evidence: 'yes'
notes: it says cause - twice
"""


def answer(
    cause: str | None = None,
    *,
    state: State = State.NOT_MEASURED,
    asks: tuple[str, ...] = ("ethtool -S eth0",),
    confidence: Confidence = Confidence.MEDIUM,
    findings: tuple[Finding, ...] = (),
) -> Run:
    """A run that names a cause, or asks."""
    verdict = Verdict(state=state, summary="", cause=cause, confidence=confidence, ask_for=asks)
    return Run(
        schema=SCHEMA,
        id="X",
        started_at="",
        tool_version="0",
        ends={},
        measurements=(),
        verdict=verdict,
        budget=(),
        path=(),
        findings=findings,
    )


def finding(verdict: Judgement) -> Finding:
    """The result of a check."""
    return Finding(check="irq-single-cpu", cause="irq-single-cpu", verdict=verdict, summary="")


def truth(*causes: str, decidable: Decidable = Decidable.YES) -> Truth:
    """What a case is about."""
    return Truth(id="x", causes=causes, decidable=decidable)


def worth(of: Truth, run: Run) -> tuple[Outcome, bool]:
    """The outcome, and whether it counts."""
    row = judged(of, run, 0.5)
    return row.outcome, row.counts


def test_what_a_case_says() -> None:
    """The cause first, then the others by their slugs."""
    causes = ("pcie-link-narrow", "rx-crc-errors", "iperf3-single-thread")
    assert Truth(id="x520", causes=causes, decidable=Decidable.YES) == truth_of(TEXT)


def test_a_case_without_further_causes() -> None:
    """The list may be empty, or missing."""
    assert ("eee",) == truth_of("id: a\ncause: eee\nsecondary_causes: []\ndecidable_from_evidence: partly").causes


@pytest.mark.parametrize("missing", ["id: x520", "cause: pcie-link-narrow", "decidable_from_evidence: 'yes'"])
def test_a_case_that_says_too_little(missing: str) -> None:
    """Without its truth it cannot be scored."""
    with pytest.raises(ValueError, match="does not say"):
        truth_of(TEXT.replace(missing, ""))


@pytest.mark.parametrize(
    ("run", "decidable", "outcome", "counts"),
    [
        (answer("rx-ring-too-small"), Decidable.YES, Outcome.RIGHT, True),
        (answer("eee"), Decidable.YES, Outcome.RIGHT, True),
        (answer("nic-rx-overrun"), Decidable.YES, Outcome.NEAR, False),
        (answer("nic-rx-overrun"), Decidable.PARTLY, Outcome.NEAR, True),
        (answer(), Decidable.YES, Outcome.ASKED, False),
        (answer(), Decidable.NO, Outcome.ASKED, True),
        (answer(asks=()), Decidable.NO, Outcome.WRONG, False),
        (answer("tc-shaper"), Decidable.NO, Outcome.WRONG, False),
        (answer(state=State.NOT_FULL), Decidable.NO, Outcome.ASKED, True),
        (answer(state=State.FULL), Decidable.NO, Outcome.WRONG, False),
    ],
)
def test_what_an_answer_is_worth(run: Run, decidable: Decidable, outcome: Outcome, counts: bool) -> None:  # noqa: FBT001
    """Right and near by the cause, asked while none is named; what the evidence holds says whether it counts."""
    assert (outcome, counts) == worth(truth("rx-ring-too-small", "eee", decidable=decidable), run)


@pytest.mark.parametrize(
    ("run", "outcome"),
    [
        (answer(state=State.FULL), Outcome.RIGHT),
        (answer("link-filled-with-loss", state=State.FULL), Outcome.RIGHT),
        (answer("eee"), Outcome.WRONG),
        (answer(state=State.NOT_FULL), Outcome.WRONG),
        (answer(state=State.UNDECIDED), Outcome.ASKED),
    ],
)
def test_a_full_link(run: Run, outcome: Outcome) -> None:
    """Right is to call it full; any cause is a false alarm."""
    assert outcome is worth(truth("link-filled"), run)[0]


@pytest.mark.parametrize(
    ("run", "outcome"),
    [
        (answer(findings=(finding(Judgement.CLEAR),)), Outcome.RIGHT),
        (answer(findings=(finding(Judgement.UNKNOWN),)), Outcome.ASKED),
        (answer(findings=(finding(Judgement.PROBLEM), finding(Judgement.CLEAR))), Outcome.WRONG),
    ],
)
def test_an_accused_part_that_is_innocent(run: Run, outcome: Outcome) -> None:
    """Right is to clear something and blame nothing."""
    assert outcome is worth(truth("not-irq-bound"), run)[0]


def test_evidence_that_holds_no_more() -> None:
    """Then asking is right."""
    assert Outcome.RIGHT is worth(truth("undetermined", decidable=Decidable.NO), answer())[0]


def test_the_cause_that_comes_first() -> None:
    """The verdict's, else that of the first problem."""
    problems = (finding(Judgement.CLEAR), finding(Judgement.PROBLEM))
    assert ["eee", "irq-single-cpu", None] == [
        named(answer("eee", findings=problems)),
        named(answer(findings=problems)),
        named(answer()),
    ]


def test_a_wrong_answer_keeps_its_certainty() -> None:
    """It decides whether somebody was misled."""
    assert judged(truth("eee"), answer("tc-shaper", confidence=Confidence.HIGH), 0.5).confident_wrong


def test_evidence_that_cannot_be_read() -> None:
    """The row says why."""
    row = failed(truth("eee"), "damaged", 0.5)
    assert (Outcome.WRONG, False, "damaged") == (row.outcome, row.counts, row.failure)


def test_cases_in_a_folder(tmp_path: Path) -> None:
    """Each folder with the file of its truth, which is no evidence."""
    place = tmp_path / "x520"
    place.mkdir()
    (tmp_path / "README.md").write_text("cases")
    for name, text in ((TRUTH, TEXT), ("dmesg.txt", "[    1.000000] x"), (".hidden", "")):
        (place / name).write_text(text)
    found = cases_in(tmp_path)
    assert [("x520", ("dmesg.txt",))] == [(one.truth.id, tuple(path.name for path in one.evidence)) for one in found]


def test_a_folder_without_cases(tmp_path: Path) -> None:
    """It says what a case is."""
    with pytest.raises(UsageError, match="a case is a folder with"):
        cases_in(tmp_path)


@pytest.mark.parametrize("text", ["id: x", TEXT.replace("'yes'", "maybe"), "\udcff"])
def test_a_truth_that_cannot_be_read(text: str, tmp_path: Path) -> None:
    """The error names the file."""
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / TRUTH).write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(UsageError, match=r"cannot read .*case\.yaml"):
        cases_in(tmp_path)
