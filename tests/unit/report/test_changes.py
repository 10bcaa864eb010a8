"""Plans and changes as they are read: every state and outcome, widths, colour, and hostile hosts."""

from dataclasses import replace
from pathlib import Path

import pytest

import planned
from fullrate.records.change import Change, ChangedSetting, Changes, ChangeState, Outcome
from fullrate.records.plan import HostPlan, Plan, Refusal
from fullrate.records.setting import Disruption, Setting
from fullrate.report.changes import change_text, changes_text, next_text, plan_text, unreadable_text

GOLDEN = Path(__file__).parents[2] / "golden"
HOSTILE = "e\x1b[2J\x1b]0;owned\x07 \u202ex\r\ny"
WHY = "rx-ring-too-small: 12,401 frames found no descriptor in the receive ring of enp3s0, which has 512 of 4096"
RING = planned.step(Setting(knob="nic.ring.rx", subject="enp3s0", value="4096"), found="512", because=WHY)
RMEM = Setting(knob="sysctl.net.ipv4.tcp_rmem", subject="net.ipv4.tcp_rmem", value="4096 131072 33554432")
TX = replace(RING, setting=replace(RING.setting, knob="nic.ring.tx"), disruption=Disruption.LINK)
STEPS = (
    replace(RING, disruption=Disruption.LINK, command="ethtool -G enp3s0 rx 4096", undo="ethtool -G enp3s0 rx 512"),
    replace(TX, command="ethtool -G enp3s0 tx 4096", undo="ethtool -G enp3s0 tx 512"),
    replace(
        planned.step(RMEM, found="4096 131072 6291456", because="tcp-buffers-too-small: the window ends at 6.0 MB"),
        reference="ip-sysctl.rst",
        disruption=Disruption.NONE,
    ),
)
REFUSALS = (
    Refusal(
        setting=Setting(knob="irq.affinity", subject="61", value="2"),
        reason="irqbalance sets this: stop it, or have it started with --banirq=61, which IRQBALANCE_ARGS can hold",
        because="irq-single-cpu: CPU 0 takes every receive interrupt",
    ),
)
NAS = HostPlan(
    id="P",
    target="root@nas",
    steps=STEPS,
    refused=REFUSALS,
    already=(Setting(knob="nic.feature.generic-receive-offload", subject="enp3s0", value="on"),),
)
WEB = HostPlan(id="Q", target="web", unreachable="web: connection refused: is sshd running there?")
ADVICE = ("optics-power-low on root@nas: clean the connector, then the fibre; read the power again with ethtool -m",)
WHOLE = replace(planned.plan(NAS, WEB, name="01M8PF17A62Z0ZNC4T"), advice=ADVICE)


def told(knob: str, value: str) -> str:
    """A value in words."""
    return f"<{value}>" if knob == "link.qdisc" else value


def item(outcome: Outcome = Outcome.DONE, *, now: str | None = "2", why: str = "") -> ChangedSetting:
    """A setting of a change."""
    return ChangedSetting(knob="dial.speed", subject="eth0", found="1", now=now, outcome=outcome, why=why)


def change(state: ChangeState = ChangeState.WAITING, *items: ChangedSetting, left: float | None = None) -> Change:
    """A change of a host."""
    return Change(id="P", state=state, at=1767323045.0, label="nas", items=items or (item(),), seconds_left=left)


def test_golden() -> None:
    """The whole text of a plan at 80 columns is the one that was read and found good."""
    assert (GOLDEN / "plan.txt").read_text() == plan_text(WHOLE)


def test_plan_of_two_hosts() -> None:
    """Each step names its host."""
    hosts = (planned.host_plan("P", "nas"), planned.host_plan("Q", "web"))
    lines = plan_text(planned.plan(*hosts)).splitlines()
    assert "2 settings to change on nas, web. Nothing is touched yet." == lines[0]
    assert ["1 nas: dial.speed of eth0   1 -> 2", "1 web: dial.speed of eth0   1 -> 2"] == [
        line for line in lines if line.startswith("1 ")
    ]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        (HostPlan(id="P", target="nas"), "Nothing to change.\n"),
        (replace(NAS, steps=(), refused=()), "Nothing to change.\n\nAlready so\n"),
        (replace(NAS, steps=(), already=()), "Nothing can be changed.\n\nNot planned\n"),
        (WEB, "Nothing can be changed.\n\nNot planned\n  web: connection refused"),
    ],
)
def test_plan_without_steps(host: HostPlan, expected: str) -> None:
    """The answer first, and no command to apply it."""
    text = plan_text(planned.plan(host))
    assert text.startswith(expected)
    assert "fullrate apply" not in text


