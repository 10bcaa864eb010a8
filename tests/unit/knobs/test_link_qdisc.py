"""The knob link.qdisc."""

import re

import pytest

from fullrate.checks import qdisc_drops, tc_shaper
from fullrate.knobs.link_qdisc import KNOB
from fullrate.records.evidence import ReadFile, Status, change, query
from fullrate.records.finding import Remedy
from fullrate.records.leaf import Answers
from fullrate.records.setting import CannotSetError, Writing
from tool_output import recorded
from unit.checks.build import NEAR, found
from unit.checks.scenes import classes, shaped
from unit.checks.scenes_tcp import queue_full
from unit.knobs.machine import (
    BAD_LINKS,
    GENERATIONS,
    LINK,
    answers,
    back,
    failed,
    named_by,
    read,
    refused,
    setting,
    wanted,
)

QDISC = setting("link.qdisc", "")
DEFAULT_KIND = ReadFile(path="/proc/sys/net/core/default_qdisc")
MADE = "debian12/recorded/tc_d_r_j_qdisc_{}.txt"
NOT_UNDERSTOOD = (
    "'fq limit' is not understood: write a kind alone, like `fq`, or with whole numbers and rates in bits, like `pfifo "
    "limit 1000` or `fq maxrate 500mbit`"
)
HEAD = ("tc", "qdisc", "replace", "dev", "eth3", "root")


def value(path: str) -> str:
    """What is read of a fixture."""
    shown = read(KNOB, QDISC, recorded(path))
    assert shown is not None
    return shown


def made(name: str) -> str:
    """What is read of a recorded qdisc."""
    return value(MADE.format(name))


def restored(shown: str, usual: str | None = "fq_codel") -> Writing:
    """What brings it back; `usual`: net.core.default_qdisc, where there is one."""
    known = answers((DEFAULT_KIND, f"{usual}\n")) if usual else failed(DEFAULT_KIND, "ENOENT", Status.ABSENT)
    return back(KNOB, setting("link.qdisc", shown), known)


def not_restored(shown: str, usual: str | None = "fq_codel") -> str:
    """Why it cannot be brought back."""
    with pytest.raises(CannotSetError) as caught:
        restored(shown, usual)
    return str(caught.value)


def test_tc_is_asked_for_everything() -> None:
    """Raw numbers, and the details that are left out otherwise."""
    assert query("tc", "-d", "-r", "-json", "qdisc", "show", "dev", "eth3") == KNOB.reading(QDISC).request
    assert (DEFAULT_KIND,) == KNOB.asks(QDISC)


def test_the_count_of_references_is_no_part_of_it() -> None:
    """It follows the transmit queues; where it is 1 it is not shown."""
    text = recorded(MADE.format("pfifo")).decode()
    assert '"refcnt":3,' in text
    texts = [text, text.replace('"refcnt":3,', '"refcnt":9,'), text.replace('"refcnt":3,', "")]
    assert {'[{"kind":"pfifo","handle":"8b13:","root":true, "options":{"limit":500}}]'} == {
        read(KNOB, QDISC, one) for one in texts
    }


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize("kind", ["all", "pfifo", "tbf", "fq"])
def test_every_qdisc_is_one_line(generation: str, kind: str) -> None:
    """Of tc's one line everything but the root's count."""
    text = recorded(f"{generation}/machine/tc_j_s_qdisc_{kind}.txt").decode()
    shown = read(KNOB, QDISC, text) or ""
    assert ('"root":true, ', 0) == (shown[shown.index('"root"') :][:13], shown.count("\n"))


@pytest.mark.parametrize("text", ["", "[]\n", "Cannot find device\n"])
def test_a_link_that_is_down_shows_none(text: str) -> None:
    """Its qdisc is not there yet."""
    assert read(KNOB, QDISC, text) is None


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ("pfifo limit 1000", ("pfifo", "limit", "1000")),
        ("fq", ("fq",)),
        (
            "tbf rate 500mbit burst 65536 limit 1000000",
            ("tbf", "rate", "500mbit", "burst", "65536", "limit", "1000000"),
        ),
    ],
)
def test_what_is_wanted_replaces_the_root(wish: str, words: tuple[str, ...]) -> None:
    """By tc's own words."""
    assert change(*HEAD, *words) == KNOB.write(setting("link.qdisc", wish), {}).action


