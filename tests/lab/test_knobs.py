"""Every knob that works in a network namespace, on a real kernel: written, read back, put back to the byte.

A veth pair with two queues each way, and a tap, which lets rx-frames be set. Interrupts and rings need a NIC.
"""

import random
import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace

import pytest

from fullrate.host.netns import NetnsHost
from fullrate.knobs._tc import ticks_of
from fullrate.records.evidence import change
from fullrate.records.setting import CannotSetError, Setting
from fullrate.registry import knobs
from knob_bench import Bench, the_knob
from lab.far_end import run

pytestmark = pytest.mark.lab

NAME = "frt-knobs"
PAIR, TAP = "kn0", "kntap"
SEED = 20261201
BUCKETS = 150  # of random rate, burst and limit
LONGEST = 2**32 * 64e-9  # seconds of a burst, beyond which the kernel's answer has lost its upper bits
QUEUES = ("pfifo limit 7", "bfifo limit 70000", "pfifo_fast", "tbf rate 20mbit burst 20000 limit 90000", "default")


def _setting(knob: str, value: str, subject: str = PAIR) -> Setting:
    return Setting(knob=knob, subject=subject, value=value)


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """The namespace with its links."""
    subprocess.run(("ip", "netns", "delete", NAME), check=False, capture_output=True)  # of a run that was killed
    run("ip", "netns", "add", NAME)
    try:
        queues = ("numtxqueues", "2", "numrxqueues", "2")
        run("ip", "-n", NAME, "link", "add", PAIR, *queues, "type", "veth", "peer", "name", "kn1", *queues)
        run("ip", "-n", NAME, "tuntap", "add", "dev", TAP, "mode", "tap")
        for link in (PAIR, "kn1", TAP):
            run("ip", "-n", NAME, "link", "set", link, "up")
        host = NetnsHost(NAME)
        try:
            yield Bench(host=host)
        finally:
            host.close()
    finally:
        run("ip", "netns", "delete", NAME)


def test_every_feature_that_is_not_fixed(bench: Bench) -> None:
    """Ethtool takes each name that it shows; each goes the other way and comes back."""
    knob = the_knob(_setting("nic.feature", ""))
    shown = knob.shown(PAIR, bench.answers(_setting("nic.feature.highdma", "on")))
    assert len(shown) > 20
    for one in shown:
        other = "off" if one.value == "on" else "on"
        assert one.value == bench.changed(replace(one, value=other)), one.knob


def test_features_that_were_asked_for_in_vain(bench: Bench) -> None:
    """A tap shows `off [requested on]`: off is off, and back it is asked for in vain again."""
    knob = the_knob(_setting("nic.feature", ""))
    shown = knob.shown(TAP, bench.answers(_setting("nic.feature.x", "on", TAP)))
    vain = [one for one in shown if "requested" in one.value]
    assert vain
    for one in vain:
        assert one.value == bench.changed(replace(one, value="off"))


def test_a_name_over_others_and_what_needs_it(bench: Bench) -> None:
    """Checksums take segmentation along, and both come back; each member is one step."""
    one = _setting("nic.feature", "tx off tso off")
    knob, answers = the_knob(one), bench.answers(one)
    steps = sorted(knob.spread(one, answers), key=knob.order)
    assert len(steps) > 4
    before = knob.shown(PAIR, answers)
    backs = [(each, bench.inverse(knob, each, bench.read(knob, each) or "", answers)) for each in steps]
    for each in steps:
        assert "" == bench.does(knob.write(each, answers).action)
        assert "off" == bench.read(knob, each)
    for _, back in reversed(backs):
        assert "" == bench.does(back.action)
    assert before == knob.shown(PAIR, bench.answers(one))


