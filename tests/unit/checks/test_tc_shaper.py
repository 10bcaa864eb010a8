"""Shapers of the sending link."""

from dataclasses import replace

import pytest

from fullrate.checks.tc_shaper import CHECK
from fullrate.records.ends import Direction
from fullrate.records.facts.link import Link
from fullrate.records.facts.qdisc import Qdisc, QdiscClass
from fullrate.records.finding import Confidence, Judgement
from fullrate.records.trial import EngineFailure
from unit.checks.build import (
    CEILING,
    FAR,
    NEAR,
    Scene,
    attempt,
    change,
    evidence,
    found,
    healthy,
    judged,
    on_ipv6,
    untested,
)
from unit.checks.pairs import htb, qdisc
from unit.checks.scenes import classes, led_through, shaped


def without_queue() -> Scene:
    """A link that sends at once, as veth does by default."""
    scene = healthy(600e6).lacking(NEAR, Qdisc, "facts", "before", "after")
    pair = qdisc("enp1s0", 0.0, "noqueue")
    return scene.having(NEAR, pair[0]).seeing(NEAR, pair)


def mq() -> Scene:
    """Four transmit queues, each with its own fq_codel of handle 0:."""
    scene = healthy(600e6).lacking(NEAR, Qdisc, "facts", "before", "after")
    pairs = [qdisc("enp1s0", 600e6, "mq", handle="8002:")]
    pairs += [qdisc("enp1s0", 150e6, "fq_codel", parent=f"8002:{number}") for number in range(1, 5)]
    return scene.having(NEAR, *(first for first, _ in pairs)).seeing(NEAR, *pairs)


def test_tbf_at_its_plateau_is_a_problem() -> None:
    """95 Mbit/s through a tbf of 100."""
    finding = found(CHECK, shaped(95e6, 100e6))
    assert (Judgement.PROBLEM, NEAR, Confidence.HIGH) == (finding.verdict, finding.end, finding.confidence)


def test_cost_is_the_ceiling_minus_what_it_lets_pass() -> None:
    """100 Mbit/s x 1448 / 1514 = 95.64 Mbit/s of payload."""
    assert CEILING - 95_640_687 == pytest.approx(found(CHECK, shaped(95e6, 100e6)).costs_bps, abs=1)


def test_payload_of_ipv6_is_smaller() -> None:
    """100 Mbit/s x 1428 / 1514 = 94.32 Mbit/s."""
    assert "94319683" == evidence(found(CHECK, on_ipv6(shaped(93e6, 100e6))), "tbf goodput_bps")[1]


def test_cites_rate_and_overlimits() -> None:
    """What it was told to let pass, and how often it said no."""
    finding = found(CHECK, shaped(95e6, 100e6))
    assert ("run tc -s -json qdisc show", "100000000") == evidence(finding, "tbf rate_bps")
    assert ("run tc -s -json qdisc show", "+9000") == evidence(finding, "tbf overlimits")


def test_shaper_of_the_receivers_way_in_is_a_problem() -> None:
    """95 Mbit/s through an ifb of 100 behind the receiver's ingress qdisc."""
    finding = found(CHECK, led_through(95e6, 100e6))
    assert (Judgement.PROBLEM, FAR, "ifb0") == (finding.verdict, finding.end, finding.subject)
    assert CEILING - 95_640_687 == pytest.approx(finding.costs_bps, abs=1)


def test_clsact_may_lead_packets_away_as_well() -> None:
    """It holds the same filters (tc-bpf(8))."""
    assert Judgement.PROBLEM is judged(CHECK, led_through(95e6, 100e6, kind="clsact"))


@pytest.mark.parametrize("kind", ["noqueue", "fq_codel"])
def test_ifb_without_filters_that_lead_to_it_is_clear(kind: str) -> None:
    """A near miss: it stands there, and nothing passes."""
    assert Judgement.CLEAR is judged(CHECK, led_through(95e6, 100e6, kind=kind))


def test_ifb_that_carries_something_else_is_clear() -> None:
    """Another link's packets pass it: a tenth of the test's bytes."""
    pair = qdisc("ifb0", 9e6, "tbf", rate=100e6, handle="8001:", burst=131072, limit=4_000_000)
    assert Judgement.CLEAR is judged(CHECK, led_through(95e6, 100e6).seeing(FAR, pair))


