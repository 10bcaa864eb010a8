"""`fullrate check user@host` over a real sshd: the same verdict as inside the two namespaces."""

from collections.abc import Iterator

import pytest

from fullrate.lab.catalog import fault_named
from fullrate.records.ends import Direction
from lab.driving import FAR, NEAR, Document, User, lab
from lab.ssh_end import TARGET, make, sshd

pytestmark = pytest.mark.lab

NAMESPACES = (f"netns:{FAR}", "--from", f"netns:{NEAR}", "--interface", "wire0")
FAULTS = [
    "",
    "tc-shaper",
    pytest.param("netfilter-drop", marks=pytest.mark.long),
    pytest.param("path-loss", marks=pytest.mark.long),
]


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[User]:
    """A user in the near end, who can log in to the far one."""
    with lab():
        end = make(tmp_path_factory.mktemp("ssh"))
        with sshd(end):
            yield end.user(tmp_path_factory.mktemp("state"))


@pytest.fixture(params=FAULTS, ids=lambda fault: fault or "healthy")
def one_way(request: pytest.FixtureRequest, user: User) -> Iterator[bool]:
    """Whether what is in the lab shows in one direction; of two that are alike, chance picks the worse."""
    if request.param:
        assert 0 == user.runs("lab", "break", request.param).code
    yield request.param != "" and fault_named(request.param).direction is not Direction.BOTH
    assert 0 == user.runs("lab", "heal").code


def _verdict(user: User, *job: str) -> list[Document]:
    """What was complained about and what was left, then state, cause, end and direction."""
    standing = user.processes()
    answer = user.runs("check", *job, "--link-speed", "1G", "--json")
    verdict = answer.document["verdict"]
    return [answer.stderr, user.left(standing), *(verdict[key] for key in ("state", "cause", "end", "direction"))]


def test_verdict_is_that_of_the_namespaces(one_way: bool, user: User) -> None:  # noqa: FBT001 - pytest passes it
    """How the far end is reached does not change the answer; nothing is complained about, nothing is left."""
    expected = _verdict(User(state=user.state), *NAMESPACES)
    found = _verdict(user, TARGET)
    assert ["", []] == expected[:2]
    assert (expected if one_way else expected[:-1]) == (found if one_way else found[:-1])
