"""The lab's refusals and failures say what to do next."""

import pytest

from fake_lab import FakeLab
from fullrate.lab.acting import act, ask, require
from fullrate.records.errors import TargetError
from fullrate.records.evidence import ReadFile, change


def test_act_gives_the_reply() -> None:
    """An action that works gives its reply."""
    assert b"" == act(FakeLab().host(), change("true")).payload


def test_a_failure_names_the_command() -> None:
    """A failed action names itself, the reason and the way out."""
    lab = FakeLab(fails="tc")
    with pytest.raises(TargetError, match=r"tc qdisc add: no luck; `fullrate lab down` clears"):
        act(lab.host(), change("tc", "qdisc", "add"))


def test_ask_gives_text() -> None:
    """Replies come as text, in order; what is not there is empty."""
    lab = FakeLab(files={"/a": "one"})
    assert ("one", "") == ask(lab.host(), ReadFile(path="/a"), ReadFile(path="/b"))


def test_root_is_needed() -> None:
    """Without root the lab is refused."""
    with pytest.raises(TargetError, match=r"needs root.*run it with sudo"):
        require(FakeLab(user="1000").host())


@pytest.mark.parametrize(
    ("missing", "expected"),
    [({"ip", "tc"}, "needs ip, tc; install iproute2"), ({"nft"}, "needs nft; install nftables")],
)
def test_missing_tools(missing: set[str], expected: str) -> None:
    """A missing tool is named with its package."""
    with pytest.raises(TargetError, match=expected):
        require(FakeLab(missing=frozenset(missing)).host())


def test_all_there() -> None:
    """With root and the tools nothing is refused and nothing done."""
    lab = FakeLab()
    require(lab.host())
    assert [] == lab.done