def test_the_default_is_wanted() -> None:
    """What is there is deleted: the kernel's own has the handle 0:."""
    writing = KNOB.write(setting("link.qdisc", "default"), {})
    assert change("tc", "qdisc", "del", "dev", "eth3", "root") == writing.action
    assert [True, True, False] == [
        re.fullmatch(writing.expect, made(name), re.DOTALL) is not None for name in ("noqueue", "mq", "pfifo")
    ]


def test_another_limit_is_another_qdisc() -> None:
    """Nothing is so already that differs."""
    wishes = ("pfifo limit 500", "pfifo", "pfifo limit 501", "bfifo limit 500")
    expects = [KNOB.write(setting("link.qdisc", wish), {}).expect for wish in wishes]
    assert [True, True, False, False] == [re.fullmatch(expect, made("pfifo")) is not None for expect in expects]


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        ("default", ""),
        ("fq", ""),
        ("pfifo limit 10", ""),
        ("default limit 10", ""),  # no kind of that name: tc will say so
        (
            "fq limit",
            NOT_UNDERSTOOD,
        ),
    ],
)
def test_limits(wish: str, reason: str) -> None:
    """What can be recognised when it is read back."""
    assert reason == refused(KNOB, setting("link.qdisc", wish), {})


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tbf", "handle 8b11: tbf rate 941501232bit burst {} limit 4000000"),
        ("tbf_short", "handle 8b11: tbf rate 8000000bit burst {} limit 1000"),
        ("pfifo", "handle 8b13: pfifo limit 500"),
        ("bfifo", "handle 8b14: bfifo limit 1000000"),
        ("pfifo_fast", "handle 8b15: pfifo_fast"),
        ("clsact", "handle 8b16: pfifo limit 77"),
    ],
)
def test_what_was_found_is_made_again(name: str, words: str) -> None:
    """With its handle; the reading must then be the same to the byte."""
    writing = restored(made(name))
    burst = {"tbf": "131034", "tbf_short": "1514"}.get(name, "")
    assert change(*HEAD, *words.format(burst).split()) == writing.action
    assert (re.escape(made(name)), ()) == (writing.expect, writing.others)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("tbf_mpu", "it is not known how to make the tbf of eth3 again exactly"),
        ("tbf_peakrate", "it is not known how to make the tbf of eth3 again exactly"),
        ("tbf_child", "eth3 has more than a root queue: pfifo at 1:1"),
        ("stab", "it is not known how to make the pfifo of eth3 again exactly"),
        ("htb", "it is not known how to make the htb of eth3 again exactly"),
    ],
)
def test_what_cannot_be_made_again(name: str, reason: str) -> None:
    """Nothing is changed without an exact inverse."""
    assert reason == not_restored(made(name))


@pytest.mark.parametrize("generation", GENERATIONS)
def test_one_of_many_options_is_left_alone(generation: str) -> None:
    """What tc shows of fq differs between versions."""
    shown = value(f"{generation}/machine/tc_j_s_qdisc_fq.txt")
    assert "it is not known how to make the fq of eth3 again exactly" == not_restored(shown)


@pytest.mark.parametrize(("name", "usual"), [("noqueue", None), ("noqueue", "fq"), ("mq", "pfifo_fast")])
def test_the_kernels_own_comes_back_by_itself(name: str, usual: str | None) -> None:
    """When ours is deleted."""
    writing = restored(made(name), usual)
    assert change("tc", "qdisc", "del", "dev", "eth3", "root") == writing.action
    assert re.escape(made(name)) == writing.expect


@pytest.mark.parametrize(("usual", "said"), [("fq", "fq"), (None, "not to be read here"), ("", "not to be read here")])
def test_the_kernel_would_attach_another(usual: str | None, said: str) -> None:
    """net.core.default_qdisc was changed since, or is another namespace's."""
    reason = f"the kernel would not attach the pfifo_fast of eth3 again by itself: net.core.default_qdisc is {said}"
    assert reason == not_restored(made("mq"), usual)


def test_a_qdisc_below_the_kernels_own() -> None:
    """It would not come back."""
    shown = made("mq").replace('"kind":"pfifo_fast","handle":"0:"', '"kind":"pfifo_fast","handle":"10:"')
    assert "the kernel would not attach the pfifo_fast of eth3 again by itself" in not_restored(shown, "pfifo_fast")


def test_what_is_no_answer() -> None:
    """It says so."""
    assert "tc does not show the queues as it should" in not_restored("what?")