@pytest.mark.parametrize(
    ("knob", "value"),
    [
        ("link.mtu", "1280"),
        ("link.mtu", "9000"),
        ("link.mtu6", "1280"),
        ("nic.channels.rx", "1"),
        ("nic.channels.tx", "1"),
        ("sysctl.net.ipv4.tcp_rmem", "4097 131073 6291457"),
        ("sysctl.net.ipv4.tcp_wmem", "1 2 3"),
    ],
)
def test_a_setting_comes_back(bench: Bench, knob: str, value: str) -> None:
    """By its own inverse."""
    subject = knob.removeprefix("sysctl.") if knob.startswith("sysctl.") else PAIR
    assert value != bench.changed(_setting(knob, value, subject))


def test_ipv6_follows_the_link_and_comes_back(bench: Bench) -> None:
    """Its own smaller MTU is lost with the link's change; what is watched brings it back."""
    link, six = _setting("link.mtu", "1400"), _setting("link.mtu6", "1300")
    knob, answers = the_knob(link), bench.answers(link)
    assert "1500" == bench.read(knob, six)
    assert "" == bench.does(knob.write(six, answers).action)
    assert "1500" == bench.changed(link)
    assert "1500" == bench.read(knob, six)
    bench.put_back(knob, six, bench.inverse(knob, six, "1300", answers), "1300")
    assert "" == bench.does(knob.write(replace(six, value="1500"), answers).action)


def test_frames_of_a_tap(bench: Bench) -> None:
    """The one moderation that a tap has."""
    assert "0" == bench.changed(_setting("nic.coalesce.rx_frames", "16", TAP))
    one = _setting("nic.coalesce.rx_usecs", "16", TAP)
    with pytest.raises(CannotSetError, match=f"the driver of {TAP} has no nic.coalesce.rx_usecs"):
        the_knob(one).limit(one, bench.answers(one))


@pytest.mark.parametrize(
    ("knob", "side", "value"),
    [
        ("net.rps_cpus", "rx", "1"),
        ("net.rps_flow_cnt", "rx", "64"),
        ("net.xps_cpus", "tx", "1"),
        ("net.xps_rxqs", "tx", "2"),
    ],
)
def test_every_queue_is_set(bench: Bench, knob: str, side: str, value: str) -> None:
    """Of a link each queue."""
    one = _setting(knob, value)
    queues = the_knob(one).spread(one, bench.answers(one))
    assert [f"{PAIR}/{side}-0", f"{PAIR}/{side}-1"] == [queue.subject for queue in queues]
    for queue in queues:
        assert re.fullmatch("[0,]*", bench.changed(queue))


def test_a_mask_of_a_cpu_that_is_not_there(bench: Bench) -> None:
    """The kernel would leave it out and say nothing; it is refused before."""
    one = _setting("net.rps_cpus", "ffff,ffffffff", f"{PAIR}/rx-0")
    with pytest.raises(CannotSetError, match="is not online"):
        the_knob(one).limit(one, bench.answers(one))


def test_congestion_control(bench: Bench) -> None:
    """What this namespace is allowed can be set; what it took over may be what cannot be set again."""
    key = "net.ipv4.tcp_congestion_control"
    one = _setting(f"sysctl.{key}", "reno", key)
    knob, answers = the_knob(one), bench.answers(one)
    found = bench.read(knob, one) or ""
    allowed = answers["read /proc/sys/net/ipv4/tcp_allowed_congestion_control"].payload.decode().split()
    if found in allowed:
        assert found == bench.changed(one)
    else:
        with pytest.raises(CannotSetError, match=f"{found} cannot be set in this network namespace"):
            bench.inverse(knob, one, found, answers)
        assert "" == bench.does(knob.write(one, answers).action)
    assert bench.does(knob.write(replace(one, value="nosuch"), answers).action)


@pytest.mark.parametrize("found", QUEUES[:-1])
@pytest.mark.parametrize("wanted", QUEUES)
def test_one_qdisc_after_another(bench: Bench, found: str, wanted: str) -> None:
    """Each is replaced by each, and made again with its handle."""
    knob = the_knob(_setting("link.qdisc", found))
    before = bench.read(knob, _setting("link.qdisc", ""))
    assert "" == bench.does(knob.write(_setting("link.qdisc", found), {}).action)
    bench.changed(_setting("link.qdisc", wanted))
    assert "" == bench.does(knob.write(_setting("link.qdisc", "default"), {}).action)
    assert before == bench.read(knob, _setting("link.qdisc", ""))