@pytest.mark.parametrize("risk", Disruption)
def test_risks(risk: Disruption) -> None:
    """Each is told in words."""
    text = plan_text(planned.plan(planned.host_plan(steps=(replace(RING, disruption=risk),))))
    assert f"    risk     {risk.words}\n" in text


def test_same_reason_once() -> None:
    """A reason that several steps have is told at the first of them, its reference too."""
    steps = tuple(planned.step(Setting(knob="irq.affinity", subject=f"{number}", value="1")) for number in range(5))
    text = plan_text(planned.plan(planned.host_plan(steps=steps)))
    assert (1, 4, 1) == (text.count("why      too slow"), text.count("why      as for 1"), text.count("dial(8)"))


def test_commands_can_be_copied() -> None:
    """However long they are, they stand on one line."""
    long = "tc qdisc replace dev enp3s0 root " + "tbf rate 941501232bit " * 9
    text = plan_text(planned.plan(planned.host_plan(steps=(replace(RING, command=long, undo=long),))), 60)
    assert [f"    change   {long}", f"    undo     {long}"] == [line for line in text.splitlines() if long in line]


def test_long_values_stand_alone() -> None:
    """Where the setting and its values do not fit a line, the values have their own."""
    lines = plan_text(planned.plan(planned.host_plan(steps=STEPS[2:])), 70).splitlines()
    assert ["1 nas: sysctl.net.ipv4.tcp_rmem", "    4096 131072 6291456 -> 4096 131072 33554432"] == lines[2:4]


STATES = {
    ChangeState.WAITING: "nas: in place, waiting to be kept",
    ChangeState.CONFIRMED: "nas: in place, kept",
    ChangeState.REVERTED: "nas: put back as it was found",
    ChangeState.KEPT_OFF: "nas: put back as it was found, but for what somebody else has set since",
    ChangeState.OPEN: "nas: left half-way by a run that did not end in order; nothing guards it",
    ChangeState.FAILED: "nas: NOT put back in full",
    ChangeState.REFUSED: "nas: refused; nothing was touched",
}


@pytest.mark.parametrize("state", ChangeState)
def test_states(state: ChangeState) -> None:
    """Where a change stands is its first line."""
    assert STATES[state] == change_text(change(state), told).splitlines()[0]


OUTCOMES = {
    Outcome.DONE: "1 -> 2",
    Outcome.NOT_DONE: "1 -> 2   (not reached)",
    Outcome.CHANGED: "1 -> 2",
    Outcome.AS_FOUND: "1 -> 2   (nothing to put back)",
    Outcome.RESTORED: "1 -> 2   (put back)",
    Outcome.KEPT_OFF: "1 -> 2   (left alone)",
    Outcome.REBOOTED: "1 -> 2   (left alone)",
    Outcome.GONE: "1 -> 2   (gone)",
    Outcome.FAILED: "1 -> 2   (NOT put back)",
}


@pytest.mark.parametrize("outcome", Outcome)
def test_outcomes(outcome: Outcome) -> None:
    """What came of each setting stands behind it."""
    assert f"  dial.speed of eth0   {OUTCOMES[outcome]}" == _second(item(outcome))


def _second(given: ChangedSetting) -> str:
    return change_text(change(ChangeState.WAITING, given), told).splitlines()[1]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (item(Outcome.RESTORED, now="1"), "1   (put back)"),
        (item(Outcome.AS_FOUND, now="1"), "1   (nothing to put back)"),
        (item(Outcome.NOT_DONE, now=None), "1   (not reached)"),
        (item(Outcome.GONE, now=None, why="no such interface"), "1   (gone; no such interface)"),
        (item(Outcome.FAILED, now=None, why="no tool"), "1 -> not to be read   (NOT put back; no tool)"),
        (item(Outcome.KEPT_OFF, now="7", why="somebody did"), "1 -> 7   (left alone; somebody did)"),
    ],
)
def test_values(given: ChangedSetting, expected: str) -> None:
    """One value where nothing moved or nothing can be said, two where it did; never a guess."""
    assert f"  dial.speed of eth0   {expected}" == _second(given)


