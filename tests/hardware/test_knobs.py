"""Every knob on the drivers of emulated NICs: written, read back, put back exactly; a refusal is a result too."""

import random
import re
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fullrate.host.protocol import Host
from fullrate.lab.guest import MODELS, end_host
from fullrate.lab.guest.state import GuestState
from fullrate.records.evidence import change, query
from fullrate.records.setting import CannotSetError, Setting
from hardware.guests import guest, remains
from knob_bench import Bench, the_knob
from lab.driving import User

pytestmark = pytest.mark.hardware

WITHIN = 240.0
ROUNDS = 10  # applies that are killed
SEED = 20261201
FIRST = "-"  # the guest's first namespace
ALL = frozenset(MODELS)
# What each driver takes, as its ethtool operations say: drivers/net/ethernet/intel/{igb,e1000e,e1000}/*ethtool.c,
# drivers/net/vmxnet3/vmxnet3_ethtool.c, drivers/net/virtio_net.c.
TAKEN = {
    ("nic.ring.rx", "512"): ALL,
    ("nic.ring.tx", "128"): ALL,
    ("nic.channels.combined", "2"): frozenset({"igb", "virtio"}),
    ("nic.coalesce.rx_usecs", "100"): frozenset({"igb", "e1000e"}),
    ("link.mtu", "1400"): ALL,
    ("link.mtu", "9000"): ALL,
    ("net.rps_cpus", "3"): ALL,
}
QUEUES = ("fq", "fq_codel", "pfifo limit 50", "tbf rate 20mbit burst 20000 limit 90000")
TOGETHER = (
    "nic.ring.rx@igb=1024",
    "nic.ring.tx@igb=512",
    "nic.coalesce.rx_usecs@igb=100",
    "nic.feature.gro@igb=off",
    "nic.feature.tso@igb=off",
    "link.mtu@igb=9000",
    "net.rps_cpus@igb/rx-0=3",
    "nic.channels.combined@igb=2",
)
_SETTINGS = r"""
for flag in -k -l -c -g -x -a; do echo "== $flag"; ethtool $flag igb; done
cat /sys/class/net/igb/mtu /sys/class/net/igb/queues/*/rps_cpus
grep -H '' $(ls -d /proc/irq/*/igb* | sed 's#/igb[^/]*$#/smp_affinity_list#')
ip -json address show dev igb
true
"""


@pytest.fixture(scope="module")
def machine() -> Iterator[GuestState]:
    """A guest with a card of every model; nothing of it is left afterwards."""
    with guest("debian13", *MODELS) as made:
        yield made
    assert [] == remains()


@pytest.fixture(scope="module")
def bench(machine: GuestState) -> Iterator[Bench]:
    """The far end."""
    host = end_host(machine, "b")
    yield Bench(host=host)
    host.close()


@pytest.fixture
def user(machine: GuestState, tmp_path: Path) -> User:
    """Somebody who changes that guest."""
    assert machine.process is not None
    return User(state=tmp_path)


def _setting(knob: str, subject: str, value: str) -> Setting:
    return Setting(knob=knob, subject=subject, value=value)


def _takes(bench: Bench, one: Setting) -> bool:
    """Whether the driver takes it, each part of it; whatever it says, all is as found afterwards."""
    try:
        taken = [_takes_part(bench, part) for part in the_knob(one).spread(one, bench.answers(one))]
    except CannotSetError:
        return False
    return all(taken)


def _takes_part(bench: Bench, one: Setting) -> bool:
    knob, answers = the_knob(one), bench.answers(one)
    knob.limit(one, answers)
    found = bench.read(knob, one)
    assert found is not None
    writing, back = knob.write(one, answers), bench.inverse(knob, one, found, answers)
    said, now = bench.does(writing.action), bench.read(knob, one) or ""
    bench.does(back.action)
    assert found == bench.read(knob, one)
    return not said and re.fullmatch(writing.expect, now, re.DOTALL) is not None


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("knob", "value"), TAKEN)
def test_taken_or_refused(bench: Bench, model: str, knob: str, value: str) -> None:
    """By every driver as it is known, and put back."""
    assert (model in TAKEN[knob, value]) is _takes(bench, _setting(knob, model, value))


