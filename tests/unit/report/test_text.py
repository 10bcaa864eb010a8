"""The report as it is read: golden texts, widths, colour, and hostile hosts."""

from dataclasses import replace
from pathlib import Path

import pytest

from fullrate.records.codec import decode_run
from fullrate.records.ends import Direction, End
from fullrate.records.evidence import Gap, Status
from fullrate.records.finding import Ask, Evidence, Judgement, Remedy
from fullrate.records.part import Given
from fullrate.records.run import EndReport, Run, State, Way
from fullrate.report import render

TESTS = Path(__file__).parents[2]
NAMES = ("full", "not_full", "undecided")
HOSTILE = "e\x1b[2J\x1b]0;owned\x07 \u202ex\r\ny"


def sample(name: str) -> Run:
    """A hand-made run."""
    return decode_run((TESTS / f"fixtures/runs/{name}.json").read_bytes())


def not_measured(*, problem: bool) -> Run:
    """A run that sent no traffic."""
    run = sample("not_full")
    verdict = replace(run.verdict, state=State.NOT_MEASURED, criteria=(), cause=None, summary="settings only")
    findings = run.findings[:1] if problem else ()
    return replace(run, verdict=verdict, measurements=(), budget=(), path=(), findings=findings)


def hostile() -> Run:
    """A run in which every foreign string tries to steer the terminal."""
    run = sample("not_full")
    gap = Gap(wanted=HOSTILE, tried=HOSTILE, status=Status.FAILED, reason=HOSTILE)
    end = EndReport(target=HOSTILE, interface=HOSTILE, driver=HOSTILE, speed_bps=1e9, unreachable=HOSTILE, gaps=(gap,))
    remedy = Remedy(
        knob=HOSTILE, subject=HOSTILE, value=HOSTILE, end=End.FAR, commands=(HOSTILE,), undo=(HOSTILE,), note=HOSTILE
    )
    finding = replace(
        run.findings[0],
        summary=HOSTILE,
        subject=HOSTILE,
        stage=HOSTILE,
        cause=HOSTILE,
        evidence=(Evidence(source=HOSTILE, field=HOSTILE, value=HOSTILE),),
        remedies=(remedy,),
    )
    clear, unknown = (
        replace(finding, cause=f"{name}{HOSTILE}", verdict=verdict)
        for name, verdict in (("c", Judgement.CLEAR), ("u", Judgement.UNKNOWN))
    )
    return replace(
        run,
        id=HOSTILE,
        started_at=HOSTILE,
        tool_version=HOSTILE,
        ends={End.NEAR: end, End.FAR: end},
        measurements=(replace(run.measurements[0], throughput_bps=None, failure=HOSTILE, warnings=(HOSTILE,)),),
        verdict=replace(run.verdict, summary=HOSTILE, cause=HOSTILE, ask_for=(HOSTILE,)),
        budget=(replace(run.budget[0], stage=HOSTILE, cause=HOSTILE),),
        path=(replace(run.path[0], stage=HOSTILE, note=HOSTILE, lost_note=HOSTILE),),
        findings=(finding, clear, unknown),
        notes=(HOSTILE,),
    )


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str) -> None:
    """The whole text at 80 columns is the one that was read and found good."""
    assert (TESTS / f"golden/{name}.txt").read_text() == render(sample(name))


def by_udp(name: str, **more: object) -> str:
    """The text of a hand-made run whose measurements are of UDP at 25 Gbit/s, on one line."""
    run = sample(name)
    fields = {"asked_bps": 2.5e10, "lost_ratio": 0.0012, "jitter_seconds": 4e-5, "datagram_bytes": 8972} | more
    measurements = tuple(replace(one, protocol="udp", **fields) for one in run.measurements)  # type: ignore[arg-type]
    return " ".join(render(replace(run, measurements=measurements)).split())


@pytest.mark.parametrize(("name", "head"), [("full", "ARRIVES to "), ("not_full", "FALLS SHORT ")])
def test_udp_says_whether_it_arrives(name: str, head: str) -> None:
    """The link may have room left either way."""
    assert head in by_udp(name)
    assert "FULL" not in by_udp(name)


