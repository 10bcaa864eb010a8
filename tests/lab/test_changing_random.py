"""Random changes, killed or cut at random moments: every setting is as it was found, or as it was confirmed."""

import os
import random
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from lab.changing import Changing, changing, differences, slow_tools
from lab.changing_struck import VICTIMS, settle, strike

pytestmark = pytest.mark.lab

CHANGES, SHORT = 200, 6
AT_ONCE = 4  # namespaces; each process of a change sleeps most of its time
LONGEST = 4  # seconds of deadline
ENDS = {"none", "refused", "reverted", "confirmed", "recovered"}  # refused: a guard was killed as it was armed
_STARTS = 0.9  # seconds that a program needs before it begins, about
_SLOW = 0.05  # seconds that a tool takes to set something
FEATURES = (
    "generic-receive-offload",
    "tx-tcp-segmentation",
    "tx-tcp6-segmentation",
    "tx-checksum-ip-generic",
    "tx-scatter-gather",
    "tx-generic-segmentation",
    "rx-vlan-hw-parse",
    "tx-udp-segmentation",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one random change."""

    state: str
    struck: str
    wrong: str = ""  # what should not be


def _qdisc(chance: random.Random) -> str:
    """Words of tc."""
    kind = chance.choice(("tbf", "pfifo", "bfifo"))
    if kind == "tbf":
        burst = chance.randint(2000, 200_000)
        return (
            f"tbf rate {chance.randint(1000, 2_000_000)}kbit burst {burst} limit {burst + chance.randint(3000, 10**6)}"
        )
    return f"{kind} limit {chance.randint(1, 2000) * (1 if kind == 'pfifo' else 1500)}"


def _buffers(chance: random.Random) -> str:
    return " ".join(map(str, sorted(chance.randint(4096, 1 << 25) for _ in range(3))))


def _scramble(world: Changing, chance: random.Random) -> None:
    """Set what is found, by hand."""
    script = [
        f"ethtool -L v0 rx {chance.choice((1, 2, 2))} tx {chance.choice((1, 2, 2))}",
        "tc qdisc del dev v0 root",
        f"tc qdisc replace dev v0 root {_qdisc(chance)}" if chance.random() < 0.5 else "",
        f"ip link set v0 mtu {chance.choice((1500, 1500, 9000, chance.randint(1280, 9000)))}",
        f"ethtool -C t0 rx-frames {chance.randint(0, 64)}",
        *(f"echo {_buffers(chance)} >/proc/sys/net/ipv4/tcp_{word}" for word in ("rmem", "wmem")),
        *(f"ethtool -K v0 {name} {chance.choice(('on', 'off'))}" for name in chance.sample(FEATURES, 3)),
        *(f"cd /sys/class/net/v0/queues/rx-{queue} && echo {chance.randint(0, 3)} >rps_cpus" for queue in (0, 1)),
    ]
    world.run("sh", "-c", "\n".join((*script, "true")))


def _settings(chance: random.Random) -> list[str]:
    """One to six settings; what cannot be, or is so already, planning leaves out."""
    all_ = [
        *(f"nic.feature.{name}@v0={chance.choice(('on', 'off'))}" for name in chance.sample(FEATURES, 2)),
        f"link.mtu@{chance.choice(('v0', 'v1'))}={chance.randint(1280, 9000)}",
        f"link.qdisc@v0={chance.choice((_qdisc(chance), 'default'))}",
        f"net.rps_cpus@v0={chance.randint(0, 3)}",
        f"nic.channels.{chance.choice(('rx', 'tx'))}@v0={chance.randint(1, 2)}",
        f"nic.coalesce.rx_frames@t0={chance.randint(0, 64)}",
        f"sysctl.net.ipv4.tcp_rmem={_buffers(chance)}",
        f"sysctl.net.ipv4.tcp_wmem={_buffers(chance)}",
        f"sysctl.net.ipv4.tcp_congestion_control={chance.choice(('reno', 'bbr'))}",
    ]
    return chance.sample(all_, chance.randint(1, 6))


def _one(world: Changing, chance: random.Random) -> Outcome:
    """A change from plan to end, struck or not, confirmed or not; and what it left."""
    _scramble(world, chance)
    found = world.settings()
    settings = _settings(chance)
    words = (word for setting in settings for word in ("--set", setting))
    document = world.user.runs("plan", world.target, "--json", *words).document
    if not document["hosts"][0]["steps"]:
        return _one(world, chance)
    plan, deadline = document["id"], chance.randint(2, LONGEST)
    victim = chance.choice((*VICTIMS, "nobody"))
    controller, made = world.start(plan, deadline=deadline), found
    if chance.random() < 0.35:
        controller, made = _confirm(world, plan, controller)
        time.sleep(chance.uniform(0.0, _STARTS))
    else:
        _await_moment(world, plan, controller, chance, deadline)
    if victim != "nobody":
        strike(world, victim, controller)
    state = settle(world, plan, victim, controller)
    return Outcome(state=state, struck=victim, wrong=_wrong(world, plan, state, {"found": found, "made": made}))


def _await_moment(
    world: Changing, plan: str, controller: "subprocess.Popen[str]", chance: random.Random, deadline: float
) -> None:
    """Mostly a moment after the journal was begun: in its steps, in its wait, in its undo."""
    time.sleep(chance.uniform(0.0, _STARTS))
    if chance.random() < 0.1:
        return
    while not world.journal(plan).exists() and controller.poll() is None:
        time.sleep(0.002)
    time.sleep(chance.choice((chance.uniform(0.0, 0.5), chance.uniform(0.0, deadline + 1.0))))


def _confirm(
    world: Changing, plan: str, controller: "subprocess.Popen[str]"
) -> tuple["subprocess.Popen[str]", dict[str, str]]:
    """A confirm that has begun once the change waits, and what is set then."""
    controller.communicate(timeout=60.0)
    made = world.settings()
    return world.begin("confirm", plan), made


def _wrong(world: Changing, plan: str, state: str, expected: dict[str, dict[str, str]]) -> str:
    """What is not as it should be in that state; a change that was kept is reverted."""
    if state == "open" and not world.events(plan):  # killed before it had armed a guard
        state = "recovered" if world.user.runs("recover", world.target).code == 0 else state
    if state not in ENDS:
        return f"{plan} is {state}"
    left = differences(expected["made" if state == "confirmed" else "found"], world.settings())
    if not left and state == "confirmed":
        answer = world.user.runs("revert", plan, "--json")
        left = differences(expected["found"], world.settings())
        if answer.code != 0:
            return f"{plan} cannot be reverted: {answer.stdout}{answer.stderr}"
    return f"{plan}, {state}: {left}" if left else ""


def _some(place: int, changes: int, seed: int, folder: Path) -> list[Outcome]:
    """So many random changes in a namespace, one after the other."""
    chance = random.Random(f"{seed}-{place}")  # noqa: S311 - the same changes for the same seed are wanted
    place_folder = folder / str(place)
    place_folder.mkdir()
    tools = slow_tools(place_folder / "tools", _SLOW)
    with changing(place_folder / "world", tools=tools, name=f"-{place}") as world:
        return [_one(world, chance) for _ in range(changes)]


def _seeds() -> Sequence[object]:
    fixed, another = 6, int.from_bytes(os.urandom(4), "big")
    return [
        pytest.param(fixed, SHORT, id=f"{SHORT}"),
        pytest.param(fixed, CHANGES, id=f"{CHANGES}", marks=pytest.mark.long),
        pytest.param(another, CHANGES, id=f"{CHANGES} of seed {another}", marks=pytest.mark.long),
    ]


@pytest.mark.parametrize(("seed", "changes"), _seeds())
def test_random_changes(seed: int, changes: int, tmp_path: Path) -> None:
    """However they are killed, all settings of each are as found or as confirmed, and the journal says which."""
    shares = [len(range(place, changes, AT_ONCE)) for place in range(AT_ONCE)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        jobs = [pool.submit(_some, place, share, seed, tmp_path) for place, share in enumerate(shares)]
        outcomes = [outcome for job in jobs for outcome in job.result()]
    told = sorted({(one.struck, one.state) for one in outcomes})
    for struck, state in told:
        print(f"{struck}: {state}: {sum((one.struck, one.state) == (struck, state) for one in outcomes)}")  # noqa: T201
    assert [] == [one.wrong for one in outcomes if one.wrong]
    assert changes == len(outcomes)