def test_values_in_words() -> None:
    """As the knob tells them; a kernel setting is called by its key alone."""
    qdisc = replace(item(), knob="link.qdisc")
    rmem = replace(item(), knob="sysctl.a.b", subject="a.b")
    lines = change_text(change(ChangeState.WAITING, qdisc, rmem), told).splitlines()
    assert ["  link.qdisc of eth0   <1> -> <2>", "  sysctl.a.b   1 -> 2"] == lines[1:]


def test_everything_of_a_change() -> None:
    """How long it waits, why it came back, what else moved, its damage, its note."""
    whole = replace(
        change(left=12.3),
        why="nobody confirmed it in time",
        also=(replace(item(Outcome.CHANGED), knob="dial.tone"),),
        damaged=True,
        note="no unit for the next boot: Read-only file system",
    )
    expected = [
        "nas: in place, waiting to be kept; it comes back by itself in 12 s",
        "  because nobody confirmed it in time",
        "  dial.speed of eth0   1 -> 2",
        "  changed besides, by itself:",
        "    dial.tone of eth0   1 -> 2",
        "  a part of its journal cannot be read: every step was looked at",
        "  no unit for the next boot: Read-only file system",
    ]
    assert expected == change_text(whole, told).splitlines()


def test_a_change_without_a_label() -> None:
    """It is of this host."""
    assert change_text(replace(change(), label=""), told).startswith("this host: ")


def test_next() -> None:
    """The shortest time that is left, and both commands."""
    expected = (
        "It comes back by itself in 7 s, whatever becomes of this connection.\n"
        "Keep it:      fullrate confirm P\n"
        "Put it back:  fullrate revert P\n"
    )
    assert expected == next_text("P", [change(left=9), change(left=7.2), change()])


def test_next_without_a_time() -> None:
    """Where none is told none is made up."""
    assert next_text("P", [change()]).startswith("It comes back by itself, whatever")
    assert next_text("P", []).startswith("It comes back by itself, whatever")


def test_no_changes() -> None:
    """Nothing was ever done."""
    assert "fullrate has changed nothing on nas so far.\n" == changes_text(Changes(target="nas"), told)


def test_changes() -> None:
    """When, why, where it stands; what is to be typed comes last, for that host."""
    first = replace(change(ChangeState.CONFIRMED), because="too slow", label="this host")
    waiting = replace(change(left=5), id="Q", at=1767323106.0)
    expected = [
        "P  2026-01-02 03:04:05 UTC",
        "  why: too slow",
        "  root@nas: in place, kept",
        "    dial.speed of eth0   1 -> 2",
        "",
        "Q  2026-01-02 03:05:06 UTC",
        "  root@nas: in place, waiting to be kept; it comes back by itself in 5 s",
        "    dial.speed of eth0   1 -> 2",
        "",
        "Keep it:      fullrate confirm Q --on root@nas",
        "Put it back:  fullrate revert Q --on root@nas",
    ]
    assert expected == changes_text(Changes(target="root@nas", changes=(first, waiting)), told).splitlines()


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (ChangeState.WAITING, ["Keep it:      fullrate confirm P", "Put it back:  fullrate revert P"]),
        (ChangeState.FAILED, ["Put it back:  fullrate revert P"]),
        (ChangeState.OPEN, ["Put back what was left:  fullrate recover"]),
        (ChangeState.CONFIRMED, []),
        (ChangeState.REVERTED, []),
        (ChangeState.KEPT_OFF, []),
        (ChangeState.REFUSED, []),
    ],
)
def test_what_is_to_be_done(state: ChangeState, expected: list[str]) -> None:
    """Of this host no target is typed; what is over needs nothing; what is elsewhere cannot be done from here."""
    one = change(state)
    text = changes_text(Changes(target="this host", changes=(one,)), told)
    assert expected == [line for line in text.splitlines() if "fullrate " in line]
    elsewhere = replace(one, here=False, label="netns:b")
    text = changes_text(Changes(target="this host", changes=(elsewhere,)), told)
    assert "  netns:b, another network namespace: " in text
    assert [] == [line for line in text.splitlines() if "fullrate " in line]