def test_the_kernels_own_qdisc_comes_back(bench: Bench) -> None:
    """A veth has none."""
    for wanted in QUEUES[:-1]:
        assert '"kind":"noqueue","handle":"0:"' in bench.changed(_setting("link.qdisc", wanted))


def test_another_namespace_does_not_know_the_default(bench: Bench) -> None:
    """A tap has one; net.core.default_qdisc is the first namespace's alone."""
    one = _setting("link.qdisc", "pfifo", TAP)
    knob, answers = the_knob(one), bench.answers(one)
    found = bench.read(knob, one) or ""
    with pytest.raises(CannotSetError, match=r"again by itself: net.core.default_qdisc is not to be read here"):
        bench.inverse(knob, one, found, answers)


def test_clsact_stays(bench: Bench) -> None:
    """What comes in hangs beside the root."""
    words = ("tc", "qdisc", "add", "dev", PAIR, "clsact")
    assert "" == bench.does(change(*words))
    try:
        assert '"kind":"clsact"' in bench.changed(_setting("link.qdisc", "pfifo limit 9"))
    finally:
        assert "" == bench.does(change("tc", "qdisc", "del", "dev", PAIR, "clsact"))


def test_random_buckets_come_back_to_the_byte(bench: Bench) -> None:
    """The burst, which tc shows in ticks of 64 ns, is found again by one command; a longer one is refused."""
    drawn = random.Random(SEED)  # noqa: S311 - the same ones each time
    one = _setting("link.qdisc", "pfifo limit 5")
    knob, exact, refused = the_knob(one), 0, 0
    for _ in range(BUCKETS):
        rate, burst, limit = _bucket(drawn)
        wish = _setting("link.qdisc", f"tbf rate {rate * 8}bit burst {burst} limit {limit}")
        assert "" == bench.does(knob.write(wish, {}).action)
        found = bench.read(knob, one) or ""
        assert re.fullmatch(knob.write(wish, {}).expect, found, re.DOTALL), (wish, found)
        assert f'"burst_raw":"{ticks_of(burst, rate):x}"' in found
        try:
            back = bench.inverse(knob, one, found, {})
        except CannotSetError:
            assert burst / rate > LONGEST
            refused += 1
            continue
        assert "" == bench.does(knob.write(one, {}).action)
        bench.put_back(knob, one, back, found)
        exact += 1
    assert "" == bench.does(knob.write(_setting("link.qdisc", "default"), {}).action)
    assert (BUCKETS, True) == (exact + refused, exact > 100)


def _bucket(drawn: random.Random) -> tuple[int, int, int]:
    """Rate in bytes a second, burst and limit in bytes: of all sizes, and round ones."""
    rates = (int(10 ** drawn.uniform(3, 11)), 10 ** drawn.randrange(3, 11), 2 ** drawn.randrange(10, 36))
    bursts = (int(10 ** drawn.uniform(1, 9)), 1514, 2 ** drawn.randrange(4, 30), 1000 * drawn.randrange(1, 10**5))
    return drawn.choice(rates), drawn.choice(bursts), int(10 ** drawn.uniform(0, 9))


def test_what_is_not_tested_here() -> None:
    """Interrupts and rings need a NIC; every other knob is."""
    names = {"irq.affinity", "nic.ring"}
    queues = {"net.rps_cpus", "net.rps_flow_cnt", "net.xps_cpus", "net.xps_rxqs"}
    link = {"link.mtu", "link.qdisc", "nic.channels", "nic.coalesce", "nic.feature"}
    assert names | queues | link | {"tcp.buffers", "tcp.congestion_control"} == {knob.id for knob in knobs()}
