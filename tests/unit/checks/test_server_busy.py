"""No free test server."""

from dataclasses import replace

import pytest

from fullrate.checks.server_busy import CHECK
from fullrate.records.facts.net import ListeningSocket
from fullrate.records.finding import Judgement
from fullrate.records.recording import Promise
from fullrate.records.trial import EngineFailure
from unit.checks.build import FAR, NEAR, asked, attempt, bulk, evidence, found, healthy, judged, untested
from unit.checks.scenes import busy_ports, silent_ports


def test_every_port_taken_is_a_problem() -> None:
    """Ten answers of a busy server."""
    finding = found(CHECK, busy_ports())
    assert (Judgement.PROBLEM, FAR, 0.0) == (finding.verdict, finding.end, finding.costs_bps)
    assert "no test server can be had on root@nas: TCP ports 5201 to 5210 taken" == finding.summary


def test_server_that_could_not_bind_is_a_problem() -> None:
    """Another program has the port."""
    assert Judgement.PROBLEM is judged(CHECK, untested(healthy(), attempt(EngineFailure.PORT_IN_USE)))


def test_cites_the_attempts_and_who_holds_the_port() -> None:
    """The program and its pid, so that a person can ask it to go."""
    holder = ListeningSocket(subject="*:5201", address="*", port=5201, process="iperf3", pid=812)
    finding = found(CHECK, busy_ports().having(FAR, holder))
    assert ("ListeningSocket", "iperf3 pid 812") == evidence(finding, "*:5201")
    assert ("trial/t-5210", "busy") == evidence(finding, "port 5210 on far")


def test_holder_that_root_alone_may_see_is_named_as_far_as_known() -> None:
    """A socket without its program."""
    holder = ListeningSocket(subject="*:5201", address="*", port=5201)
    finding = found(CHECK, busy_ports().having(FAR, holder))
    assert "a program pid not shown without root" == evidence(finding, "*:5201")[1]


def test_remedy_names_the_next_ports_and_kills_nothing() -> None:
    """There is no undo for a killed server."""
    (remedy,) = found(CHECK, busy_ports()).remedies
    assert (("fullrate check root@nas --port 5211-5220",), ()) == (remedy.commands, remedy.undo)


def test_remedy_of_a_single_port() -> None:
    """One was promised, one is offered."""
    scene = untested(replace(healthy(), promise=Promise(ports=(7000,))), attempt(EngineFailure.BUSY, port=7000))
    assert ("fullrate check root@nas --port 7001",) == found(CHECK, scene).remedies[0].commands


def test_no_ports_are_offered_beyond_the_last() -> None:
    """65535 is the highest."""
    promise = Promise(ports=tuple(range(65530, 65536)))
    scene = untested(replace(healthy(), promise=promise), attempt(EngineFailure.BUSY, port=65530))
    assert () == found(CHECK, scene).remedies


def test_port_that_is_not_known_is_left_out() -> None:
    """An attempt without a port, as an old recording may hold."""
    scene = untested(healthy(), replace(attempt(EngineFailure.BUSY), port=None))
    assert "the TCP port" == found(CHECK, scene).subject


def test_measurement_is_clear() -> None:
    """A busy port first, then a free one."""
    scene = replace(healthy(), tries=(attempt(EngineFailure.BUSY),))
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_filtered_port_is_clear() -> None:
    """A near miss: no test could run, yet the server listened."""
    assert Judgement.CLEAR is judged(CHECK, silent_ports())


@pytest.mark.parametrize("failure", [EngineFailure.REFUSED, EngineFailure.OTHER, None])
def test_other_failures_are_unknown(failure: EngineFailure | None) -> None:
    """Whether a server could be had did not show."""
    assert Judgement.UNKNOWN is judged(CHECK, untested(healthy(), attempt(failure)))


def test_nothing_tried_asks_for_the_test() -> None:
    """It is unknown, though the link was looked at."""
    assert [bulk()] == [ask.trial for ask in asked(CHECK, untested(healthy()))]


def test_program_that_cannot_run_does_not_apply() -> None:
    """A near miss: no server was even started."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, untested(healthy(), attempt(EngineFailure.MISSING)))


def test_swapped_roles_name_the_other_end() -> None:
    """The near end was to serve."""
    scene = untested(healthy(), attempt(EngineFailure.PORT_IN_USE, near_serves=True))
    assert NEAR is found(CHECK, scene).end