def test_ingress_that_leads_nowhere_is_clear() -> None:
    """Filters that only mark or count."""
    scene = led_through(600e6, 1e9)
    away = {Link: "ifb0", Qdisc: "ifb0"}
    facts = tuple(fact for fact in scene.far.facts if away.get(type(fact)) != fact.subject)
    assert Judgement.CLEAR is judged(CHECK, scene.with_side(FAR, replace(scene.far, facts=facts)))


def test_receiver_whose_queues_are_not_read_is_unknown() -> None:
    """Unless the sender's own shaper is found."""
    parts = ("facts", "before", "after")
    assert Judgement.UNKNOWN is judged(CHECK, healthy(600e6).lacking(FAR, Qdisc, *parts))
    assert Judgement.PROBLEM is judged(CHECK, shaped(95e6, 100e6).lacking(FAR, Qdisc, *parts))


def test_shaper_that_something_else_undercuts_is_less_sure() -> None:
    """40 Mbit/s through a tbf of 100: it would cap, and does not yet."""
    finding = found(CHECK, shaped(40e6, 100e6))
    assert (Judgement.PROBLEM, Confidence.MEDIUM) == (finding.verdict, finding.confidence)


def test_plateau_without_overlimits_is_less_sure() -> None:
    """It never held a packet back."""
    assert Confidence.MEDIUM is found(CHECK, shaped(95e6, 100e6, overlimits=0)).confidence


def test_remedy_of_a_root_tbf() -> None:
    """Deleted, and made again as it was."""
    (remedy,) = found(CHECK, shaped(95e6, 100e6)).remedies
    assert ("tc qdisc del dev enp1s0 root handle 8001:",) == remedy.commands
    assert (
        "tc qdisc add dev enp1s0 root handle 8001: tbf rate 100000000bit burst 131072 limit 4000000",
    ) == remedy.undo


def test_class_of_htb_that_carries_the_test_is_a_problem() -> None:
    """The class with a ceiling of 40 Mbit/s, not those that are tighter and carry others."""
    finding = found(CHECK, classes(38e6, 40e6))
    assert Judgement.PROBLEM is finding.verdict
    assert ("run tc -s -json class show", "40000000") == evidence(finding, "htb rate_bps")


def test_remedy_of_a_class_keeps_its_rate() -> None:
    """Only the ceiling is raised; there is no exact undo, and the note says so."""
    (remedy,) = found(CHECK, classes(38e6, 40e6)).remedies
    assert ("tc class change dev enp1s0 classid 1:20 htb rate 20000000bit ceil 1000000000bit",) == remedy.commands
    assert () == remedy.undo
    assert "not known exactly" in remedy.note


def test_tbf_below_a_class_is_addressed_by_its_parent() -> None:
    """The leaf of 1:20."""
    scene = shaped(19e6, 20e6, parent="1:20", handle="20:", limit=57344, burst=32768)
    (remedy,) = found(CHECK, scene).remedies
    assert ("tc qdisc del dev enp1s0 parent 1:20 handle 20:",) == remedy.commands
    expected = "tc qdisc add dev enp1s0 parent 1:20 handle 20: tbf rate 20000000bit burst 32768 limit 57344"
    assert (expected,) == remedy.undo


def test_class_without_traffic_of_the_test_is_clear() -> None:
    """A near miss: the test's own class lets the whole link pass."""
    assert Judgement.CLEAR is judged(CHECK, classes(900e6, 1.1e9))


def test_shaper_as_wide_as_the_link_is_clear() -> None:
    """1.2 Gbit/s on a link of one."""
    assert Judgement.CLEAR is judged(CHECK, shaped(600e6, 1.2e9))


def test_more_than_it_allows_is_clear() -> None:
    """A near miss: half of the test passes a tbf of 100 Mbit/s, the test runs at 190."""
    assert Judgement.CLEAR is judged(CHECK, shaped(190e6, 100e6))


def test_usual_qdisc_is_clear() -> None:
    """fq_codel has no rate."""
    finding = found(CHECK, healthy(600e6))
    assert (Judgement.CLEAR, "fq_codel") == (finding.verdict, evidence(finding, "qdiscs")[1])


def test_many_queues_are_clear() -> None:
    """A near miss: five qdiscs that share two handles."""
    assert Judgement.CLEAR is judged(CHECK, mq())


