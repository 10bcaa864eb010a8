"""The practice network on a real kernel: what it carries, what a fault costs, and that nothing of it stays."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fullrate.host.local import LocalHost
from fullrate.lab import LabState, break_, down, faults, heal, load_state, plain_rate, up
from fullrate.lab.fault import Fault, Kind
from fullrate.lab.proof import effective
from fullrate.lab.readings import differences, read
from fullrate.records.ends import ONE_WAY, Direction
from lab.far_end import run

pytestmark = pytest.mark.lab

ROOT = Path(__file__).parents[2]
CEILING = {"wire": 941.48e6, "cpu": 4707.4e6}  # goodput of 1 and 5 Gbit/s at MTU 1500 with timestamps
FULL = 0.98


def _machine() -> str:
    """What a lab must leave as it was; names of other tests' namespaces are left out."""
    settings = run("sysctl", "-a", "--pattern", r"^net\.(core\.rps|ipv4\.(tcp|ip_forward|conf)|ipv6\.conf)")
    namespaces = [line.split()[0] for line in run("ip", "netns", "list").splitlines()]
    links = run("ip", "-br", "link").splitlines()
    kept = [name for name in (*namespaces, *links) if not name.startswith("frt-")]
    folders = sorted(str(path) for path in Path("/sys/fs/cgroup").glob("**/fullrate*"))
    return "\n".join([*kept, *folders, run("nft", "list", "ruleset"), settings, str(Path("/run/fullrate").exists())])


@pytest.fixture(scope="module")
def host() -> Iterator[LocalHost]:
    """This machine, without a lab before and after."""
    machine = LocalHost()
    down(machine)
    yield machine
    down(machine)
    machine.close()


@pytest.fixture
def lab(host: LocalHost) -> LabState:
    """The lab, up and without a fault."""
    up(host)
    return heal(host)


def _off_by(host: LocalHost) -> tuple[str, ...]:
    state = load_state(host)
    assert state is not None
    return differences(state.readings, read(host))


def _killed(call: str, after: float) -> None:
    """A call of the lab in a process of its own, killed `after` seconds into it."""
    program = f"from fullrate.host.local import LocalHost; from fullrate.lab import *; print(); {call}; input()"
    with subprocess.Popen(
        [sys.executable, "-uc", program], cwd=ROOT / "src", stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(after)
        process.send_signal(signal.SIGKILL)


def test_up_then_down(host: LocalHost) -> None:
    """Links, namespaces, settings, filters and cgroups of the machine are as before."""
    before = _machine()
    up(host)
    down(host)
    assert before == _machine()


def test_up_twice(host: LocalHost, lab: LabState) -> None:
    """A second `up` finds the lab whole and changes nothing."""
    assert lab == up(host)


def test_up_repairs(host: LocalHost, lab: LabState) -> None:
    """A lab that lost a link gets it back."""
    run("ip", "-n", "fullrate-r", "link", "del", "cpu-b")
    up(host)
    assert () == differences(lab.readings, read(host))


@pytest.mark.usefixtures("lab")
@pytest.mark.parametrize("direction", ONE_WAY)
@pytest.mark.parametrize("link", CEILING)
def test_a_healthy_link_is_full(host: LocalHost, link: str, direction: Direction) -> None:
    """Plain iperf3 fills each link both ways."""
    assert plain_rate(host, direction, seconds=3, link=link) >= FULL * CEILING[link]


@pytest.mark.usefixtures("lab")
def test_a_fault_costs_and_heals(host: LocalHost) -> None:
    """A shaper takes the rate; healed, every setting is as built and the wire full again."""
    break_(host, "tc-shaper")
    broken = plain_rate(host, Direction.NEAR_TO_FAR)
    heal(host)
    healed = plain_rate(host, Direction.NEAR_TO_FAR)
    assert (True, (), True) == (effective(healed, broken), _off_by(host), healed >= FULL * CEILING["wire"])


@pytest.mark.long
@pytest.mark.usefixtures("lab")
@pytest.mark.parametrize(
    "fault", [fault for fault in faults() if fault.kind is Kind.EFFECT], ids=lambda fault: fault.id
)
def test_every_fault_is_effective(host: LocalHost, fault: Fault) -> None:
    """Each fault takes a fifth of the rate or more in the direction it names, and heals without a trace."""
    state = break_(host, fault.id)
    broken = plain_rate(host, fault.direction, udp=fault.udp)
    heal(host)
    assert (True, ()) == (effective(fault.udp or CEILING[state.link], broken), _off_by(host))


@pytest.mark.long
@pytest.mark.usefixtures("lab")
@pytest.mark.parametrize("direction", ONE_WAY)
@pytest.mark.parametrize(
    "fault", [fault for fault in faults() if fault.kind is Kind.CONFIGURATION], ids=lambda fault: fault.id
)
def test_a_configuration_fault_costs_nothing(host: LocalHost, fault: Fault, direction: Direction) -> None:
    """With the roles swapped the wire is full although some of far's ports are filtered."""
    break_(host, fault.id)
    assert plain_rate(host, direction, near_serves=True) >= FULL * CEILING["wire"]


@pytest.mark.parametrize("after", [0.01, 0.08, 0.2, 0.35])
def test_killed_up(host: LocalHost, after: float) -> None:
    """An `up` killed half-way leaves nothing that `down` does not remove."""
    down(host)
    before = _machine()
    _killed("up(LocalHost())", after)
    down(host)
    assert before == _machine()


@pytest.mark.parametrize("after", [0.01, 0.06, 0.15])
@pytest.mark.parametrize("call", ["break_(LocalHost(), 'tcp-buffers-too-small')", "down(LocalHost())"])
def test_killed_after_up(host: LocalHost, call: str, after: float) -> None:
    """A `break` or `down` killed half-way leaves nothing that `down` does not remove."""
    down(host)
    before = _machine()
    up(host)
    _killed(call, after)
    down(host)
    assert before == _machine()


@pytest.mark.usefixtures("lab")
@pytest.mark.parametrize("after", [0.02, 0.1])
def test_killed_heal(host: LocalHost, after: float) -> None:
    """A `heal` killed half-way is finished by the next one."""
    break_(host, "tcp-buffers-too-small")
    _killed("heal(LocalHost())", after)
    heal(host)
    assert () == _off_by(host)


def test_a_person_s_shell_survives(host: LocalHost) -> None:
    """`down` removes the links, but ends no program that is not the lab's."""
    up(host)
    with subprocess.Popen(["ip", "netns", "exec", "fullrate-a", "sleep", "60"]) as shell:
        time.sleep(0.1)
        down(host)
        alive = shell.poll() is None
        os.kill(shell.pid, signal.SIGKILL)
    assert alive