def test_udp_says_what_was_asked_and_how_it_was_sent() -> None:
    """And that the ask exceeds the link, where it does."""
    text = by_udp("full", buffer_bytes=4_194_304)
    assert "UDP of 25.00 Gbit/s asked, the link carries" in text
    assert "datagrams of 8972 bytes, socket buffers of 4.2 MB" in text


def test_udp_says_what_arrives_what_is_lost_and_how_it_jitters() -> None:
    """Of what was asked, not of what the link could carry."""
    text = by_udp("full")
    assert "of 25.00 Gbit/s arrives" in text
    assert "0.12 % lost, jitter 0.040 ms" in text


def test_udp_whose_receiver_tells_nothing() -> None:
    """A loss that is not known is not none."""
    text = by_udp("full", lost_ratio=None, jitter_seconds=None)
    assert not [words for words in ("lost,", "jitter") if words in text]


@pytest.mark.parametrize("width", [60, 80, 100, 132])
@pytest.mark.parametrize("name", NAMES)
def test_no_line_is_wider(name: str, width: int) -> None:
    """Every line fits; commands alone may be longer, and these are not."""
    assert [line for line in render(sample(name), width).splitlines() if len(line) > width] == []


def test_a_tiny_terminal_gets_the_narrowest_text() -> None:
    """Below 60 columns nothing sensible can be laid out: the lines are left to the terminal."""
    assert render(sample("full"), 60) == render(sample("full"), 5)


@pytest.mark.parametrize("name", NAMES)
def test_colour_changes_no_word(name: str) -> None:
    """Without its escapes the coloured text is the plain one."""
    painted = render(sample(name), colour=True)
    for code in ("1", "1;31", "1;32", "1;33", "2", "0"):
        painted = painted.replace(f"\x1b[{code}m", "")
    assert render(sample(name)) == painted


@pytest.mark.parametrize(
    ("name", "expected"),
    [("full", "\x1b[1;32mFULL"), ("not_full", "\x1b[1;31mNOT FULL"), ("undecided", "\x1b[1;33mUND")],
)
def test_colour_of_the_answer(name: str, expected: str) -> None:
    """Green, red, yellow: the answer can be seen from afar."""
    assert expected in render(sample(name), colour=True)


@pytest.mark.parametrize("colour", [False, True])
def test_hostile_strings_are_made_visible(colour: bool) -> None:  # noqa: FBT001 - a parameter
    """No host name, interface, tool output or cause gets a control character to the terminal."""
    text = render(hostile(), colour=colour)
    for ours in ("\n", "\x1b[1m", "\x1b[1;31m", "\x1b[2m", "\x1b[0m"):
        text = text.replace(ours, "")
    assert [char for char in text if not char.isprintable()] == []


def test_hostile_strings_are_shown() -> None:
    """What was in them is still to be seen."""
    assert r"\x1b]0;owned\x07" in render(hostile())


def test_a_full_run_is_short() -> None:
    """Nothing to mend: no budget, no path, no doubts."""
    assert 10 >= len(render(sample("full")).splitlines())


def test_a_finding_on_a_full_link_is_still_told() -> None:
    """A wrong setting that costs nothing today is worth a line."""
    run = sample("full")
    finding = replace(sample("not_full").findings[0], costs_bps=0.0)
    assert "costs nothing measured" in render(replace(run, findings=(finding,)))


@pytest.mark.parametrize(
    ("problem", "expected"),
    [(False, "NOT MEASURED  no traffic was sent; no problem found"), (True, "no traffic was sent; 1 problem found")],
)
def test_not_measured(problem: bool, expected: str) -> None:  # noqa: FBT001 - a parameter
    """A look without traffic says so, and how many problems it found."""
    assert expected in render(not_measured(problem=problem))


def doubts(*, given: Given | None = None) -> str:
    """The text of a run with many open questions, each for its own reason."""
    run = sample("undecided")
    findings = tuple(replace(each, summary=each.cause) for each in run.findings)
    return render(replace(run, findings=findings, given=given))


def test_long_lists_of_doubts_are_cut() -> None:
    """Three reasons, then how many more causes and where they are."""
    assert "  and 4 causes for other reasons (--json lists them)\n" in doubts()


def test_of_a_paste_only_the_number_of_doubts_is_told() -> None:
    """What to ask for stands above; eighty reasons bury it."""
    expected = "Could not tell: 7 causes for want of what was not given (--json lists them)\n"
    assert expected in doubts(given=Given())