def test_hfsc_class_without_a_ceiling_is_clear() -> None:
    """Its rate is a promise, no limit."""
    scene = change(
        classes(38e6, 40e6),
        NEAR,
        QdiscClass,
        lambda fact: replace(fact, kind="hfsc", ceiling=None),
        parts=("facts", "before", "after"),
    )
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_shaper_of_the_receiver_is_none_of_this_direction() -> None:
    """A near miss: it shapes acknowledgements."""
    scene = healthy(600e6).having(FAR, qdisc("enp3s0", 0.0, "tbf", rate=1e6)[0])
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_direction_decides_who_sends() -> None:
    """The near end's shaper does not hold what the far end sends."""
    scene = replace(shaped(95e6, 100e6), direction=Direction.FAR_TO_NEAR)
    assert Judgement.CLEAR is judged(CHECK, scene)


def test_shaper_of_another_link_is_clear() -> None:
    """A near miss: a container's link of the same host."""
    assert Judgement.CLEAR is judged(CHECK, healthy(600e6).having(NEAR, qdisc("docker0", 0.0, "tbf", rate=1e6)[0]))


def test_shaper_below_a_vlan_is_unknown() -> None:
    """Frames pass the lower link too, and its counters were not read during the trial."""
    scene = healthy(600e6).having(NEAR, qdisc("eno1", 0.0, "tbf", rate=1e8)[0])
    scene = change(scene, NEAR, Link, lambda link: replace(link, kind="vlan", lower="eno1"), parts=("facts",))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_classes_that_were_not_read_are_unknown() -> None:
    """The rates of htb are in its classes."""
    scene = classes(38e6, 40e6).lacking(NEAR, QdiscClass, "facts", "before", "after")
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_counters_that_went_back_are_unknown() -> None:
    """The qdisc was replaced by its like during the trial."""
    scene = shaped(95e6, 100e6)
    last = next(fact for fact in scene.near.after if isinstance(fact, Qdisc))
    scene = scene.seeing(NEAR, (replace(last, sent_bytes=last.sent_bytes + 1), last))
    assert Judgement.UNKNOWN is judged(CHECK, scene)


def test_no_test_is_unknown() -> None:
    """Whether a shaper limits shows in a test alone."""
    assert Judgement.UNKNOWN is judged(CHECK, untested(shaped(95e6, 100e6)))


def test_link_without_a_queue_does_not_apply() -> None:
    """Nothing can shape what does not queue."""
    assert Judgement.NOT_APPLICABLE is judged(CHECK, without_queue())


def test_plateau_is_seven_percent_wide() -> None:
    """85 Mbit/s of 95.64 are below it."""
    assert Confidence.MEDIUM is found(CHECK, shaped(85e6, 100e6)).confidence


def test_tightest_of_nested_classes_counts() -> None:
    """The parent 1:1 has 100 Mbit/s, its child 1:20 has 40."""
    pair = htb("enp1s0", 38e6, "1:1", limit=100e6, ceiling=100e6)
    scene = classes(38e6, 40e6)
    scene = scene.with_side(NEAR, replace(scene.near, before=(pair[0], *scene.near.before)))
    scene = scene.with_side(NEAR, replace(scene.near, after=(pair[1], *scene.near.after)))
    assert "40000000" == evidence(found(CHECK, scene), "htb rate_bps")[1]


def test_classes_of_another_qdisc_are_not_its_own() -> None:
    """The root 1: has none that was read."""
    scene = classes(38e6, 40e6).lacking(NEAR, QdiscClass, "facts", "before", "after")
    assert Judgement.UNKNOWN is judged(CHECK, scene.having(NEAR, htb("enp1s0", 0.0, "2:20", limit=1e6, ceiling=1e6)[0]))


def test_shaper_is_told_where_no_test_could_run() -> None:
    """All ports are taken: the setting stands there all the same, at no known cost and with little certainty."""
    finding = found(CHECK, untested(shaped(95e6, 100e6), attempt(EngineFailure.BUSY)))
    assert (Judgement.PROBLEM, NEAR, "enp1s0") == (finding.verdict, finding.end, finding.subject)
    assert (Confidence.LOW, 0.0, ()) == (finding.confidence, finding.costs_bps, finding.asks)


def test_no_shaper_where_no_test_could_run_is_unknown() -> None:
    """A near miss: nothing is set, and nothing was sent."""
    assert Judgement.UNKNOWN is judged(CHECK, untested(healthy(600e6), attempt(EngineFailure.BUSY)))


def test_shaper_of_a_wide_link_is_no_matter_where_no_test_could_run() -> None:
    """A near miss: it lets the whole link pass."""
    assert Judgement.UNKNOWN is judged(CHECK, untested(shaped(95e6, 1e9), attempt(EngineFailure.BUSY)))
