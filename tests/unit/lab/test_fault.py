"""The building blocks of faults."""

import pytest

from fullrate.lab import fault
from fullrate.lab.catalog import fault_named
from fullrate.lab.fault import Await, Command, Daemon
from fullrate.lab.topology import BASELINE, Place


def _commands(steps: tuple[fault.Step, ...]) -> list[str]:
    return [" ".join(step.argv) for step in steps if isinstance(step, Command)]


def test_run() -> None:
    """A command knows its place."""
    assert Command(place=Place.FAR, argv=("ip", "link")) == fault.run(Place.FAR, "ip", "link")


@pytest.mark.parametrize("name", BASELINE)
def test_a_sysctl_goes_back_to_the_lab_s_value(name: str) -> None:
    """Healing sets what building set."""
    assert ("sysctl", "-qw", f"{name}={BASELINE[name]}") == fault.sysctl_back(Place.FAR, name).argv


def test_a_foreign_sysctl_cannot_be_put_back() -> None:
    """Only what the lab set itself may be changed by a fault."""
    with pytest.raises(KeyError):
        fault.sysctl_back(Place.FAR, "net.core.rmem_max")


def test_filtering() -> None:
    """Rules stand in the fault's own table, at the hook asked for."""
    expected = (
        "table inet fault {\nchain input {\ntype filter hook input priority 10; policy accept;\ncounter drop\n}\n}\n"
    )
    assert expected == fault.filtering(Place.FAR, "input", "counter drop").stdin


def test_filtering_back_works_without_the_table() -> None:
    """Adding the table first makes the removal valid whether it is there or not."""
    assert "add table inet fault\ndelete table inet fault\n" == fault.filtering_back(Place.FAR).stdin


def test_listening() -> None:
    """A server is waited for by its port, whole."""
    assert ":5301 " == fault.listening(Place.FAR, 5301).text


def test_the_relay_gets_packets_only_when_it_runs() -> None:
    """The program starts, its device is seen to be taken, and only then packets are led there."""
    kinds = [type(step) for step in fault.relay(("wire-a",), delay=0.02)]
    started, seen = kinds.index(Daemon), kinds.index(Await)
    assert (started + 1, [Command] * 4) == (seen, kinds[seen + 1 :])


def test_the_relay_s_delay() -> None:
    """The delay is handed to the program."""
    (program,) = [step for step in fault.relay(("wire-a",), delay=0.02) if isinstance(step, Daemon)]
    assert ("relay0", "--delay", "0.02", "--loss", "0.0", "--reorder", "0.0") == program.argv[-7:]


def test_the_relay_s_shares() -> None:
    """What is to be lost and reordered is handed to the program."""
    (program,) = [
        step for step in fault.relay(("wire-a",), delay=0.02, loss=0.01, reorder=0.1) if isinstance(step, Daemon)
    ]
    assert ("--loss", "0.01", "--reorder", "0.1") == program.argv[-4:]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("tc-shaper", "path-loss", False),
        ("tc-shaper", "tc-shaper-20m", True),  # the same root qdisc
        ("tc-shaper", "htb-far", False),  # of either end
        ("tc-shaper", "htb-near", True),  # two links
        ("path-loss", "netfilter-drop", False),  # rules stand beside each other
        ("path-loss", "path-policer", False),
        ("tcp-wmem-small", "path-loss-20ms", True),  # there is one relay
        ("cpu-quota", "cpu-quota-near", False),
        ("server-busy", "server-busy", True),  # the same programs
        ("udp-path-loss", "udp-netfilter-drop", False),
        ("udp-path-loss", "htb-far", True),  # one shows with UDP, the other with TCP
    ],
)
def test_clash(one: str, other: str, expected: bool) -> None:  # noqa: FBT001 - a table's column
    """Two faults clash on two links, in one setting or by one program, whichever is named first."""
    pair = fault_named(one), fault_named(other)
    assert (expected, expected) == (fault.clash(*pair), fault.clash(*reversed(pair)))


@pytest.mark.parametrize("ports", [("wire-a",), ("wire-a", "wire-b")])
def test_every_rule_of_the_relay_is_taken_back(ports: tuple[str, ...]) -> None:
    """Each rule added is deleted."""
    added = [line for line in _commands(fault.relay(ports, delay=0.02)) if "rule add" in line]
    deleted = [
        line.replace("rule del", "rule add") for line in _commands(fault.relay_back(ports)) if "rule del" in line
    ]
    assert (2 * len(ports), sorted(added)) == (len(added), sorted(deleted))


def test_the_relay_s_device_goes_last() -> None:
    """As long as rules lead there, the device stays."""
    assert "ip link del relay0" == _commands(fault.relay_back(("wire-a",)))[-1]
