"""The facts of a run that measured nothing."""

from dataclasses import replace

from fullrate.records.ends import End
from fullrate.records.facts.cpu import Topology
from fullrate.records.facts.ethtool import Channels, DriverInfo, LinkMode, Rings
from fullrate.records.facts.kernel_log import KernelMessage, LogEvent
from fullrate.records.facts.link import Address, Link
from fullrate.records.facts.net import HostIdentity
from fullrate.records.facts.processor import (
    CpuIsolation,
    FrequencyControl,
    FrequencyPolicy,
    IdleState,
    IdleStates,
    SettingOwners,
    TunedProfile,
)
from fullrate.records.run import SCHEMA, EndReport, Run, State, Verdict
from fullrate.report import render
from fullrate.report.facts import facts

FACTS = {
    "Link": (Link(subject="lo", ifindex=1, mtu=65536, operstate="UNKNOWN"),
             Link(subject="enp1s0", ifindex=2, mtu=9000, operstate="UP")),
    "DriverInfo": (DriverInfo(subject="enp1s0", driver="ixgbe"),),
    "LinkMode": (LinkMode(subject="enp1s0", speed=10e9),),
    "Address": (
        Address(subject="enp1s0", family="inet", address="192.0.2.7", prefix_length=24, scope="global"),
        Address(subject="enp1s0", family="inet6", address="fe80::7", prefix_length=64, scope="link"),
    ),
    "Topology": (Topology(cpus=16),),
}  # fmt: skip
COLLECTED = Run(
    schema=SCHEMA,
    id="01TEST",
    started_at="2026-11-30T12:00:00+00:00",
    tool_version="0.1.0",
    ends={End.NEAR: EndReport(target="this host", kernel="6.1.0", facts=FACTS)},
    measurements=(),
    verdict=Verdict(state=State.NOT_MEASURED, summary="nothing was measured", ask_for=("a test",)),
    budget=(),
    path=(),
    findings=(),
)


def text(run: Run) -> str:
    """The facts as lines."""
    return "\n".join(line.text for line in facts(run, 80))


def test_a_host_is_named_with_kernel_and_cpus() -> None:
    """The first line says what machine it is."""
    assert "this host: Linux 6.1.0, 16 CPUs" == text(COLLECTED).splitlines()[0]


def test_a_link_stands_on_one_line() -> None:
    """Driver, speed, MTU, state and global addresses."""
    expected = ["enp1s0", "ixgbe", "10", "Gbit/s", "9000", "up", "192.0.2.7/24"]
    assert expected == text(COLLECTED).splitlines()[1].split()


def test_the_loopback_is_left_out() -> None:
    """No link under test is the loopback."""
    assert "lo " not in text(COLLECTED)


def test_a_host_that_was_not_read_has_only_its_name() -> None:
    """Nothing is made up."""
    bare = replace(COLLECTED, ends={End.NEAR: EndReport(target="nas")})
    assert "nas" == text(bare)


def test_decoded_facts_read_the_same() -> None:
    """A document read back from JSON holds plain objects."""
    plain = {
        "Link": ({"subject": "enp1s0", "mtu": 9000, "operstate": "UP", "kind": None},),
        "DriverInfo": ({"subject": "enp1s0", "driver": "ixgbe"},),
    }
    decoded = replace(COLLECTED, ends={End.NEAR: EndReport(target="this host", facts=plain)})
    assert ["enp1s0", "ixgbe", "9000", "up"] == text(decoded).splitlines()[1].split()


def test_the_report_shows_facts_in_place_of_open_questions() -> None:
    """Who only collects has asked no question that a test would decide."""
    report = render(COLLECTED)
    assert "enp1s0" in report
    assert "What would decide" not in report


def with_facts(**more: tuple[object, ...]) -> Run:
    """The run with other facts of its host."""
    return replace(COLLECTED, ends={End.NEAR: EndReport(target="this host", facts={**FACTS, **more})})


def test_settings_of_a_nic_stand_below_it() -> None:
    """Queues and ring of their maximum, and the firmware."""
    run = with_facts(
        Channels=(Channels(subject="enp1s0", combined=4, combined_max=8),),
        Rings=(Rings(subject="enp1s0", rx=256, rx_max=4096),),
        DriverInfo=(DriverInfo(subject="enp1s0", driver="ixgbe", firmware_version="0x800"),),
    )
    assert "    receive queues 4 of 8, receive ring 256 of 4096, firmware 0x800" == text(run).splitlines()[2]


