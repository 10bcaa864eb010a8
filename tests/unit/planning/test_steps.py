"""From wishes to a plan: what is asked, what is refused and why, in which order, with which undo."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

import planned
from fullrate.host.protocol import by_key
from fullrate.planning import Wish, advice_of, plan_host, questions, wishes_of
from fullrate.records.ends import End
from fullrate.records.evidence import ReadFile, Reply, Status, query
from fullrate.records.finding import Finding, Judgement, Remedy
from fullrate.records.leaf import Knob
from fullrate.records.plan import HostPlan
from fullrate.records.setting import CannotSetError, Disruption, Owner, Setting
from planned import DIAL, LAMP, LIMIT, OWNER, Machine, keys, setting

FILES = {"/eth0/speed": "1", "/eth0/tone": "5", "/limit": "9", "whose": "nobody's\n", "/lamp": "dim"}
EMPTY = HostPlan(id="P", target="nas")


@pytest.fixture(autouse=True)
def knobs(monkeypatch: pytest.MonkeyPatch) -> list[Knob]:
    """The knobs there are: a dial and a lamp; what is put in their place holds."""
    found = list(planned.KNOBS)

    def knob_of(setting: Setting) -> Knob | None:
        return next((knob for knob in found if knob.takes(setting)), None)

    monkeypatch.setattr("fullrate.planning.steps.knobs", lambda: found)
    monkeypatch.setattr("fullrate.planning.steps.knob_of", knob_of)
    return found


def wish(knob: str = "dial.speed", subject: str = "eth0", value: str = "2", because: str = "slow") -> Wish:
    """A wish of a setting."""
    return Wish(setting=setting(knob, subject, value), because=because)


def rounds(wishes: Sequence[Wish], files: dict[str, str]) -> tuple[list[list[str]], dict[str, Reply]]:
    """What is asked of a machine, round by round, and all that it answers."""
    host, answers, asked = Machine(files), dict[str, Reply](), list[list[str]]()
    while requests := questions(wishes, answers):
        asked.append(keys(requests))
        answers |= by_key(host.ask(requests))
        assert len(asked) < 6, "it does not come to an end"
    return asked, answers


def made(*wishes: Wish, **files: str | None) -> HostPlan:
    """The plan of a machine with these files beside the usual ones; None: without that file."""
    held = {**FILES, **{name.replace("__", "/"): text for name, text in files.items()}}
    _, answers = rounds(wishes, {path: text for path, text in held.items() if text is not None})
    return plan_host(EMPTY, wishes, answers)


def reasons(plan: HostPlan) -> list[str]:
    """Why what is refused is refused."""
    return [refusal.reason for refusal in plan.refused]


def test_questions_come_in_rounds() -> None:
    """What shows a link's settings first; then how each is read, what limits it, whose it is, and what is watched."""
    asked, _ = rounds([wish()], FILES)
    assert [["list /eth0/*"], ["read /eth0/speed", "read /limit", "run whose", "read /eth0/tone"]] == asked


def test_questions_of_no_link() -> None:
    """A setting of the whole host has nothing beside it to be watched."""
    asked, _ = rounds([wish("sysctl.lamp", "lamp", "bright")], FILES)
    assert [["read /lamp"]] == asked


def test_no_wishes_no_questions() -> None:
    """Nothing wanted, nothing asked."""
    assert () == questions([], {})


def test_unknown_knob_asks_nothing() -> None:
    """It is refused later."""
    assert () == questions([wish("cable.length")], {})


def test_step() -> None:
    """What a person reads, and what the guard program does."""
    plan = made(wish())
    (step,) = plan.steps
    assert replace(planned.step(), current="<1>", because="slow").setting == step.setting
    assert ("<1>", "slow", Disruption.QUEUES, "dial(8)") == (
        step.current,
        step.because,
        step.disruption,
        step.reference,
    )
    assert ("printf %s 2 > /eth0/speed", "printf %s 1 > /eth0/speed") == (step.command, step.undo)
    assert (("read", "/eth0/speed"), "1", "2") == (step.item.request, step.item.found, step.item.expect)
    assert (("write", "/eth0/speed", "2"), (("write", "/eth0/speed", "1"),)) == (step.item.action, step.item.inverses)
    assert ((), ()) == (plan.refused, plan.already)


