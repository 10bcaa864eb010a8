"""What is offered for a word that is being typed."""

from collections.abc import Callable
from pathlib import Path

import pytest
import rich_click as click
from click.shell_completion import ShellComplete

from fullrate.cli import app, completing
from fullrate.host.fake import FakeHost
from fullrate.lab import faults
from fullrate.records.causes import CAUSES
from fullrate.records.evidence import Reply, Request, Status

FORMS = ["iperf3://", "lab:", "lab:wire", "lab:cpu"]
Offer = Callable[[click.Context, click.Parameter, str], list[str]]


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> FakeHost:
    """A machine with two network namespaces."""

    def answer(request: Request) -> Reply:
        return Reply(request=request, status=Status.OK, payload=b"/run/netns/blue\n/run/netns/bright red\n")

    fake = FakeHost(answer)
    monkeypatch.setattr("fullrate.host.local.LocalHost", lambda: fake)
    return fake


def offered(*words: str) -> list[str]:
    """What the last word may become after the others."""
    *done, begun = words
    return [item.value for item in ShellComplete(app, {}, "fullrate", "_").get_completions(done, begun)]


def called(offer: Offer, begun: str) -> list[str]:
    """What one function offers."""
    return offer(click.Context(app), click.Option(["--x"]), begun)


def test_verbs() -> None:
    """The lazy group offers its verbs."""
    assert ["collect", "confirm", "completion"] == offered("co")


def test_options_of_a_verb() -> None:
    """Each verb offers its own."""
    assert ["--link-speed"] == offered("measure", "--link")


def test_shells() -> None:
    """Those there are scripts for."""
    assert ["bash", "zsh", "fish"] == offered("completion", "")


@pytest.mark.parametrize(
    "words",
    [
        *(("check",), ("measure",), ("doctor",), ("recover",), ("changes",)),
        *(("check", "x", "--from"), ("collect", "--with"), ("collect", "--from"), ("plan", "x", "--from")),
        *(("confirm", "x", "--on"), ("revert", "x", "--on")),
    ],
)
def test_targets_wherever_one_is_named(host: FakeHost, words: tuple[str, ...]) -> None:
    """The forms of a target, with the namespaces there are."""
    assert [*FORMS, "netns:blue", "netns:bright red"] == offered(*words, "")
    assert 1 == len(host.asked)


@pytest.mark.parametrize(
    ("begun", "expected"),
    [("net", ["netns:blue", "netns:bright red"]), ("netns:br", ["netns:bright red"]), ("lab:w", ["lab:wire"])],
)
def test_a_target_that_is_begun(host: FakeHost, begun: str, expected: list[str]) -> None:
    """Only what begins so."""
    assert expected == called(completing.targets, begun)
    assert not host.performed


def test_a_host_is_not_guessed(host: FakeHost) -> None:
    """Names of machines are known to nobody here."""
    assert ([], 1) == (called(completing.targets, "root@"), len(host.asked))


def test_without_namespaces_the_forms_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is not there is no error."""
    fake = FakeHost(lambda request: Reply(request=request, status=Status.ABSENT))
    monkeypatch.setattr("fullrate.host.local.LocalHost", lambda: fake)
    assert FORMS == called(completing.targets, "")


def test_causes() -> None:
    """Every slug, or those that begin so."""
    assert list(CAUSES) == offered("explain", "")
    assert ["tcp-buffers-too-small"] == called(completing.causes, "tcp-b")


def test_faults() -> None:
    """Those of the practice network."""
    assert [fault.id for fault in faults()] == offered("lab", "break", "")
    assert ["tc-filter-drop", "tc-shaper", "tc-shaper-20m"] == called(completing.faults, "tc-")


def test_faults_of_the_hardware_lab() -> None:
    """Once --guest was said."""
    assert ["rss-single-queue", "rx-ring-too-small"] == offered("lab", "break", "--guest", "r")


def test_files_are_left_to_the_shell() -> None:
    """It knows them better."""
    items = ShellComplete(app, {}, "fullrate", "_").get_completions(["diagnose"], str(Path("x")))
    assert ["file"] == [item.type for item in items]