def test_channels_by_direction() -> None:
    """Some drivers have no combined ones, or tell no maximum."""
    run = with_facts(Channels=(Channels(subject="enp1s0", combined=0, rx=2),))
    assert "    receive queues 2" == text(run).splitlines()[2]


def test_physical_links_come_first() -> None:
    """Of the virtual ones those with an address; the rest by name only."""
    links = (
        Link(subject="ifb0", ifindex=3, mtu=1500, operstate="DOWN", kind="ifb"),
        Link(subject="br0", ifindex=4, mtu=1500, operstate="UP", kind="bridge"),
        Link(subject="enp1s0", ifindex=2, mtu=9000, operstate="UP"),
    )
    address = Address(subject="br0", family="inet", address="192.0.2.9", prefix_length=24, scope="global")
    lines = text(with_facts(Link=links, Address=(address,))).splitlines()[1:]
    assert ["enp1s0", "br0", "virtual,"] == [line.split()[0] for line in lines]
    assert "  virtual, without an address: ifb0" == lines[-1]


def test_container_without_physical_links_shows_all() -> None:
    """They are what is looked at."""
    links = (Link(subject="veth0", ifindex=3, mtu=1500, operstate="UP", kind="veth"),)
    assert "veth0" == text(with_facts(Link=links)).splitlines()[1].split()[0]


def test_speed_that_is_a_label_is_not_shown() -> None:
    """A veth says 10 Gbit/s whatever it carries."""
    run = with_facts(DriverInfo=(DriverInfo(subject="enp1s0", driver="veth"),))
    assert "Gbit/s" not in text(run)


def test_operating_system_comes_first() -> None:
    """By its own name."""
    run = with_facts(HostIdentity=(HostIdentity(kernel="6.1.0"), HostIdentity(os_name="Debian GNU/Linux 12")))
    assert "this host: Debian GNU/Linux 12, 16 CPUs" == text(run).splitlines()[0]


def test_who_else_sets_things_is_named() -> None:
    """A setting changed by hand may be undone by them."""
    run = with_facts(
        SettingOwners=(SettingOwners(names=("irqbalance", "tuned")),),
        TunedProfile=(TunedProfile(profile="network-throughput"),),
    )
    assert "  settings kept by: irqbalance, tuned (network-throughput)" == text(run).splitlines()[1]


def test_nobody_else_sets_things() -> None:
    """Then nothing is said."""
    assert "settings kept by" not in text(with_facts(SettingOwners=(SettingOwners(names=()),)))


def test_last_lines_of_the_kernels_log() -> None:
    """Three different ones, oldest first; a link that came up is no news."""
    said = [
        ("firmware", "r8169: Unable to load firmware"),
        ("link_down", "Link is Down"),
        ("link_up", "Link is Up"),
        ("link_down", "Link is Down again"),
        ("link_down", "Link is Down"),
        ("usb_reset", "usb 2-1: reset"),
    ]
    log = tuple(KernelMessage(event=LogEvent(event), text=text) for event, text in said)
    found = [line for line in text(with_facts(KernelMessage=log)).splitlines() if "kernel log" in line]
    assert [
        "  kernel log: Link is Down again",
        "  kernel log: Link is Down",
        "  kernel log: usb 2-1: reset",
    ] == found


def test_power_of_the_cpus() -> None:
    """Governor, the deepest sleep that is allowed, isolated CPUs."""
    states = (
        IdleState(number=1, name="C1", latency=2e-6, disabled=False),
        IdleState(number=2, name="C6", latency=133e-6, disabled=False),
        IdleState(number=3, name="C10", latency=890e-6, disabled=True),
    )
    policies = tuple(FrequencyPolicy(name=f"policy{n}", driver="intel_pstate", governor="powersave") for n in (0, 1))
    run = with_facts(
        FrequencyControl=(FrequencyControl(policies=policies),),
        IdleStates=(IdleStates(states=states),),
        CpuIsolation=(CpuIsolation(isolated=(2, 3)),),
    )
    expected = "CPU: governor powersave (intel_pstate), sleeps down to C6, 133 us to wake up, isolated: 2 3"
    assert expected == " ".join(" ".join(text(run).splitlines()[1:3]).split())


def test_power_that_the_kernel_does_not_choose() -> None:
    """As in most virtual machines: no line."""
    run = with_facts(FrequencyControl=(FrequencyControl(policies=()),), IdleStates=(IdleStates(states=()),))
    assert "CPU:" not in text(run)
