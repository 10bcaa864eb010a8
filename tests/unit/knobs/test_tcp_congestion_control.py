"""The knob tcp.congestion_control."""

import pytest

from fullrate.checks.congestion_control import CHECK
from fullrate.knobs.tcp_congestion_control import KNOB
from fullrate.records.evidence import ReadFile, WriteFile
from fullrate.records.leaf import Answers
from fullrate.records.setting import CannotSetError
from unit.checks.build import found
from unit.checks.scenes_tcp import yielding
from unit.knobs.machine import answers, back, named_by, read, refused, setting, wanted

KEY = "net.ipv4.tcp_congestion_control"
FOLDER = "/proc/sys/net/ipv4"
CUBIC = setting(f"sysctl.{KEY}", "cubic", KEY)


def machine(available: str = "reno cubic bbr", allowed: str = "reno cubic", *, first: bool = True) -> Answers:
    """The algorithms of a namespace, the machine's first or another."""
    pairs = [
        (ReadFile(path=f"{FOLDER}/tcp_available_congestion_control"), f"{available}\n"),
        (ReadFile(path=f"{FOLDER}/tcp_allowed_congestion_control"), f"{allowed}\n"),
    ]
    if first:
        pairs.append((ReadFile(path="/proc/sys/net/core/default_qdisc"), "fq_codel\n"))
    return answers(*pairs)


def test_the_name_is_read() -> None:
    """One word."""
    assert "cubic" == read(KNOB, CUBIC, "cubic\n")
    assert ReadFile(path=f"{FOLDER}/tcp_congestion_control") == KNOB.reading(CUBIC).request


def test_the_name_is_written() -> None:
    """And read back."""
    writing = KNOB.write(CUBIC, {})
    assert (WriteFile(path=f"{FOLDER}/tcp_congestion_control", content="cubic"), "cubic") == (
        writing.action,
        writing.expect,
    )


def test_a_loaded_one_can_be_set() -> None:
    """In the first namespace whatever is allowed to others."""
    assert "" == refused(KNOB, setting(f"sysctl.{KEY}", "bbr", KEY), machine())


@pytest.mark.parametrize(
    ("value", "available", "known"),
    [
        ("bbr", "reno cubic", "reno cubic"),
        ("cub", "reno cubic", "reno cubic"),
        ("a b", "reno cubic", "reno cubic"),
        ("cubic", "", "none that could be read"),
    ],
)
def test_another_is_not_loaded(value: str, available: str, known: str) -> None:
    """The kernel would load its module, and no undo unloads it."""
    reason = (
        f"{value!r} is not among the algorithms loaded here: {known}; load its module first, for a module that a "
        "change loads stays"
    )
    assert reason == refused(KNOB, setting(f"sysctl.{KEY}", value, KEY), machine(available))


NOT_HERE = (
    "bbr cannot be set in this network namespace: the machine's first one does not allow it to others"
    " (net.ipv4.tcp_allowed_congestion_control)"
)


def test_another_namespace_has_what_it_is_allowed() -> None:
    """tcp_set_default_congestion_control: EPERM."""
    assert NOT_HERE == refused(KNOB, setting(f"sysctl.{KEY}", "bbr", KEY), machine(first=False))
    assert "" == refused(KNOB, CUBIC, machine(first=False))


def test_what_was_taken_over_may_not_be_set_again() -> None:
    """A namespace begins with the first one's."""
    with pytest.raises(CannotSetError, match="bbr cannot be set in this network namespace"):
        back(KNOB, setting(f"sysctl.{KEY}", "bbr", KEY), machine(first=False))
    assert "bbr" == back(KNOB, setting(f"sysctl.{KEY}", "bbr", KEY), machine()).expect


def test_one_that_is_not_loaded_any_more_can_be_put_back() -> None:
    """It is the one that was found."""
    assert "cubic" == back(KNOB, CUBIC, machine("reno bbr")).expect


def test_the_remedy_of_one_that_gives_way() -> None:
    """cubic, as everywhere."""
    assert [(f"sysctl.{KEY}", KEY, "cubic")] == wanted(found(CHECK, yielding()))


def test_owner() -> None:
    """Tuned."""
    file = "/etc/tuned/mine/tuned.conf\n"
    assert (["tuned"], []) == (
        named_by(KNOB.owners(CUBIC), "mine\n", "", "", file),
        named_by(KNOB.owners(CUBIC), "other\n", "", "", file),
    )
