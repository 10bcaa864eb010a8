"""What checks would set and what knobs can set are the same: their names, their subjects, their values."""

import pytest

from contract.test_evidence import CHECKS, PROBLEMS
from fullrate.planning import advice_of, wishes_of
from fullrate.records.ends import End
from fullrate.records.finding import Finding, Remedy
from fullrate.records.setting import Setting
from fullrate.registry import knob_of, knobs
from unit.checks.build import found

REMEDIES = {
    (label, number): remedy
    for label, scene in PROBLEMS.items()
    for number, remedy in enumerate(found(CHECKS[label.split()[0]], scene).remedies)
}


def plain(remedy: Remedy) -> Setting:
    """What it names."""
    return Setting(knob=remedy.knob, subject=remedy.subject, value=remedy.value)


def settings(remedy: Remedy) -> tuple[Setting, ...]:
    """What it comes to, as planning asks for it."""
    knob = knob_of(plain(remedy))
    if knob is None:
        return ()
    return knob.wanted(remedy) if knob.wanted else (plain(remedy),)


@pytest.mark.parametrize("place", REMEDIES, ids=lambda place: "-".join(map(str, place)))
def test_a_remedy_becomes_settings_of_its_own_knob(place: tuple[str, int]) -> None:
    """None of them is another knob's, or nobody's."""
    remedy = REMEDIES[place]
    assert {knob_of(plain(remedy))} >= {knob_of(one) for one in settings(remedy)}


def test_every_knob_mends_something() -> None:
    """Some check's remedy sets it; but for what is there to be watched, for a queue that goes takes it along."""
    mending = {knob_of(one) for remedy in REMEDIES.values() for one in settings(remedy)}
    watched = {"net.rps_flow_cnt", "net.xps_cpus", "net.xps_rxqs"}
    assert watched == {knob.id for knob in knobs() if knob not in mending}


@pytest.mark.parametrize("label", PROBLEMS)
def test_what_is_no_setting_is_advice(label: str) -> None:
    """Nothing that a check says is lost."""
    finding = found(CHECKS[label.split(maxsplit=1)[0]], PROBLEMS[label])
    wishes = [wish.setting for end in End for wish in wishes_of([finding], end)]
    assert [one for end in End for one in set_on(finding, end)] == wishes
    others = [remedy for remedy in finding.remedies if not settings(remedy)]
    assert bool(others or not finding.remedies) == bool(advice_of([finding], {}))


def set_on(finding: Finding, end: End) -> list[Setting]:
    """What its remedies set there."""
    return [one for remedy in finding.remedies if remedy.end is end for one in settings(remedy)]
