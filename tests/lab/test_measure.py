"""`measure` between two network namespaces of its own: every kind of test on real traffic, as a user asks for it."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.driving import Answer, Document, User, finish
from lab.far_end import wait_until

pytestmark = pytest.mark.lab

NEAR, FAR = NAMES = "frt-m-a", "frt-m-b"
JOB = (f"netns:{FAR}", "--from", f"netns:{NEAR}", "--json", "--link-speed", "1G")
GOODPUT = 941.48e6
SHAPED = f"{1e9 * 1514 / 1538:.0f}bit"  # a tbf counts a frame without what Ethernet puts around it


def run(*argv: str) -> None:
    """A command that must succeed."""
    subprocess.run(argv, check=True, capture_output=True, timeout=20)


@pytest.fixture(scope="module", autouse=True)
def _wire() -> Iterator[None]:
    """Two namespaces and a link of 1 Gbit/s each way, with cubic on both ends."""
    remove()
    try:
        for name in NAMES:
            run("ip", "netns", "add", name)
        run("ip", "link", "add", "m0", "netns", NEAR, "type", "veth", "peer", "name", "m0", "netns", FAR)
        for last, name in enumerate(NAMES, 1):
            for link in ("lo", "m0"):
                run("ip", "-n", name, "link", "set", link, "up")
            run("ip", "-n", name, "address", "add", f"10.91.0.{last}/24", "dev", "m0")
            run("ip", "-n", name, "route", "change", "10.91.0.0/24", "dev", "m0", "congctl", "cubic")
            bucket = ("tbf", "rate", SHAPED, "burst", "131072", "limit", "4000000")
            run("tc", "-n", name, "qdisc", "add", "dev", "m0", "root", *bucket)
        yield
    finally:
        remove()


def remove() -> None:
    """Take both away, if they are there."""
    for name in NAMES:
        subprocess.run(("ip", "netns", "delete", name), check=False, capture_output=True, timeout=20)


def measured(folder: Path, *words: str) -> Answer:
    """The answer to `measure` with these words."""
    return User(state=folder).runs("measure", *JOB, *words)


def rates(document: Document, **kind: object) -> list[float]:
    """The rates of the measurements of a kind."""
    found = [one for one in document["measurements"] if all(one[name] == value for name, value in kind.items())]
    assert all(one["failure"] == "" for one in found), found
    return [one["throughput_bps"]["median"] for one in found if one["throughput_bps"]]


@pytest.mark.long
def test_both_ways_at_once_and_several_processes(tmp_path: Path) -> None:
    """Each direction has a rate of its own, near what the link carries; the processes share one flow's ceiling."""
    document = measured(tmp_path, "--test", "tcp,way=both", "--test", "tcp,processes=2,pin=auto").document
    duplex = rates(document, beside="the other way")
    assert 2 == len(duplex)
    assert min(duplex) > 0.8 * GOODPUT  # the answers of each way take their part of the other
    (together,) = rates(document, processes=2)
    assert together == pytest.approx(GOODPUT, rel=0.05)
    assert all(one["near_load"]["busy"] > 0 for one in document["measurements"])


@pytest.mark.long
def test_requests_idle_and_under_load(tmp_path: Path) -> None:
    """The queue of the shaper is seen by those who wait behind it; the load is measured too."""
    document = measured(tmp_path, "--test", "requests", "--test", "requests,load=out").document
    idle, loaded = [one["latency"] for one in document["measurements"] if one["kind"] == "latency"]
    assert 0 < idle["p50_seconds"] <= idle["p99_seconds"] <= idle["max_seconds"]
    assert idle["count"] == sum(bucket["count"] for bucket in idle["histogram"]) > 1000
    assert loaded["p50_seconds"] > 3 * idle["p50_seconds"]
    assert [True] == [rate > 0.8 * GOODPUT for rate in rates(document, beside="requests")]
    assert "not_measured" == document["verdict"]["state"]


def test_what_udp_carries_and_how_large_packets_may_be(tmp_path: Path) -> None:
    """The search ends below the link's goodput, and without loss at the rate it names."""
    document = measured(tmp_path, "--test", "udp-capacity", "--test", "path-mtu").document
    (capacity,) = document["numbers"]["capacities"]
    assert 0.7 * 957e6 < capacity["loss_free_bps"] < 1.01 * 957.09e6
    assert [1500] == [one["path_mtu_bytes"] for one in document["measurements"] if one["kind"] == "path_mtu"]


