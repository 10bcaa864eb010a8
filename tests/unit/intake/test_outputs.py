"""Outputs of traffic programs to trials."""

from dataclasses import replace

from fullrate.intake.outputs import Told, addresses, trials_of
from fullrate.records.ends import Direction, End
from fullrate.records.leaf import Generator
from fullrate.records.part import Part
from fullrate.records.trial import TrialSpec
from unit.intake.build import RUN, SERVED, claim, part, traffic

CLIENT, SERVER = part(RUN, "client"), part(SERVED, "server")


def told(*parts: Part, near_serves: bool = False, by: Generator | None = None) -> tuple[Told, ...]:
    """The trials that parts tell of."""
    program = by or traffic()
    return trials_of([claim(one, program) for one in parts], near_serves=near_serves)


def spec(*parts: Part, near_serves: bool = False) -> TrialSpec:
    """What the first trial was."""
    return told(*parts, near_serves=near_serves)[0].record.spec


def test_an_output_is_a_trial() -> None:
    """Of the program that knows it, with what was printed."""
    record = told(CLIENT)[0].record
    assert ("t1", "traffic", ()) == (record.id, record.generator, record.frames)
    assert [("client", End.NEAR, RUN.encode())] == [(one.role, one.end, one.stdout) for one in record.outputs]


def test_both_ends_of_one_test_are_one_trial() -> None:
    """What client and server printed goes together, in any order."""
    record = told(SERVER, CLIENT)[0].record
    assert {"client": End.NEAR, "server": End.FAR} == {one.role: one.end for one in record.outputs}


def test_two_clients_are_two_trials() -> None:
    """The same test made twice."""
    assert ["t1", "t2"] == [one.record.id for one in told(CLIENT, replace(CLIENT, line=9))]


def test_different_moments_are_different_trials() -> None:
    """A client before and a server after are not of one test."""
    found = told(replace(CLIENT, moment="before"), replace(SERVER, moment="after"))
    assert 2 == len(found)


def test_a_near_end_that_serves_receives() -> None:
    """What the client sends then comes from the far end."""
    found = spec(SERVER, near_serves=True)
    assert (True, Direction.FAR_TO_NEAR, False) == (found.near_serves, found.direction, found.reverse)


def test_its_output_is_the_near_ends() -> None:
    """The server is near then."""
    assert [("server", End.NEAR)] == [(one.role, one.end) for one in told(SERVER, near_serves=True)[0].record.outputs]


def test_an_output_that_tells_of_no_test() -> None:
    """There is no trial."""
    assert () == told(CLIENT, by=traffic(told=lambda _: None))


def test_addresses_of_the_ends() -> None:
    """As the client, or the server, names them."""
    both = {End.NEAR: "192.0.2.1", End.FAR: "192.0.2.2"}
    assert (both, both) == (addresses(told(CLIENT)), addresses(told(SERVER)))


def test_no_address_is_told() -> None:
    """A summary names none."""
    assert {} == addresses(told(part("port 5201")))
