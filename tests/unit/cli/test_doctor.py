"""`fullrate doctor` prints a checkup and tells by its exit code whether a check can run."""

import json
from collections.abc import Callable

import pytest

from doctored import whole, without
from fullrate.doctor.examination import evaluate
from fullrate.records.doctor import Checkup
from fullrate.records.errors import TargetError
from fullrate.records.target import Access

Command = Callable[..., int]
READY = evaluate(whole(), "nas", python=None)
NOT_READY = evaluate(without(whole(), "ip"), "nas", python=None)


@pytest.fixture
def targets(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """What the library function was given; it finds the machine ready."""
    return answering(monkeypatch, READY)


def answering(monkeypatch: pytest.MonkeyPatch, checkup: Checkup) -> list[str | None]:
    """Let the library answer with this."""
    given: list[str | None] = []

    def doctor(target: str | None, *, access: Access) -> Checkup:
        given.append(f"{target} as root" if access.sudo else target)
        return checkup

    monkeypatch.setattr("fullrate.workflow.doctor", doctor)
    return given


def test_ready(fullrate: Command, targets: list[str | None], capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 0, the text on stdout, nothing on stderr."""
    code = fullrate("doctor")
    printed = capsys.readouterr()
    assert (0, [None], "") == (code, targets, printed.err)
    assert printed.out.startswith("nas: a check can run")


def test_not_ready(fullrate: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 1, and the text says what is missing."""
    answering(monkeypatch, NOT_READY)
    assert (1, True) == (fullrate("doctor"), "no check can run here: ip" in capsys.readouterr().out)


def test_a_target(fullrate: Command, targets: list[str | None]) -> None:
    """It reaches the library as written, with how it is used."""
    assert [0, 0] == [fullrate("doctor", "root@nas"), fullrate("doctor", "nas", "--sudo")]
    assert ["root@nas", "nas as root"] == targets


@pytest.mark.parametrize(("checkup", "expected"), [(READY, 0), (NOT_READY, 1)])
def test_json(
    fullrate: Command,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    checkup: Checkup,
    expected: int,
) -> None:
    """One document on stdout, with the same exit code."""
    answering(monkeypatch, checkup)
    code = fullrate("doctor", "--json")
    document = json.loads(capsys.readouterr().out)
    assert (expected, "fullrate/doctor/1", expected == 0) == (code, document["schema"], document["ready"])


def test_a_host_that_cannot_be_reached(
    fullrate: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is not known what it lets us do: exit 3, one sentence, no document."""

    def doctor(_: str | None, *, access: Access) -> Checkup:  # noqa: ARG001 - as the verb
        raise TargetError("nas: connection refused")

    monkeypatch.setattr("fullrate.workflow.doctor", doctor)
    code = fullrate("doctor", "nas", "--json")
    printed = capsys.readouterr()
    assert (3, "", "fullrate: nas: connection refused\n") == (code, printed.out, printed.err)
