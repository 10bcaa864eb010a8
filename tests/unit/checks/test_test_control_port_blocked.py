"""A filter between client and server."""

from dataclasses import replace

import pytest

from fullrate.checks.test_control_port_blocked import CHECK
from fullrate.records.facts.net import EchoProbe, FilterChain, FilterRule
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.recording import Promise
from fullrate.records.trial import EngineFailure, EngineResult
from unit.checks.build import FAR, NEAR, Scene, asked, attempt, bulk, evidence, found, healthy, judged, untested
from unit.checks.glancing import seen
from unit.checks.pairs import legacy, rule
from unit.checks.scenes import silent_ports

BLOCKED = attempt(EngineFailure.UNREACHABLE, blocked=True)


def one_sided() -> Scene:
    """Ports of the far end are filtered."""
    return silent_ports(near_too=False)


def by_iptables() -> Scene:
    """The filter is iptables-nft's."""
    dropped = replace(rule(9), subject="ip filter INPUT 7", family="ip", table="filter", chain="INPUT")
    chain = FilterChain(subject="ip filter INPUT", hook="input", policy="accept", rules=3)
    return one_sided().having(FAR, dropped, chain)


def test_server_without_visitors_is_a_problem() -> None:
    """It listened, and the client got no answer."""
    finding = found(CHECK, one_sided())
    assert (Judgement.PROBLEM, FAR, "TCP ports 5201 to 5202") == (finding.verdict, finding.end, finding.subject)


def test_both_ends_filtered() -> None:
    """With the roles swapped as well: one remedy for each end."""
    finding = found(CHECK, silent_ports())
    assert (None, [NEAR, FAR]) == (finding.end, [one.end for one in finding.remedies][::-1])
    assert finding.summary.endswith("on either end, a filter discards the packets: no test could run")


def test_measured_with_the_roles_swapped_is_still_told() -> None:
    """The user would like to know why."""
    scene = replace(healthy(), tries=(BLOCKED,)).view()
    last = replace(scene.trials[-1], spec=bulk(near_serves=True))
    finding = CHECK.diagnose(replace(scene, trials=(*scene.trials[:-1], last)))
    assert Judgement.PROBLEM is finding.verdict
    assert finding.summary.endswith("measured with the roles swapped")


def test_measured_on_another_port_is_still_told() -> None:
    """The roles stayed as they were."""
    assert found(CHECK, replace(healthy(), tries=(BLOCKED,))).summary.endswith("measured on another port")


def test_cites_attempt_and_rule() -> None:
    """What was tried, and a rule that may be the reason."""
    finding = found(CHECK, one_sided().having(FAR, rule(9)))
    assert ("trial/t-5201", "no answer") == evidence(finding, "port 5201 on far")
    assert ("run nft --json list ruleset", "numgen random mod 100 < 5 drop") == evidence(finding, "inet fw in 10")


def test_remedy_opens_the_ports_ahead_of_the_rule() -> None:
    """The chain is saved first and loaded again."""
    (remedy,) = found(CHECK, one_sided().having(FAR, rule(9))).remedies
    assert (
        "(echo 'flush chain inet fw in'; nft list chain inet fw in) > fullrate-inet-fw-in.rules",
        "nft insert rule inet fw in tcp dport 5201-5210 accept",
        "nft insert rule inet fw in udp dport 5201-5210 accept",
    ) == remedy.commands
    assert ("nft -f fullrate-inet-fw-in.rules",) == remedy.undo


def test_remedy_where_legacy_iptables_rules() -> None:
    """That program opens the port, not the one on nftables."""
    (remedy,) = found(CHECK, one_sided().having(FAR, legacy(3))).remedies
    assert "iptables-legacy -t filter -I INPUT -p tcp --dport 5201:5210 -j ACCEPT" == remedy.commands[0]


def test_remedy_where_iptables_rules() -> None:
    """Iptables deletes its rule by the same words."""
    (remedy,) = found(CHECK, by_iptables()).remedies
    assert (
        "iptables -t filter -I INPUT -p tcp --dport 5201:5210 -j ACCEPT",
        "iptables -t filter -I INPUT -p udp --dport 5201:5210 -j ACCEPT",
    ) == remedy.commands
    assert (
        "iptables -t filter -D INPUT -p udp --dport 5201:5210 -j ACCEPT",
        "iptables -t filter -D INPUT -p tcp --dport 5201:5210 -j ACCEPT",
    ) == remedy.undo


