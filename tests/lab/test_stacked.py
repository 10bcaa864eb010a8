"""A test over a macvlan reads the link below it as well. Not every kernel has VLANs and bonds to try it on."""

from collections.abc import Iterator

import pytest

from lab.driving import FAR, NEAR, Answer, User, direct, lab, shell

pytestmark = pytest.mark.lab

PARENT, ABOVE = "frt-l7", "frt-m7"


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answer]:
    """What a check over a macvlan on another link between the ends says."""
    with lab(), direct(PARENT):
        for place, address in ((NEAR, "10.77.8.1/24"), (FAR, "10.77.8.2/24")):
            shell("ip", "-n", place, "link", "add", "link", PARENT, "name", ABOVE, "type", "macvlan")
            shell("ip", "-n", place, "address", "add", address, "dev", ABOVE)
            shell("ip", "-n", place, "link", "set", ABOVE, "up")
        user = User(state=tmp_path_factory.mktemp("state"))
        yield user.runs(
            *("check", f"netns:{FAR}", "--from", f"netns:{NEAR}", "--interface", ABOVE),
            *("--link-speed", "1G", "--max-rate", "1G", "--json"),
        )


@pytest.mark.parametrize("end", ["near", "far"])
@pytest.mark.parametrize("kind", ["Features", "Channels"])
def test_settings_of_both_links_are_read(end: str, kind: str, answer: Answer) -> None:
    """The macvlan's and its parent's, which alone has channels."""
    read = {fact["subject"] for fact in answer.document["ends"][end]["facts"][kind]}
    assert {PARENT} == read - {ABOVE}


def test_the_upper_link_is_the_one_under_test(answer: Answer) -> None:
    """On both ends, as the user said."""
    assert [ABOVE, ABOVE] == [answer.document["ends"][end]["interface"] for end in ("near", "far")]


def test_nothing_broke(answer: Answer) -> None:
    """No check failed on the stacked link."""
    assert [] == [one["check"] for one in answer.document["findings"] if "this check failed" in one["summary"]]
