"""`fullrate check lab:` on the whole lab and on every fault: the cause comes first, nobody innocent is blamed."""

from collections.abc import Iterator

import pytest

from fullrate.lab import Fault, faults
from fullrate.lab.fault import Kind
from fullrate.lab.topology import LINKS, LabLink
from lab.driving import Answer, Document, User, lab, problems

pytestmark = pytest.mark.lab

SHORT = {"tc-shaper", "netfilter-drop", "cpu-quota", "path-loss", "tcp-buffers-too-small"}  # of both links
WITHIN = 45.0  # seconds a check may take


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[User]:
    """A user with a lab."""
    with lab():
        yield User(state=tmp_path_factory.mktemp("state"))


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(one, id=one.id, marks=() if one.id in SHORT else pytest.mark.long)
        for one in sorted(faults(), key=lambda one: one.id not in SHORT)
    ],
)
def fault(request: pytest.FixtureRequest) -> Fault:
    """Each fault that the lab knows, the short ones first."""
    fault: Fault = request.param
    return fault


@pytest.fixture(scope="module")
def answer(fault: Fault, user: User) -> Answer:
    """What a check of the lab with the fault says."""
    return _checked(user, fault)


def _checked(user: User, fault: Fault) -> Answer:
    broken = user.runs("lab", "break", fault.id)
    assert (0, "") == (broken.code, broken.stderr)
    standing = user.processes()
    answer = user.runs("check", "lab:", "--json")
    left = user.left(standing)
    healed = user.runs("lab", "heal")
    assert ([], 0, "") == (left, healed.code, healed.stderr)
    return answer


def _named(document: Document, fault: Fault) -> str | None:
    """The cause that comes first; of a fault that costs nothing, the first that is no success, without a price."""
    if fault.kind is Kind.EFFECT:
        cause: str | None = document["verdict"]["cause"]
        return cause
    wrong = [one for one in problems(document) if not one["cause"].startswith("link-filled")]
    return next((one["cause"] for one in wrong[:1] if one["costs_bps"] == 0), None)


@pytest.mark.parametrize("link", LINKS, ids=lambda link: link.name)
def test_healthy_is_full(user: User, link: LabLink) -> None:
    """Each link of a lab without a fault is full in both directions, and nothing is wrong with it.

    5 Gbit/s take most of two shared cores: a neighbour's moment may leave that link open, and accuses nobody.
    """
    answer = user.runs("check", f"lab:{link.name}", "--json")
    wrong = [one["cause"] for one in problems(answer.document) if not one["cause"].startswith("link-filled")]
    fair = {"full"} if link.name == "wire" else {"full", "undecided"}
    assert ("", []) == (answer.stderr, wrong)
    assert answer.document["verdict"]["state"] in fair
    assert [] == user.left()


def test_fault_is_named(answer: Answer, fault: Fault) -> None:
    """The cause of the fault comes first."""
    assert fault.cause == _named(answer.document, fault)


def test_innocent_is_not_blamed(answer: Answer, fault: Fault) -> None:
    """No cause that the fault declares innocent is a problem."""
    assert set() == {one["cause"] for one in problems(answer.document)} & {*fault.innocent}


def test_fault_decides_state_and_exit(answer: Answer, fault: Fault) -> None:
    """A fault that costs rate never ends as full, one that costs nothing always does; the exit says the same."""
    full = fault.kind is Kind.CONFIGURATION
    assert (full, full) == (answer.code == 0, answer.document["verdict"]["state"] == "full")


def test_fault_is_found_in_time(answer: Answer) -> None:
    """A check takes less than 45 s, whatever is wrong."""
    assert answer.seconds < WITHIN