@pytest.mark.parametrize("link", BAD_LINKS)
def test_no_link_no_qdisc(link: str) -> None:
    """No command is made of what is no name."""
    one = setting("link.qdisc", "fq", link)
    for make in (lambda: KNOB.reading(one), lambda: KNOB.write(one, {}), lambda: KNOB.survey(link)):
        with pytest.raises(CannotSetError, match="is no name of a link"):
            make()


def test_the_remedy_of_a_shaper() -> None:
    """The kernel's default instead of the tbf at the root."""
    assert [("link.qdisc", "enp1s0", "default")] == wanted(found(tc_shaper.CHECK, shaped(95e6, 100e6)))


def test_the_remedy_of_a_class_is_no_setting() -> None:
    """Nor is one that hangs below another."""
    assert [] == wanted(found(tc_shaper.CHECK, classes(95e6, 100e6)))
    assert [] == wanted(found(tc_shaper.CHECK, shaped(95e6, 100e6, parent="1:20", handle="20:")))


@pytest.mark.parametrize(
    ("kind", "expected"), [("pfifo", "pfifo limit 400"), ("bfifo", "bfifo limit 400"), ("fq", None)]
)
def test_the_remedy_of_a_short_queue(kind: str, expected: str | None) -> None:
    """Where a limit is all that it has."""
    command = f"tc qdisc change dev eth3 root handle 8001: {kind} limit 400"
    assert KNOB.wanted is not None
    settings = KNOB.wanted(remedy("limit 400", command))
    assert ([] if expected is None else [expected]) == [one.value for one in settings]


def remedy(wish: str, *commands: str) -> Remedy:
    """One of a queue."""
    return Remedy(knob="link.qdisc", subject=LINK, value=wish, end=NEAR, commands=commands, undo=())


@pytest.mark.parametrize(
    "command",
    [
        "tc qdisc del dev root parent 1:20 handle 20:",
        "tc qdisc change dev eth3 root handle 8001: cake unlimited",
        "tc qdisc change dev eth3 parent 1:20 handle 20: pfifo limit 400",
        "tc class change dev eth3 classid 1:10 htb rate 1gbit ceil 1gbit",
    ],
)
def test_remedies_that_are_no_settings(command: str) -> None:
    """A link may be called root."""
    assert KNOB.wanted is not None
    assert () == KNOB.wanted(remedy("none", command)) == KNOB.wanted(remedy("none"))


def test_the_check_of_drops() -> None:
    """Its remedy is a queue of fq_codel, whose other options are not known."""
    assert [] == [one for one in wanted(found(qdisc_drops.CHECK, queue_full())) if one[2].startswith("limit")]


def shown_by(*, path: str) -> Answers:
    """The answer to the survey."""
    return answers((KNOB.survey(LINK)[0], recorded(path)), (DEFAULT_KIND, "fq\n"))


def test_it_is_watched() -> None:
    """As it is read."""
    assert (setting("link.qdisc", made("tbf")),) == KNOB.shown(LINK, shown_by(path=MADE.format("tbf")))
    assert () == KNOB.shown(LINK, shown_by(path=MADE.format("down"))) == KNOB.shown(LINK, {})


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        (made("tbf_short"), "tbf rate 8000000bit burst 1514 limit 1000"),
        (made("pfifo"), "pfifo limit 500"),
        (made("pfifo_fast"), "pfifo_fast"),
        (made("htb"), "htb"),
        (made("noqueue"), "noqueue (the kernel's own)"),
        ("default", "default"),
    ],
)
def test_as_a_reader_has_it(shown: str, told: str) -> None:
    """In tc's words."""
    assert told == KNOB.told(shown)


@pytest.mark.parametrize(
    "line",
    [
        "[TokenBucketFilter]",
        "[CAKE]",
        "[FairQueueingControlledDelay]",
        "[PFIFO]",
        "[tc]",
        "  post-up tc qdisc add dev eth3",
    ],
)
def test_owners(line: str) -> None:
    """systemd.network(5), nm-settings-keyfile(5), a script."""
    owners = KNOB.owners(QDISC)
    assert ["systemd-networkd"] == named_by(owners, *["/etc/systemd/network/eth3.network\n"] * 2)
    assert re.search(owners[0].requests[0].key.split("'")[1].replace("[[:space:]]", r"\s"), line)