def test_companions_are_watched() -> None:
    """What else the link has, with its undo and without an action; the steps' own settings are not among them."""
    (item,) = made(wish()).watched
    assert ("dial.tone", "5", (("write", "/eth0/tone", "5"),)) == (item.knob, item.found, item.inverses)
    assert ("", ()) == (item.expect, item.action)


def test_companions_without_an_undo_are_not_watched() -> None:
    """Nor those that cannot be read: what cannot be put back need not be looked at."""
    assert () == made(wish(), __eth0__tone="666").watched
    assert () == made(wish(), __eth0__tone="garbled").watched


def test_nothing_is_watched_where_nothing_is_changed() -> None:
    """Without a step there is no companion."""
    assert () == made(wish(value="1")).watched


def test_already_so() -> None:
    """What is set already is no step, whoever owns it."""
    plan = made(wish(value="1"), whose="mine\n")
    assert ((), (setting(value="1"),), ()) == (plan.steps, plan.already, plan.refused)


def test_spread() -> None:
    """One wish for several settings makes a step for each, and says what is so already."""
    plan = made(wish("dial.*", value="5"))
    assert [("dial.speed", "5")] == [(step.setting.knob, step.setting.value) for step in plan.steps]
    assert (setting("dial.tone", value="5"),) == plan.already


def test_spread_over_nothing() -> None:
    """Where there is no such setting the wish is refused as it was."""
    plan = made(wish("dial.*", "eth9"))
    assert [(setting("dial.*", "eth9"), "eth9 has no dial", "slow")] == [
        (refusal.setting, refusal.reason, refusal.because) for refusal in plan.refused
    ]


def test_beyond_the_limit() -> None:
    """The knob's own words are the reason."""
    assert ["at most 9"] == reasons(made(wish(value="10")))


def test_owned() -> None:
    """Whoever sets it is named, with the way to set it through them."""
    assert ["somebody sets this: ask them"] == reasons(made(wish(), whose="not\nmine\n"))


@pytest.mark.parametrize("status", [Status.TIMED_OUT, Status.DENIED])
def test_owner_cannot_be_told(status: Status) -> None:
    """Where it is not known whether somebody sets it, it is left alone."""
    _, answers = rounds([wish()], FILES)
    answers[OWNER.key] = planned.no(OWNER, status, "no luck\nmore")
    expected = f"whether somebody sets this cannot be told: run whose: {status}: no luck"
    assert [expected] == reasons(plan_host(EMPTY, [wish()], answers))


def test_owner_not_asked() -> None:
    """The same where the question was never answered."""
    _, answers = rounds([wish()], FILES)
    del answers[OWNER.key]
    assert ["whether somebody sets this cannot be told: run whose: not asked"] == reasons(
        plan_host(EMPTY, [wish()], answers)
    )


def test_owners_program_that_finds_nothing() -> None:
    """A failure that printed something is read as such: grep fails where it finds nothing."""
    _, answers = rounds([wish()], FILES)
    answers[OWNER.key] = replace(planned.text(OWNER, "mine\n"), status=Status.FAILED)
    assert ["somebody sets this: ask them"] == reasons(plan_host(EMPTY, [wish()], answers))


def test_owner_of_several_answers(knobs: list[Knob]) -> None:
    """They stand below each other with a line between."""
    first, second = query("a"), query("b")
    owner = Owner(name="both", requests=(first, second), pattern=r"\Ax\n--\ny\n", way="ask")
    knobs[0] = replace(DIAL, owners=lambda _: (owner,))
    assert ["both sets this: ask"] == reasons(made(wish(), a="x\n", b="y\n"))
    assert [] == reasons(made(wish(), a="y\n", b="x\n"))


def test_unknown_knob() -> None:
    """Those that there are are named."""
    assert ["no knob is called cable.length; there are dial, lamp"] == reasons(made(wish("cable.length")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("garbled", "what is set now cannot be read: read /eth0/speed: it is not shown there"),
        (None, "what is set now cannot be read: read /eth0/speed: absent"),
    ],
)
def test_unreadable(text: str | None, expected: str) -> None:
    """What cannot be read cannot be put back."""
    assert [expected] == reasons(made(wish(), __eth0__speed=text))


