"""A host without a partner: what the settings and five seconds of counters of a recorded NIC show."""

from collections.abc import Mapping

import pytest

from fullrate.records.finding import Finding, Judgement
from fullrate.records.run import Run
from recorded_nic import LINK, Edits, looked_at

AFFINITY = "/proc/irq/{}/effective_affinity_list:{}\n/proc/irq/{}/smp_affinity_list:2-3\n"
VECTORS = {56: 2, 54: 2, 57: 3, 53: 3, 49: 3, 55: 3, 51: 3, 52: 2, 50: 2}
SPREAD = "".join(AFFINITY.format(irq, cpu, irq) for irq, cpu in VECTORS.items())
ON_ONE = "".join(AFFINITY.format(irq, 2, irq) for irq in VECTORS)
TABLE = "".join(f"{row:5}:{f'      {row // 32}':s}{f'     {row // 32}' * 7}\n" for row in range(0, 128, 8))


def problems(run: Run) -> dict[str, Finding]:
    """What is wrong, by check."""
    return {one.check: one for one in run.findings if one.verdict is Judgement.PROBLEM}


@pytest.mark.parametrize("generation", ["debian12", "debian13"])
def test_healthy_nic(generation: str) -> None:
    """Nothing is wrong, and no check failed."""
    run = looked_at(generation)
    assert {} == problems(run)
    assert not [one.check for one in run.findings if "failed" in one.summary]


SETTINGS: list[tuple[str, Edits, str]] = [
    (
        "link-speed-downshift",
        {"ethtool_link": ("Speed: 1000Mb/s", "Speed: 100Mb/s")},
        "this NIC can do 1 Gbit/s",
    ),
    ("duplex-mismatch", {"ethtool_link": ("1000Mb/s\n\tDuplex: Full", "100Mb/s\n\tDuplex: Half")}, "half duplex"),
    ("irq-single-cpu", {"irq_affinity": (SPREAD, ON_ONE)}, "all interrupt CPU 2, what it costs only a test can tell"),
    ("single-rx-queue", {"ethtool_channels": ("Combined:\t4", "Combined:\t1")}, "one receive queue of 8"),
    ("rss-single-queue", {"ethtool_rss": (TABLE, "    0:      3     3\n")}, "sends every flow to queue 3"),
    (
        "offload-off",
        {"ethtool_features": ("tcp-segmentation-offload: on", "tcp-segmentation-offload: off")},
        "off on eth3, what it costs only a test can tell",
    ),
    (
        "tcp-buffers-too-small",
        {"sysctl": ("net.ipv4.tcp_rmem = 4096\t131072\t6291456", "net.ipv4.tcp_rmem = 4096\t65536\t131072")},
        "allows 131,072 bytes; 1 Gbit/s at an RTT of 1 ms need 250,000",
    ),
]


@pytest.mark.parametrize(("check", "was", "said"), SETTINGS, ids=lambda one: str(one)[:20])
def test_setting(check: str, was: Edits, said: str) -> None:
    """One thing set wrong is named, at no cost, for nothing was measured; what follows from it alone may be too."""
    found = problems(looked_at(was=was))
    assert check in found
    assert said in found[check].summary
    assert {0.0} == {one.costs_bps for one in found.values()}


def test_forced_speed() -> None:
    """Autonegotiation is off, below what the NIC can do."""
    text = "Speed: 1000Mb/s\n\tDuplex: Full\n\tAuto-negotiation: on"
    run = looked_at(was={"ethtool_link": (text, "Speed: 100Mb/s\n\tDuplex: Full\n\tAuto-negotiation: off")})
    assert f"{LINK} is forced to 100 Mbit/s; it could do 1 Gbit/s" == problems(run)["advertise-mask-limited"].summary


def test_pcie_too_narrow_for_the_link() -> None:
    """A card for 10 Gbit/s in a slot of one lane of the first generation."""
    run = looked_at(was={"ethtool_link": ("Speed: 1000Mb/s", "Speed: 10000Mb/s")})
    assert "PCIe carries 1.8 Gbit/s to eth3: 2.5 GT/s x1" in problems(run)["pcie-link-narrow"].summary


COUNTERS: list[tuple[str, Mapping[str, tuple[str, str]], str]] = [
    ("rx-crc-errors", {"sysfs_carrier": ("rx_crc_errors:0", "rx_crc_errors:40")}, "of the frames arrive damaged"),
    (
        "peer-sends-pause",
        {"ethtool_statistics": ("rx_flow_control_xoff: 0", "rx_flow_control_xoff: 9000")},
        "stopped it with 9000 pause frames",
    ),
    (
        "host-sends-pause",
        {"ethtool_statistics": ("tx_flow_control_xoff: 0", "tx_flow_control_xoff: 9000")},
        "this host cannot keep up",
    ),
    (
        "rx-ring-too-small",
        {"receive_drops": ("rx_missed_errors:0", "rx_missed_errors:70")},
        "discarded 70 frames while its CPU had room",
    ),
    ("nic-driver-bug", {"ethtool_statistics": ("tx_timeout_count: 0", "tx_timeout_count: 2")}, "timed out while"),
    ("link-flapping", {"sysfs_carrier": ("carrier_changes:2", "carrier_changes:4")}, "lost its carrier"),
]


@pytest.mark.parametrize(("check", "moved", "said"), COUNTERS, ids=lambda one: str(one)[:20])
def test_counter_that_moves(check: str, moved: Edits, said: str) -> None:
    """Five seconds are enough to see it."""
    found = problems(looked_at(moved=moved))
    assert check in found
    assert said in found[check].summary


@pytest.mark.parametrize(("check", "moved", "said"), COUNTERS, ids=lambda one: str(one)[:20])
def test_counter_that_stands(check: str, moved: Edits, said: str) -> None:
    """A near miss: the same count, all of it from before."""
    assert check not in problems(looked_at(was=moved)), said


def test_few_damaged_frames_are_no_problem() -> None:
    """A near miss: a plug that moved once."""
    assert {} == problems(looked_at(moved={"sysfs_carrier": ("rx_crc_errors:0", "rx_crc_errors:9")}))


def test_single_queue_of_a_nic_that_has_no_more_is_no_problem() -> None:
    """A near miss: there is nothing to set, and nothing was measured."""
    text = "Combined:\t8\nCurrent hardware settings:\nRX:\t\tn/a\nTX:\t\tn/a\nOther:\t\t1\nCombined:\t4"
    one = text.replace("8", "1", 1).replace("4", "1")
    assert "single-rx-queue" not in problems(looked_at(was={"ethtool_channels": (text, one)}))


def test_findings_have_the_host_and_no_direction() -> None:
    """There is no path."""
    run = looked_at(was=dict(SETTINGS[3][1]))
    assert {None} == {one.direction for one in run.findings}
    assert "near" == problems(run)["single-rx-queue"].end


def test_link_that_is_down_is_not_accused() -> None:
    """A near miss: its one queue carries nothing."""
    down = {**SETTINGS[3][1], "ip_link": ('"operstate":"UP"', '"operstate":"DOWN"')}
    assert {} == problems(looked_at(was=down))