@pytest.mark.parametrize(
    ("number", "expected"), [(6, "c0, c1, c2, c3, c4, c5\n"), (40, "c0, c1, c2, c3, c4 and 35 more (--json)\n")]
)
@pytest.mark.parametrize(
    ("verdict", "before"), [(Judgement.CLEAR, "Looked at and clear: "), (Judgement.UNKNOWN, "Could not tell\n  ")]
)
def test_long_lists_of_causes_are_cut(number: int, expected: str, verdict: Judgement, before: str) -> None:
    """Forty slugs help nobody; one more than fits is no reason to cut."""
    run = sample("not_full")
    found = tuple(
        replace(run.findings[0], cause=f"c{each}", verdict=verdict, summary="why", asks=()) for each in range(number)
    )
    after = expected if verdict is Judgement.CLEAR else expected.replace("\n", ": why\n")
    assert before + after in render(replace(run, findings=found))


def test_long_lists_of_gaps_are_cut() -> None:
    """The same for what was not seen."""
    gaps = tuple(Gap(wanted="x", tried=f"read /{n}", status=Status.FAILED, reason=str(n)) for n in range(8))
    run = replace(sample("full"), ends={End.NEAR: EndReport(target="", gaps=gaps)})
    assert "Not seen on this host: /4 (4)\n  and 3 more (--json)\n" in render(run)


def test_many_calls_of_a_missing_tool_are_one_line() -> None:
    """Three are named, the others counted."""
    gaps = tuple(Gap(wanted="x", tried=f"run ss {n}", status=Status.ABSENT, reason="") for n in range(5))
    run = replace(sample("full"), ends={End.NEAR: EndReport(target="", gaps=gaps)})
    assert "Not seen on this host: ss 0, ss 1, ss 2 and 2 more (no ss there: install iproute2)\n" in render(run, 100)


def test_many_commands_are_cut() -> None:
    """Sixteen commands would bury the findings after them."""
    assert "             and 13 more (--json)\n" in render(sample("not_full"))


def remedied(**fields: object) -> str:
    """The text of a run whose second finding has such a remedy."""
    run = sample("not_full")
    remedy = replace(run.findings[1].remedies[0], **fields)  # type: ignore[arg-type]
    findings = (run.findings[0], replace(run.findings[1], remedies=(remedy,)))
    return render(replace(run, findings=findings))


def test_a_long_command_is_not_wrapped() -> None:
    """It can be copied whole."""
    assert f"    change   tc {'word ' * 40}end\n" in remedied(commands=("tc " + "word " * 40 + "end",))


def test_a_change_of_the_other_host_says_so() -> None:
    """The finding's own is named above."""
    assert "    note     on this host; mind\n" in remedied(end=End.NEAR, note="mind")


def test_advice_without_a_command_names_what_to_set() -> None:
    """And nothing is left to undo."""
    text = remedied(knob="pci.slot", subject="enp3s0", value="a wider one", commands=(), undo=(), note="reseat it")
    assert "    advice   pci.slot enp3s0: a wider one; reseat it\n" in text


def test_an_open_answer_names_what_is_suspected() -> None:
    """And how sure that is, not the answer."""
    run = sample("not_full")
    verdict = replace(run.verdict, state=State.UNDECIDED, summary="the speed is not known")
    expected = "  the speed is not known.\n  Suspected: irq-single-cpu, see below.  sure: high\n"
    assert expected in render(replace(run, verdict=verdict))


def test_a_single_problem_of_a_paste_is_told_once() -> None:
    """Not as the answer and again below it."""
    run = not_measured(problem=True)
    verdict = replace(run.verdict, summary=run.findings[0].summary)
    assert 1 == render(replace(run, verdict=verdict, given=Given())).count(verdict.summary)


def test_unsteady_is_said() -> None:
    """A direction at full rate that is not full says what is wrong with it."""
    run = sample("not_full")
    criteria = (*run.verdict.criteria[:3], replace(run.verdict.criteria[3], observed="unsteady", met=False))
    text = render(replace(run, verdict=replace(run.verdict, criteria=criteria)))
    assert "from nas 9.40 of 9.41 Gbit/s (99.8 %, +-0.02, 3 runs): unsteady\n" in text