def test_unreadable_says_why_in_a_line() -> None:
    """The first line of a tool's words is enough."""
    _, answers = rounds([wish()], FILES)
    request = ReadFile(path="/eth0/speed")
    answers[request.key] = planned.no(request, Status.DENIED, "Permission denied\nusage: ...")
    expected = "what is set now cannot be read: read /eth0/speed: denied: Permission denied"
    assert [expected] == reasons(plan_host(EMPTY, [wish()], answers))


def test_output_of_a_failed_command_is_no_value() -> None:
    """A tool that fails has not shown what is set, whatever it printed."""
    _, answers = rounds([wish()], FILES)
    request = ReadFile(path="/eth0/speed")
    answers[request.key] = replace(planned.text(request, "1\n"), status=Status.FAILED, error="half of it")
    assert ["what is set now cannot be read: read /eth0/speed: failed: half of it"] == reasons(
        plan_host(EMPTY, [wish()], answers)
    )


def test_no_inverse() -> None:
    """What was found and could not be made again is not touched."""
    assert ["nothing brings 666 back"] == reasons(made(wish(), __eth0__speed="666"))


def test_restores_takes_the_place_of_write(knobs: list[Knob]) -> None:
    """A knob may put back otherwise than it sets, and know several ways."""
    other = planned.setting(value="0")

    def restores(setting: Setting, answers: object) -> object:
        return replace(DIAL.write(setting, {}), others=(DIAL.write(other, {}).action,)) if answers else None

    knobs[0] = replace(DIAL, restores=restores)  # type: ignore[arg-type]
    (step,) = made(wish()).steps
    assert (("write", "/eth0/speed", "1"), ("write", "/eth0/speed", "0")) == step.item.inverses


def test_the_guard_cannot_ask(knobs: list[Knob]) -> None:
    """A reading that the guard program does not know is refused."""
    reading = replace(DIAL.reading(setting()), request=DIAL.survey("eth0")[0])
    knobs[0] = replace(DIAL, reading=lambda _: reading, survey=lambda _: (), shown=lambda *_: ())
    _, answers = rounds([wish()], FILES)
    answers["list /eth0/*"] = planned.text(reading.request, "1\n")
    assert ["the guard does not ask 'list /eth0/*'"] == reasons(plan_host(EMPTY, [wish()], answers))


def test_conflict() -> None:
    """Of two values for one setting the first is planned, the other refused."""
    plan = made(wish(value="2"), wish(value="3"), wish(value="2", because="again"))
    assert ["2"] == [step.setting.value for step in plan.steps]
    assert ["2 is wanted of it, too: it cannot be both"] == reasons(plan)


def test_conflict_with_what_is_so_already() -> None:
    """What is already so and wanted so is not changed for another wish."""
    plan = made(wish(value="1"), wish(value="3"))
    assert ((), ["1 is wanted of it, too: it cannot be both"]) == (plan.steps, reasons(plan))


def test_refused_once() -> None:
    """The same for the same reason is said once."""
    assert ["at most 9"] == reasons(made(wish(value="10"), wish(value="10", because="again")))


def test_order(knobs: list[Knob]) -> None:
    """The least disturbing first, then what others need; else as wished."""
    knobs.append(replace(DIAL, id="fuse", takes=lambda one: one.knob.startswith("fuse."), disruption=Disruption.LINK))
    files = {f"__eth0__{name}": "1" for name in ("last", "first", "fuse.x")}
    wishes = (
        *(wish("fuse.x"), wish("dial.last"), wish("dial.first"), wish("dial.speed")),
        wish("sysctl.lamp", "lamp", "bright"),
    )
    plan = made(*wishes, **files)
    assert [] == reasons(plan)
    assert ["sysctl.lamp", "dial.first", "dial.speed", "dial.last", "fuse.x"] == [
        step.setting.knob for step in plan.steps
    ]


