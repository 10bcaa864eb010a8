"""Ends, links and moments of parts."""

from dataclasses import replace

import pytest

from fullrate.intake.claim import UNNAMED
from fullrate.intake.places import grew, in_order, main_link, placed, serves, subject_of
from fullrate.records.ends import End
from fullrate.records.facts.ethtool import NicCounters
from fullrate.records.part import Part
from unit.intake.build import INTERRUPTS, MORE_STATS, RUN, SERVED, SETTINGS, STATS, claim, part

CLIENT = part(RUN, "client")
SERVER = part(SERVED, "server")
HOST = part(STATS, "host")


def ends(*parts: Part) -> list[End | None]:
    """The ends the parts get; those of a test are outputs of traffic programs."""
    return [one.end for one in placed(parts, {one for one in parts if "5201" in one.text}).parts]


@pytest.mark.parametrize(
    ("found", "listens"),
    [
        (CLIENT, False),
        (SERVER, True),
        (part("", command=("iperf3", "-s")), True),
        (part("", command=("iperf", "-su")), True),
        (part("", command=("iperf3", "-c", "a", "-P", "4")), False),
    ],
)
def test_who_listens(found: Part, listens: bool) -> None:  # noqa: FBT001 - a parameter
    """By the command, or by what it printed."""
    assert listens is serves(found)


def test_what_nothing_places_is_near() -> None:
    """There is one host that somebody looked at."""
    assert [End.NEAR, End.NEAR] == ends(HOST, CLIENT)


def test_what_is_said_holds() -> None:
    """A file's name, or the user, decides."""
    assert [End.FAR, End.NEAR] == ends(replace(HOST, end=End.FAR), CLIENT)


def test_two_hosts_in_prompts() -> None:
    """The host that served is the far one, wherever it stands."""
    server, client = replace(SERVER, host="b"), replace(CLIENT, host="a")
    assert [End.FAR, End.NEAR, End.FAR] == ends(server, client, replace(HOST, host="b"))


def test_the_host_that_ran_the_client_is_near() -> None:
    """The other one, of which more may have been pasted, answered it."""
    assert [End.FAR, End.NEAR] == ends(replace(HOST, host="b"), replace(CLIENT, host="a"))


def test_what_a_text_says_of_one_host() -> None:
    """`on the server:` above one of its outputs."""
    assert [End.NEAR, End.FAR] == ends(replace(HOST, host="b"), replace(HOST, host="a", end=End.FAR))


def test_two_hosts_without_a_test() -> None:
    """The first is the near one."""
    assert [End.NEAR, End.FAR] == ends(replace(HOST, host="a"), replace(HOST, host="b"))


def test_a_host_that_only_served_is_near_and_serves() -> None:
    """Its outputs are what was looked at."""
    found = placed((HOST, SERVER), {SERVER})
    assert ([End.NEAR, End.NEAR], True) == ([one.end for one in found.parts], found.near_serves)


def test_a_client_among_the_outputs_is_near() -> None:
    """Then the listening end is the other one, but what nothing places is the client's."""
    assert not placed((HOST, SERVER, CLIENT), {SERVER, CLIENT}).near_serves


def test_only_far_parts_without_a_word_of_the_user() -> None:
    """A file called server.txt alone is the one host there is."""
    found = placed((replace(SERVER, end=End.FAR),), {replace(SERVER, end=End.FAR)})
    assert ([End.NEAR], True) == ([one.end for one in found.parts], found.near_serves)


def test_only_far_parts_by_the_user() -> None:
    """--far stays far."""
    said = replace(SERVER, end=End.FAR, said=True)
    assert [End.FAR] == ends(said)


def test_the_link_that_a_part_is_about() -> None:
    """As its reader understood it: by the title, else by the request; of what has no link, none."""
    found = (claim(part(SETTINGS)), claim(HOST), claim(part(INTERRUPTS)))
    assert ["eth0", UNNAMED, None] == [subject_of(one) for one in found]


@pytest.mark.parametrize(
    ("subjects", "link"),
    [
        (["eth0", "eth1", "eth1"], "eth1"),
        ([UNNAMED, UNNAMED, "eth0"], "eth0"),
        ([UNNAMED, None], UNNAMED),
        ([None], None),
        ([], None),
    ],
)
def test_the_main_link(subjects: list[str | None], link: str | None) -> None:
    """The one that most parts name; the placeholder only where none is named."""
    assert link == main_link(subjects)


def test_the_same_command_twice_is_before_and_after() -> None:
    """When every counter grew."""
    found = in_order([claim(part(STATS)), claim(part(MORE_STATS, line=9))])
    assert ["before", "after"] == [one.part.moment for one in found]


def test_counters_that_went_back_are_of_two_hosts() -> None:
    """Or of two boots: there is no difference to take."""
    found = in_order([claim(part(MORE_STATS)), claim(part(STATS, line=9))])
    assert [None, None] == [one.part.moment for one in found]


def test_two_files_are_no_pair() -> None:
    """Only within one text is the order that of time."""
    found = in_order([claim(part(STATS, "a")), claim(part(MORE_STATS, "b"))])
    assert [None, None] == [one.part.moment for one in found]


def test_settings_twice_are_no_counters() -> None:
    """Nothing is made of the difference."""
    found = in_order([claim(part(SETTINGS)), claim(part(SETTINGS, line=9))])
    assert [None, None] == [one.part.moment for one in found]


@pytest.mark.parametrize(("later", "grown"), [(5, True), (4, False), (3, False)])
def test_growth(later: int, grown: bool) -> None:  # noqa: FBT001 - a parameter
    """One counter must go on, none may go back."""
    before = NicCounters(subject="eth0", counters={"a": 4, "b": 1})
    assert grown is grew([before], [NicCounters(subject="eth0", counters={"a": later, "b": 1})])


def test_facts_of_different_links_are_not_compared() -> None:
    """There is nothing to compare."""
    assert not grew([NicCounters(subject="a", counters={"x": 1})], [NicCounters(subject="b", counters={"x": 2})])