@pytest.mark.parametrize("model", MODELS)
def test_every_feature_that_is_not_fixed(bench: Bench, model: str) -> None:
    """Each goes the other way, or is asked for in vain, and comes back."""
    one = _setting("nic.feature.generic-receive-offload", model, "off")
    shown = the_knob(one).shown(model, bench.answers(one))
    taken = [_takes_part(bench, replace(each, value="off" if each.value == "on" else "on")) for each in shown]
    assert sum(taken) > len(shown) // 2 > 3


@pytest.mark.parametrize("model", ["igb", "e1000e", "vmxnet3", "e1000"])
def test_interrupts(bench: Bench, model: str) -> None:
    """Every one that the card has goes to another CPU and back."""
    numbers = _interrupts(bench.host, model)
    assert numbers
    assert all(_takes_part(bench, _setting("irq.affinity", number, "1")) for number in numbers)


def _interrupts(host: Host, model: str) -> list[str]:
    (reply,) = host.ask([query("cat", "/proc/interrupts")])
    return re.findall(rf"^ *(\d+):.*\s{model}\b.*$", reply.payload.decode(), re.MULTILINE)


@pytest.mark.parametrize("model", ["igb", "e1000"])
def test_qdiscs(machine: GuestState, bench: Bench, model: str) -> None:
    """In the first namespace, where the kernel's default can be read: the kernel's own comes back, under mq too.

    In another it is refused.
    """
    assert not _takes(bench, _setting("link.qdisc", model, "fq"))
    first = Bench(host=end_host(machine, FIRST))
    assert "" == bench.does(change("ip", "link", "set", model, "netns", "1"))
    try:
        assert "" == first.does(change("ip", "link", "set", model, "up"))
        assert [True] * len(QUEUES) == [_takes(first, _setting("link.qdisc", model, value)) for value in QUEUES]
    finally:
        put_back = first.does(change("ip", "link", "set", model, "netns", "b"))
        first.host.close()
    assert ("", "") == (put_back, bench.does(change("ip", "link", "set", model, "up")))


def _all(host: Host) -> str:
    (reply,) = host.ask([query("sh", "-c", _SETTINGS, timeout=60.0)])
    return reply.payload.decode()


def _plan(user: User) -> str:
    answer = user.runs(
        "plan", "guest:a", "--json", *(word for one in TOGETHER for word in ("--set", one)), within=WITHIN
    )
    assert 0 == answer.code, answer.stdout + answer.stderr
    return str(answer.document["id"])


@pytest.fixture(scope="module")
def near(machine: GuestState) -> Iterator[Host]:
    """The near end, to look at."""
    host = end_host(machine, "a")
    yield host
    host.close()


def test_all_at_once(user: User, near: Host) -> None:
    """Applied, kept, reverted: to the byte, the interrupts of queues that went and came back among it."""
    before, plan = _all(near), _plan(user)
    assert 0 == user.runs("apply", plan, "--deadline", "120", within=WITHIN).code
    during = _all(near)
    assert 0 == user.runs("confirm", plan, within=WITHIN).code
    assert 0 == user.runs("revert", plan, within=WITHIN).code
    assert before != during
    assert before == _all(near)


def test_killed_applies(user: User, near: Host) -> None:
    """Whoever applies is killed at a random moment: the guest puts back what was changed, by itself."""
    drawn, before = random.Random(SEED), _all(near)  # noqa: S311 - the same ones each time
    for _ in range(ROUNDS):
        process = user.start("apply", _plan(user), "--deadline", "8")
        time.sleep(drawn.uniform(0.5, 8.0))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert before == _settled(near, before)


def _settled(host: Host, wanted: str) -> str:
    """All that is set, as soon as it is what is wanted, or after a while."""
    until = time.monotonic() + 60.0
    while (found := _all(host)) != wanted and time.monotonic() < until:
        time.sleep(1.0)
    return found