def test_a_knob_that_cannot_say(knobs: list[Knob]) -> None:
    """One that finds no name for what it should ask is refused by its own words, and asks nothing."""

    def refuses(*_: object) -> Any:  # noqa: ANN401 - whatever it should be
        raise CannotSetError("no such name")

    knobs[0] = replace(DIAL, survey=refuses, owners=refuses, asks=refuses, shown=refuses, limit=refuses)
    assert ["no such name"] == reasons(made(wish()))


REMEDY = Remedy(knob="dial.speed", subject="eth0", value="2", end=End.FAR, commands=("turn it",), undo=("back",))
FINDING = Finding(check="c", cause="dial-low", verdict=Judgement.PROBLEM, summary="it is low", remedies=(REMEDY,))
HOSTS = {End.NEAR: "this host", End.FAR: "nas"}


def test_wishes_of_a_problem() -> None:
    """Its remedy's setting, for the cause and its words."""
    assert (wish(because="dial-low: it is low"),) == wishes_of([FINDING], End.FAR)


def test_wishes_of_each_end() -> None:
    """A finding with remedies at both ends sets at each what is meant for it."""
    near = replace(REMEDY, end=End.NEAR, value="3")
    both = replace(FINDING, remedies=(REMEDY, near))
    assert ["3"] == [each.setting.value for each in wishes_of([both], End.NEAR)]
    assert ["2"] == [each.setting.value for each in wishes_of([both], End.FAR)]


@pytest.mark.parametrize("verdict", [Judgement.CLEAR, Judgement.UNKNOWN, Judgement.NOT_APPLICABLE])
def test_wishes_of_no_problem(verdict: Judgement) -> None:
    """Only problems are mended."""
    found = [replace(FINDING, verdict=verdict)]
    assert ((), ()) == (wishes_of(found, End.FAR), advice_of(found, HOSTS))


def test_wishes_that_a_knob_makes_of_a_remedy(knobs: list[Knob]) -> None:
    """A knob may make several settings of one remedy, or none: then it is advice."""
    knobs[0] = replace(DIAL, wanted=lambda remedy: tuple(setting(value=word) for word in remedy.value.split()))
    two = [replace(FINDING, remedies=(replace(REMEDY, value="2 3"),))]
    none = [replace(FINDING, remedies=(replace(REMEDY, value=" "),))]
    assert (["2", "3"], ()) == ([each.setting.value for each in wishes_of(two, End.FAR)], advice_of(two, HOSTS))
    assert ((), ("dial-low on nas: turn it",)) == (wishes_of(none, End.FAR), advice_of(none, HOSTS))


def test_wishes_that_a_knob_refuses(knobs: list[Knob]) -> None:
    """What it cannot read in a remedy is advice."""

    def refuses(_: Remedy) -> tuple[Setting, ...]:
        raise CannotSetError("what is that")

    knobs[0] = replace(DIAL, wanted=refuses)
    assert ((), ("dial-low on nas: turn it",)) == (wishes_of([FINDING], End.FAR), advice_of([FINDING], HOSTS))


@pytest.mark.parametrize(
    ("remedy", "expected"),
    [
        (replace(REMEDY, knob="cable", note="it is old"), "dial-low on nas: turn it; it is old"),
        (replace(REMEDY, knob="cable", commands=(), note="it is old"), "dial-low on nas: it is old"),
        (
            replace(REMEDY, knob="cable", commands=(), note="", end=End.NEAR),
            "dial-low on this host: see `fullrate explain dial-low`",
        ),
        (replace(REMEDY, knob="cable", end=None), "dial-low: turn it"),
        (None, "dial-low: see `fullrate explain dial-low`"),
    ],
)
def test_advice(remedy: Remedy | None, expected: str) -> None:
    """What is no setting of ours stands with its commands and its host; what has no remedy with its page; each once."""
    found = replace(FINDING, remedies=() if remedy is None else (remedy,))
    assert (expected,) == advice_of([found, found], HOSTS)


def test_lamp_is_of_no_link() -> None:
    """The limit of one knob is not asked for another."""
    plan = made(wish("sysctl.lamp", "lamp", "bright"))
    (step,) = plan.steps
    assert ("dim", "", LAMP.reference) == (step.current, step.item.link, step.reference)
    assert LIMIT.key not in rounds([wish("sysctl.lamp", "lamp", "bright")], FILES)[1]
