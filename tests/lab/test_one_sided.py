"""`fullrate check iperf3://HOST` in the lab: a server that somebody else runs on the far end is all there is of it."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from lab.driving import FAR, NEAR, Answer, User, lab, problems, shell
from lab.far_end import wait_until

pytestmark = pytest.mark.lab

ADDRESS = "10.77.2.2"
IN_FAR = ("ip", "netns", "exec", FAR)
PORT = 5201
WITHIN = 25.0  # seconds: both directions, ten each at most, and what comes before


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[User]:
    """A user with a lab."""
    with lab():
        yield User(state=tmp_path_factory.mktemp("state"))


@contextmanager
def serving() -> Iterator[None]:
    """A server on the far end, as its owner would run it: for everybody, test after test."""
    with _running("-s"):
        wait_until(lambda: f":{PORT} " in shell(*IN_FAR, "ss", "-tlnH"), 5.0)
        yield


@contextmanager
def occupied() -> Iterator[None]:
    """Somebody else's test, which does not cross the link."""
    with _running("-c", ADDRESS, "-b", "1M", "-t", "60"):
        wait_until(lambda: f":{PORT} " in shell(*IN_FAR, "ss", "-tnH", "state", "established"), 5.0)
        yield


@contextmanager
def _running(*options: str) -> Iterator[None]:
    process = subprocess.Popen((*IN_FAR, "iperf3", *options), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def checked(user: User, ports: str = "") -> Answer:
    """What a check of the server says, from the near end."""
    target = f"iperf3://{ADDRESS}{ports}"
    return user.runs("check", target, "--from", f"netns:{NEAR}", "--link-speed", "1G", "--json")


@pytest.fixture(scope="module")
def healthy(user: User) -> Answer:
    """A server that is free, on a whole link."""
    with serving():
        return checked(user)


def test_a_healthy_link_is_full_from_one_end(healthy: Answer) -> None:
    """In both directions, and no server of ours was needed."""
    found = [one["throughput_bps"] is not None for one in healthy.document["measurements"]]
    assert (0, "", "full", [True, True]) == (healthy.code, healthy.stderr, healthy.document["verdict"]["state"], found)


def test_it_says_by_what_it_was_counted(healthy: Answer) -> None:
    """The near end sees no receiver but itself."""
    out, back = healthy.document["measurements"]
    counted = [any("bytes_acked" in warning for warning in one["warnings"]) for one in (out, back)]
    assert [True, False] == counted


def test_it_takes_no_longer_than_promised(healthy: Answer) -> None:
    """A server's time is somebody else's."""
    assert healthy.seconds < WITHIN


def test_a_busy_server_is_named(user: User) -> None:
    """After a few tries it is left alone, and the other's test is not disturbed."""
    with serving(), occupied():
        answer = checked(user)
        assert f":{PORT} " in shell(*IN_FAR, "ss", "-tnH", "state", "established")
    verdict = answer.document["verdict"]
    assert ("server-busy", "far", ["server-busy"]) == (
        verdict["cause"],
        verdict["end"],
        [one["cause"] for one in problems(answer.document)],
    )
    assert (1, True) == (answer.code, answer.seconds < WITHIN)


def test_a_refused_port_is_undecided(user: User) -> None:
    """Each port of the range is tried once, and the other end is asked for."""
    answer = checked(user, ":5201-5203")
    assert (3, "undecided") == (answer.code, answer.document["verdict"]["state"])
    assert "only from the other end: run fullrate check user@10.77.2.2" in answer.document["verdict"]["ask_for"]
    assert "refused" in answer.document["verdict"]["summary"]


def test_nothing_is_left_running(user: User) -> None:
    """Neither of ours nor of the tests."""
    assert [] == user.left()
