"""A change that cuts the connection it came by comes back by itself."""

import random
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lab.changing import differences, guard, kill, settings_of, tool
from lab.driving import User
from lab.far_end import ADDRESS, FAR, NEAR, FarEnd, namespaces, run, sshd, wait_until

pytestmark = pytest.mark.lab

TARGET = f"root@{ADDRESS}"
DEADLINES = (4, 15)  # seconds: TCP lives through the first, and gives the second up
LATE = 2.0  # of a guard, on a busy machine
REFUSED, NOT_ANSWERED = 4, 3
ENDS_WITHIN = 60.0  # seconds from the cut until the controller gives up
CUTS = (
    "tbf rate 8kbit burst 200 limit 200",
    "tbf rate 1kbit burst 100 limit 1000",
    "bfifo limit 40",
    "tbf rate 1mbit burst 60 limit 60",
)
TIMES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Somebody who changes settings of the far end over SSH, and where that keeps its journals."""

    user: User
    changes: Path

    def events(self, plan: str) -> dict[str, float]:
        """When what was noted last in the journal of a change."""
        path = self.changes / "changes" / f"{plan}.journal"
        return {each["event"]: each["at"] for each in guard.load(str(path)).events} if path.exists() else {}


@pytest.fixture(scope="module")
def end(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FarEnd]:
    """An sshd in a network namespace."""
    with namespaces(), sshd(tmp_path_factory.mktemp("ssh")) as made:
        wait_until(
            lambda: not any(run("ip", "-n", place, "address", "show", "tentative") for place in (NEAR, FAR)), 5.0
        )
        yield made


@pytest.fixture
def world(end: FarEnd, tmp_path: Path) -> Iterator[World]:
    """The namespace keeps its sshd, and loses what a test leaves on its link."""
    words = " ".join(("ip", "netns", "exec", NEAR, str(shutil.which("ssh")), *end.ssh_args))
    tool(tmp_path / "tools", "ssh", f'exec {words} "$@"')
    kept = tmp_path / "kept"
    user = User(state=tmp_path / "state", tools=tmp_path / "tools", before=("env", f"FULLRATE_CHANGES={kept}"))
    standing = user.processes()
    try:
        yield World(user=user, changes=kept)
    finally:
        kill(list(user.processes() - standing))


def _cuts() -> list[object]:
    chance = random.Random(20261)  # noqa: S311 - the same cuts every time are wanted
    drawn = [chance.choice(CUTS) for _ in range(TIMES - 1)]
    return [
        pytest.param(cut, DEADLINES[number % 2], marks=pytest.mark.long if number else (), id=f"{number}: {cut}")
        for number, cut in enumerate((CUTS[0], *drawn))
    ]


@pytest.mark.parametrize(("cut", "deadline"), _cuts())
def test_cut(cut: str, deadline: int, world: World) -> None:
    """All is as it was found within the deadline; what began it says so, and a confirmation comes too late."""
    found = settings_of(FAR)
    planned = world.user.runs("plan", TARGET, "--set", f"link.qdisc@wire={cut}", "--json")
    assert 0 == planned.code, planned.stdout + planned.stderr
    plan = planned.document["id"]
    started = time.monotonic()
    process = world.user.start("apply", plan, "--deadline", str(deadline))
    wait_until(lambda: "closed" in world.events(plan), deadline + 30.0)
    events = world.events(plan)
    assert events["closed"] - events["applied"] < deadline + LATE
    assert {} == differences(found, settings_of(FAR))
    out, err = process.communicate(timeout=ENDS_WITHIN)
    print(f"ended with {process.returncode} after {time.monotonic() - started:.1f} s: {out}{err}")  # noqa: T201
    if process.returncode == REFUSED:
        assert f"{TARGET}: put back as it was found because nobody confirmed it in time" in " ".join(out.split())
    else:
        assert (NOT_ANSWERED, 1) == (process.returncode, len(err.splitlines())), out + err
        assert f"comes back by itself, {deadline} s after its last step at the latest" in err
    late = world.user.runs("confirm", plan)
    assert (4, 1) == (late.code, len(late.complaints))
    assert f"change {plan} is reverted: there is nothing to confirm" in late.stderr
    document = world.user.runs("changes", TARGET, "--json").document
    assert [(plan, "reverted", "nobody confirmed it in time")] == [
        (each["id"], each["state"], each["why"]) for each in document["changes"]
    ]