def test_the_strip_tells_whose_stage_it_is() -> None:
    """Both hosts have a CPU and an offload: the strip says where one ends and the other begins."""
    lines = render(sample("not_full")).splitlines()
    places = [lines.index(line) for line in ("this host sends", "nas receives")]
    assert sorted(places) == places


def test_the_limit_is_marked() -> None:
    """The stage that limits can be found at a glance."""
    assert ["the limit" in line for line in render(sample("not_full")).splitlines() if line[:2] == "> "] == [True]


def test_what_the_limit_lost() -> None:
    """Losses and the mark of the limit stand in one column."""
    run = sample("not_full")
    stages = (*run.path[:6], replace(run.path[6], lost=594, lost_note="packets"))
    assert "3.20 G  594 packets, the\n" in render(replace(run, path=stages))


def test_next_commands_can_be_copied() -> None:
    """A run with a cause ends with the command that explains it, and the one that plans what would mend it."""
    expected = ["Next: fullrate explain irq-single-cpu", "      fullrate plan 01JH8ZC3M9"]
    assert expected == render(sample("not_full")).splitlines()[-2:]


def test_nothing_to_plan() -> None:
    """What no setting of ours mends is not planned."""
    run = sample("not_full")
    remedies = (replace(run.findings[0].remedies[0], knob="cable"),)
    run = replace(run, findings=(replace(run.findings[0], remedies=remedies), *run.findings[2:]))
    assert "Next: fullrate explain irq-single-cpu" == render(run).splitlines()[-1]


def test_a_detour_stands_in_the_head() -> None:
    """Before the answer, for it is about other links than those named."""
    run = sample("not_full")
    way = Way(direction=Direction.FAR_TO_NEAR, sender_link="eth9", receiver_link="enp1s0")
    text = render(replace(run, ways=(way,)))
    assert text.index("from nas the packets take eth9 of nas") < text.index("NOT FULL")


def test_no_line_ends_in_spaces() -> None:
    """The text survives a mail or a diff."""
    assert [line for name in NAMES for line in render(sample(name)).splitlines() if line != line.rstrip()] == []


def one_sided(state: State) -> str:
    """The text of a run against a server, with one cause that stays open for want of its host."""
    run = sample("not_full")
    beyond = replace(run.findings[0], verdict=Judgement.UNKNOWN, cause="eee", asks=(Ask(text="there", end=End.FAR),))
    ends = {**run.ends, End.FAR: EndReport(target="iperf3://nas:5201")}
    return render(replace(run, ends=ends, findings=(beyond,), verdict=replace(run.verdict, state=state)))


def test_a_server_is_named_as_one() -> None:
    """In the head, by its host's name."""
    assert "nas (only a server)" in one_sided(State.NOT_FULL)


def test_what_only_the_other_end_could_tell_is_one_line() -> None:
    """What to type, and the causes it would judge; not among the other open ones."""
    text = one_sided(State.NOT_FULL)
    assert "What only the other end could tell\n  fullrate check user@nas: eee\n" in text
    assert "Could not tell" not in text


def test_of_a_full_link_nothing_more_is_to_be_told() -> None:
    """The other end could not add to that."""
    assert "other end" not in one_sided(State.FULL)


def with_course(*runs: tuple[float | None, ...], step: float | None = 0.5) -> Run:
    """The full run, whose first direction went like this."""
    run = sample("full")
    first = replace(run.measurements[0], series_bps=runs, step_seconds=step)
    return replace(run, measurements=(first, *run.measurements[1:]))


def test_the_course_of_every_run() -> None:
    """Below the rate of its direction, between which figures; a step that was not seen is no zero."""
    text = render(with_course((9.4e9, 9.41e9, None), (4.7e9, 0.0, 9.41e9)))
    assert "                every 0.5 s: ██? ▄▁█ 0.00 to 9.41 Gbit/s\n" in text


def test_the_course_in_ascii() -> None:
    """Where the output has no blocks."""
    text = render(with_course((9.4e9, 4.7e9), step=1.0), blocks=False)
    assert "every 1 s: #+ 4.70 to 9.40 Gbit/s\n" in text
    assert text.isascii()


def test_no_course() -> None:
    """Of a total alone there is none."""
    assert "every" not in render(with_course(step=None))