def test_recover_names_its_host_once() -> None:
    """However many were left."""
    text = changes_text(Changes(target="a b", changes=(change(ChangeState.OPEN), change(ChangeState.OPEN))), told)
    assert ["Put back what was left:  fullrate recover 'a b'"] == [x for x in text.splitlines() if "fullrate " in x]


def test_unreadable_journals() -> None:
    """They are named, with what to do."""
    found = Changes(target="nas", unreadable=("/var/lib/fullrate/changes/X.journal",))
    text = changes_text(found, told)
    assert text.endswith(unreadable_text(found))
    lines = " ".join(text.split())
    assert (
        "/var/lib/fullrate/changes/X.journal cannot be read as a journal: look at it, put back by hand what it set, "
        "then remove it"
    ) in lines


def hostile_plan() -> Plan:
    """A plan in which every foreign string tries to steer the terminal."""
    setting = Setting(knob=HOSTILE, subject=HOSTILE, value=HOSTILE)
    step = replace(
        RING, setting=setting, current=HOSTILE, command=HOSTILE, undo=HOSTILE, because=HOSTILE, reference=HOSTILE
    )
    refusal = Refusal(setting=setting, reason=HOSTILE, because=HOSTILE)
    host = HostPlan(
        id=HOSTILE, target=HOSTILE, steps=(step,), refused=(refusal,), already=(setting,), unreachable=HOSTILE
    )
    return replace(planned.plan(host, name=HOSTILE), advice=(HOSTILE,))


def hostile_change() -> Change:
    """The same of a change."""
    one = ChangedSetting(
        knob=HOSTILE, subject=HOSTILE, found=HOSTILE, now=f"{HOSTILE}2", outcome=Outcome.FAILED, why=HOSTILE
    )
    return Change(
        id=HOSTILE,
        state=ChangeState.FAILED,
        label=HOSTILE,
        because=HOSTILE,
        why=HOSTILE,
        items=(one,),
        also=(one,),
        note=HOSTILE,
    )


HOSTILE_CHANGES = Changes(
    target=HOSTILE,
    changes=(hostile_change(), replace(hostile_change(), here=False)),
    unreadable=(HOSTILE,),
)
HOSTILE_TEXTS = {
    "plan": plan_text(hostile_plan()),
    "change": change_text(hostile_change(), told),
    "changes": changes_text(HOSTILE_CHANGES, told),
    "next": next_text(HOSTILE, [hostile_change()]),
}


@pytest.mark.parametrize("name", HOSTILE_TEXTS)
def test_nothing_steers_the_terminal(name: str) -> None:
    """Every control, escape and bidi character is made visible."""
    text = HOSTILE_TEXTS[name]
    assert "\\x1b" in text
    assert all(char.isprintable() for char in text.replace("\n", ""))
    assert "owned\\x07" in text


@pytest.mark.parametrize("width", [60, 80, 110])
def test_no_line_is_wider(width: int) -> None:
    """But for commands and values, which are there to be copied."""
    changes = Changes(target="root@nas", changes=(replace(change(left=3), because=WHY, note=WHY, why=WHY),))
    for text in (
        plan_text(WHOLE, width),
        changes_text(changes, told, width),
        change_text(changes.changes[0], told, width),
    ):
        assert width >= max(
            len(line)
            for line in text.splitlines()
            if not any(word in line for word in ("ethtool -G", "printf", "->", ":  "))
        )


def test_a_narrow_terminal_gets_the_narrowest_form() -> None:
    """Below 60 columns nothing fits."""
    assert plan_text(WHOLE, 60) == plan_text(WHOLE, 20)


@pytest.mark.parametrize(
    ("state", "attribute"),
    [(ChangeState.WAITING, "1;33"), (ChangeState.CONFIRMED, "1;32"), (ChangeState.FAILED, "1;31")],
)
def test_colour(state: ChangeState, attribute: str) -> None:
    """Good is green, what waits yellow, what went wrong red; none unless asked for."""
    assert change_text(change(state), told, colour=True).startswith(f"\x1b[{attribute}mnas: ")
    assert "\x1b" not in change_text(change(state), told)
    assert "\x1b[1m" in plan_text(WHOLE, colour=True)
