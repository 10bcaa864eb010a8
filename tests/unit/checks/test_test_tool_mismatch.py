"""Traffic programs that do not understand each other."""

from dataclasses import replace

import pytest

from fullrate.checks.test_tool_mismatch import CHECK
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.trial import EngineFailure
from unit.checks.build import FAR, NEAR, asked, attempt, evidence, found, healthy, judged, untested
from unit.checks.scenes_tcp import confused, path, unlike


@pytest.mark.parametrize(
    "words",
    [
        "unable to receive parameters from client: ",
        "unable to send parameters to server: Connection reset by peer",
        "unable to receive cookie at server",
        "received an unknown control message (ensure other side is iperf3 and not iperf)",
    ],
)
def test_words_of_a_foreign_program_are_a_problem(words: str) -> None:
    """iperf3 says so itself."""
    finding = found(CHECK, confused(words))
    assert (Judgement.PROBLEM, Confidence.HIGH) == (finding.verdict, finding.confidence)
    assert ("trial/t-5201", words) == evidence(finding, "the program's words")


def test_option_that_one_version_lacks_is_a_problem() -> None:
    """3.21 and 3.1.3."""
    finding = found(CHECK, unlike())
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (finding.verdict, finding.confidence)
    assert "no test can run: an option is not known to both versions: 3.1.3 and 3.21" == finding.summary


def test_cites_both_versions() -> None:
    """Near and far."""
    finding = found(CHECK, unlike())
    assert ("ProgramVersion", "3.21") == evidence(finding, "iperf3 of the near end")
    assert ("ProgramVersion", "3.1.3") == evidence(finding, "iperf3 of the far end")


def test_versions_that_finish_a_test_are_clear() -> None:
    """A near miss: different versions work together."""
    newer, older = (ProgramVersion(subject="iperf3", version=version) for version in ("3.21", "3.12"))
    assert Judgement.CLEAR is judged(CHECK, path().having(NEAR, newer).having(FAR, older))


def test_attempt_that_failed_before_is_clear() -> None:
    """A near miss: a second port worked."""
    assert Judgement.CLEAR is judged(CHECK, replace(path(), tries=confused().tries))


def test_option_with_one_version_unknown_is_unknown() -> None:
    """They may be the same."""
    assert Judgement.UNKNOWN is judged(CHECK, unlike().lacking(FAR, ProgramVersion, "facts"))


def test_missing_program_does_not_apply() -> None:
    """Nothing to compare."""
    scene = untested(healthy(), attempt(EngineFailure.MISSING))
    assert Judgement.NOT_APPLICABLE is judged(CHECK, scene)


@pytest.mark.parametrize("failure", [EngineFailure.UNREACHABLE, EngineFailure.BUSY, EngineFailure.OTHER])
def test_other_failures_are_unknown(failure: EngineFailure) -> None:
    """Another check names them."""
    assert Judgement.UNKNOWN is judged(CHECK, untested(healthy(), attempt(failure)))


def test_asks_for_a_test() -> None:
    """Nothing was tried yet."""
    (ask,) = asked(CHECK, untested(healthy()))
    assert ask.trial is not None