def test_policy_that_drops_is_opened_too() -> None:
    """No rule drops; what none accepts is dropped."""
    chain = FilterChain(subject="inet filter input", hook="input", policy="drop", rules=5)
    finding = found(CHECK, one_sided().having(FAR, chain))
    assert "nft insert rule inet filter input tcp dport 5201-5210 accept" == finding.remedies[0].commands[1]
    assert "policy drop" == evidence(finding, "inet filter input")[1]


def test_one_port_is_written_as_one() -> None:
    """No range of a single number."""
    scene = replace(one_sided().having(FAR, rule(9)), promise=Promise(ports=(5201,)))
    assert "nft insert rule inet fw in tcp dport 5201 accept" == found(CHECK, scene).remedies[0].commands[1]


@pytest.mark.parametrize("facts", [(), (rule(9, hook="output"),), (rule(9, hook="forward"),)])
def test_no_command_is_invented_for_a_filter_that_is_not_seen(facts: tuple[FilterRule, ...]) -> None:
    """Neither where no rule is known nor where it cannot be the one: the filter may be a router's."""
    (remedy,) = found(CHECK, one_sided().having(FAR, *facts)).remedies
    assert ((), ()) == (remedy.commands, remedy.undo)
    assert remedy.note.startswith("no rule of this host is seen to drop it")


def test_measurement_is_clear() -> None:
    """The port answers."""
    assert Judgement.CLEAR is judged(CHECK, healthy())


@pytest.mark.parametrize("failure", [EngineFailure.REFUSED, EngineFailure.BUSY])
def test_any_answer_is_clear(failure: EngineFailure) -> None:
    """A near miss: no test ran, but packets pass both ways."""
    assert Judgement.CLEAR is judged(CHECK, untested(healthy(), attempt(failure)))


@pytest.mark.parametrize("failure", [EngineFailure.UNREACHABLE, EngineFailure.PORT_IN_USE, EngineFailure.OTHER, None])
def test_no_answer_without_a_listening_server_is_unknown(failure: EngineFailure | None) -> None:
    """A near miss: nothing listened that could have answered."""
    assert Judgement.UNKNOWN is judged(CHECK, untested(healthy(), attempt(failure)))


def test_nothing_tried_asks_for_the_test() -> None:
    """It is unknown, though the link was looked at."""
    assert [bulk()] == [ask.trial for ask in asked(CHECK, untested(healthy()))]


def test_program_that_cannot_run_does_not_apply() -> None:
    """No connection was tried."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, untested(healthy(), attempt(EngineFailure.MISSING)))


def test_policy_of_forwarding_is_not_opened() -> None:
    """A near miss: it drops, of packets for other hosts."""
    chain = FilterChain(subject="ip filter FORWARD", hook="forward", policy="drop", rules=5)
    assert () == found(CHECK, one_sided().having(FAR, chain)).remedies[0].commands


def test_names_host_and_chain() -> None:
    """As the user named the host."""
    finding = found(CHECK, one_sided().having(FAR, rule(9)))
    assert "on root@nas, a filter discards" in finding.summary
    assert "inet fw in" == finding.remedies[0].subject


def shown(failure: EngineFailure, *, answered: int = 3) -> Confidence | None:
    """How sure a failed test and an echo that somebody showed make it."""
    view = seen([EchoProbe(subject="192.0.2.2 56", sent=3, received=answered, size=56)], rate=1e9)
    engine = EngineResult(program="iperf3", failure=failure)
    trial = replace(view.trials[0], told=True, throughput=None, engine=engine, failure="no answer")
    finding = CHECK.glance(replace(view, trials=(trial,))) if CHECK.glance else None
    return None if finding is None else finding.confidence


def test_a_host_that_answers_echoes_and_not_the_test() -> None:
    """It is up, and nothing refused the connection."""
    assert Confidence.MEDIUM is shown(EngineFailure.UNREACHABLE)


@pytest.mark.parametrize(("failure", "answered"), [(EngineFailure.REFUSED, 3), (EngineFailure.BUSY, 3),
                                                    (EngineFailure.UNREACHABLE, 0)])  # fmt: skip
def test_what_was_shown_may_have_other_reasons(failure: EngineFailure, answered: int) -> None:
    """Nobody listens, another test runs, the host is down."""
    assert shown(failure, answered=answered) is None
