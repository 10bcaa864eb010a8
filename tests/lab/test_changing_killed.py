"""Whoever changes something is killed at each step of it: all is as it was found, and said so."""

from collections.abc import Iterator

import pytest

from lab.changing import Changing, changing, differences, slow_tools
from lab.changing_struck import VICTIMS, settle, strike
from lab.driving import PATIENCE
from lab.far_end import wait_until

pytestmark = pytest.mark.lab

SETTINGS = ("sysctl.net.ipv4.tcp_rmem=4096 65536 999999", "nic.coalesce.rx_frames@t0=16", "link.mtu@v0=1400")
# What the journal notes, one after the other: three steps, then three undos.
MOMENTS = (
    "armed",
    *(f"{event} {step}" for step in range(3) for event in ("begin", "done")),
    "applied",
    "reverting",
    *(f"{event} {step}" for step in (2, 1, 0) for event in ("undo", "undone")),
    "closed",
)
SHORT = {
    ("controller", "begin 1"),
    ("maker", "begin 2"),
    ("one guard", "undo 2"),
    ("all", "done 1"),
    ("agent", "begin 0"),
}
_SLOW = 0.12  # seconds that a tool takes: it can be killed meanwhile


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Changing]:
    """A namespace with slow tools."""
    folder = tmp_path_factory.mktemp("killed")
    with changing(folder / "world", tools=slow_tools(folder / "tools", _SLOW)) as made:
        yield made


def _cases() -> Iterator[object]:
    for victim in VICTIMS:
        for number, moment in enumerate(MOMENTS):
            long = (victim, moment) not in SHORT
            yield pytest.param(victim, number, id=f"{victim}-{moment}", marks=pytest.mark.long if long else ())


@pytest.mark.parametrize(("victim", "number"), list(_cases()))
def test_killed(victim: str, number: int, world: Changing) -> None:
    """At each event that is noted one of the processes is killed, or all of them."""
    found = world.settings()
    plan = world.plan(*SETTINGS)
    controller = world.start(plan, deadline=1)
    wait_until(lambda: world.journal(plan).exists() and len(world.events(plan)) >= number, PATIENCE, every=0.002)
    strike(world, victim, controller)
    state = settle(world, plan, victim, controller)
    assert {} == differences(found, world.settings())
    if number == 0 and state == "open":  # it was killed before it had armed a guard, and had touched nothing
        assert 0 == world.user.runs("recover", world.target).code
        assert {} == differences(found, world.settings())
    refused = {"refused"} if number == 0 else set()  # a guard was killed as it was armed
    assert world.states()[plan] in {"reverted"} | refused


@pytest.mark.parametrize(
    "victim", ["controller", *(pytest.param(one, marks=pytest.mark.long) for one in ("agent", "maker"))]
)
@pytest.mark.parametrize("verb", ["confirm", "revert"])
def test_killed_confirming_or_reverting(victim: str, verb: str, world: Changing) -> None:
    """A confirm or revert that is killed was done, or the change comes back; a change is never left half-way."""
    found = world.settings()
    plan = world.plan(*SETTINGS)
    assert 0 == world.apply(plan, deadline=4).code
    made = world.settings()
    controller = world.begin(verb, plan, "--json")
    wait_until(lambda: bool(world.makers()) or controller.poll() is not None, PATIENCE, every=0.002)
    strike(world, victim, controller)
    state = settle(world, plan, victim, controller)
    assert {} == differences(made if state == "confirmed" else found, world.settings())
    assert state in ({"confirmed", "reverted"} if verb == "confirm" else {"reverted"})
    if state == "confirmed":
        assert 0 == world.user.runs("revert", plan).code
    assert {} == differences(found, world.settings())