@pytest.mark.long
def test_within_one_host_and_its_disk(tmp_path: Path) -> None:
    """Neither touches the link."""
    document = measured(tmp_path, "--test", "tcp,within=far,seconds=3", "--disk", f"near:{tmp_path}").document
    assert [True] == [rate > GOODPUT for rate in rates(document, within="far")]
    write, read = [one for one in document["measurements"] if one["kind"] == "disk"]
    assert write["disk_write_bps"] > 0 < read["disk_read_bps"]
    assert [] == [path.name for path in tmp_path.iterdir() if path.suffix == ".tmp"]


def test_a_stopped_disk_test_leaves_no_file(tmp_path: Path) -> None:
    """Ctrl-C while it writes: the file of 1 GB is gone with it."""
    user = User(state=tmp_path)
    process = user.start("measure", *JOB, "--test", "path-mtu", "--disk", f"near:{tmp_path}")
    wait_until((tmp_path / "fullrate-disk-test.tmp").exists, 60)
    os.killpg(process.pid, signal.SIGINT)
    answer = finish(process, time.monotonic())
    assert (130, []) == (answer.code, [path.name for path in tmp_path.iterdir() if path.suffix == ".tmp"])


@pytest.mark.long
def test_equal_tests_in_turn_show_no_difference(tmp_path: Path) -> None:
    """Three rounds, each the other way round; the text says what it compared."""
    answer = measured(tmp_path, "--test", "tcp,seconds=3", "--test", "tcp,seconds=3,write=128K", "--repeat", "3")
    (found,) = answer.document["numbers"]["comparisons"]
    assert ("no difference shown", 3) == (found["outcome"], found["pairs"])
    assert found["ci_low"] <= 1 <= found["ci_high"]


@pytest.mark.long
def test_more_processes_than_the_machine_has_cpus(tmp_path: Path) -> None:
    """Sixteen flows on two cores still end, and none is lost."""
    document = measured(tmp_path, "--test", "tcp,processes=16,pin=auto").document
    (rate,) = rates(document, processes=16)
    assert rate == pytest.approx(GOODPUT, rel=0.1)


@pytest.mark.long
def test_a_speed_that_nothing_here_has(tmp_path: Path) -> None:
    """A link of 400 Gbit/s in a virtual machine is not full, and no rate is above it."""
    answer = User(state=tmp_path).runs("measure", *JOB[:4], "--link-speed", "400G", "--test", "tcp")
    assert (1, "not_full") == (answer.code, answer.document["verdict"]["state"])


@pytest.mark.long
@pytest.mark.long
def test_udp_through_a_firewall_that_eats_it(tmp_path: Path) -> None:
    """Nothing of it arrives, by whichever port and with whichever end serving; TCP is measured all the same."""
    rules = "table inet eats {\nchain in { type filter hook input priority 0; meta l4proto udp drop\n}\n}\n"
    inside = ("ip", "netns", "exec", FAR, "nft")
    subprocess.run((*inside, "-f", "-"), check=True, input=rules, text=True, capture_output=True, timeout=20)
    try:
        document = measured(tmp_path, "--port", "5201-5202", "--test", "udp,rate=100M", "--test", "tcp").document
    finally:
        run(*inside, "delete", "table", "inet", "eats")
    udp = next(one for one in document["measurements"] if one["protocol"] == "udp")
    assert (0.0, 1.0) == (udp["throughput_bps"]["median"], udp["lost_ratio"])
    assert rates(document, protocol="tcp", streams=1)[0] == pytest.approx(GOODPUT, rel=0.05)


@pytest.mark.long
@pytest.mark.parametrize("profile", ["full", "latency", "pps", "100g"])
def test_a_profile_as_a_newcomer_reads_it(tmp_path: Path, profile: str) -> None:
    """Every test of it comes to something, and the tables hold it."""
    answer = measured(tmp_path, "--profile", profile)
    assert answer.code in {0, 1}
    assert [] == [one["failure"] for one in answer.document["measurements"] if one["failure"]]
