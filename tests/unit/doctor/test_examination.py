"""The whole checkup of a machine."""

import pytest

from doctored import Replies, changed, failed, named, whole, without
from fullrate.doctor.examination import evaluate, examine, requests
from fullrate.doctor.machine import NET_DEV
from fullrate.doctor.tools import TOOLS
from fullrate.host.fake import FakeHost
from fullrate.records.doctor import Checkup, Standing
from fullrate.records.evidence import QueryCommand, ReadFile, Reply, Request, Status
from fullrate.version import __version__

OWN = "3.11.7"
NOTHING: Replies = {}


def checkup(replies: Replies, python: str | None = OWN) -> Checkup:
    """What these answers make."""
    return evaluate(replies, "this host", python=python)


def test_a_whole_machine() -> None:
    """It is ready and nothing is to be done."""
    found = checkup(whole())
    assert (True, "a check can run, and nothing is missing", "") == (found.ready, found.summary, found.install)


def test_it_names_itself_and_the_machine() -> None:
    """A document stands alone."""
    found = checkup(whole())
    assert ("fullrate/doctor/1", __version__, "this host") == (found.schema, found.tool_version, found.target)


def test_without_an_essential_tool_it_is_not_ready() -> None:
    """The summary says which."""
    found = checkup(without(whole(), "ip"))
    assert (False, "no check can run here: ip missing or of no use") == (found.ready, found.summary)


def test_without_counters_it_is_not_ready() -> None:
    """There would be no rate."""
    assert not checkup(changed(whole(), failed(NET_DEV, Status.DENIED))).ready


@pytest.mark.parametrize("name", [tool.name for tool in TOOLS if not tool.essential])
def test_without_any_other_tool_it_is_ready(name: str) -> None:
    """And the summary counts what is amiss."""
    found = checkup(without(whole(), name))
    assert (True, "a check can run; 1 missing") == (found.ready, found.summary)


def test_everything_amiss_is_counted_by_kind() -> None:
    """In one sentence."""
    timed_out = failed(next(tool.probe for tool in TOOLS if tool.name == "nft"), Status.TIMED_OUT)
    found = checkup(changed(without(whole("user"), "lspci", "ping"), timed_out))
    assert "a check can run; 2 limited, 2 missing, 1 unknown" == found.summary


def test_a_user_is_told_to_use_sudo() -> None:
    """Whoever is no root cannot install."""
    assert "sudo apt-get install ethtool" == checkup(without(whole("user"), "ethtool")).install


def test_a_user_is_ready() -> None:
    """Root is not needed for a check."""
    assert checkup(whole("user")).ready


def test_a_machine_that_answers_nothing_is_not_ready() -> None:
    """It is a checkup all the same, with every tool missing."""
    found = checkup(NOTHING)
    assert (False, "no check can run here: ip, counters missing or of no use") == (found.ready, found.summary)
    assert {Standing.MISSING} == {named(found.items, tool.name).standing for tool in TOOLS}


def test_a_far_end_needs_no_ssh_client() -> None:
    """Nor is it asked for one."""
    assert "ssh" not in {item.name for item in checkup(whole(), python=None).items}
    assert "run ssh -V" not in {request.key for request in requests(near=False)}


@pytest.mark.parametrize("near", [True, False])
def test_nothing_is_asked_twice(near: bool) -> None:  # noqa: FBT001 - a parameter
    """Each request stands once in the list."""
    keys = [request.key for request in requests(near=near)]
    assert len(keys) == len(set(keys))


def test_only_versions_are_run() -> None:
    """No command does more than tell its version."""
    commands = [request.argv[1:] for request in requests(near=True) if isinstance(request, QueryCommand)]
    assert {("--version",), ("-V",)} == set(commands)


def test_the_machine_is_asked_once() -> None:
    """One call, whose answers make the checkup; nothing is changed, launched or sampled."""
    replies = whole()
    host = FakeHost(lambda request: replies[request.key])
    assert checkup(replies) == examine(host, "this host", python=OWN)
    assert ([], [], []) == (host.performed, host.launched, host.plans)
    assert list(requests(near=True)) == host.asked


def test_a_machine_with_nothing_at_all() -> None:
    """Every request absent: still a checkup."""

    def nothing(request: Request) -> Reply:
        return failed(request)

    found = examine(FakeHost(nothing), "box", python=None)
    assert ("box", False) == (found.target, found.ready)


def test_os_release_is_asked() -> None:
    """The install line needs it."""
    assert ReadFile(path="/etc/os-release") in requests(near=False)
