"""The controller is killed, or the network cut, at any moment: nothing of ours is left running at either end."""

import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.driving import DIRECT, NEAR, User, direct, lab, shell
from lab.ssh_end import TARGET, SshEnd, make, sshd

pytestmark = pytest.mark.lab

KILLED_WITHIN = 5.0  # seconds until nothing is left
CUT_WITHIN = 10.0  # a cut network shows only by its silence
LAST = 12.0  # a healthy check takes about as long
MOMENTS, LONG = 50, 10  # of which one in so many runs always
_LINK = "frt-l0"


@pytest.fixture(scope="module")
def end(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshEnd]:
    """An sshd in the far end of a lab."""
    with lab():
        made = make(tmp_path_factory.mktemp("ssh"))
        with sshd(made):
            yield made


@pytest.fixture
def user(end: SshEnd, tmp_path: Path) -> User:
    """A user in the near end."""
    return end.user(tmp_path)


def _moments() -> list[object]:
    """When to kill which job, drawn once and for all; of those in order every tenth is short."""
    chance = random.Random(20260)  # noqa: S311 - the same moments every time are wanted
    drawn = [(chance.uniform(0, LAST), ("lab:", TARGET)[number % 2]) for number in range(MOMENTS)]
    return [
        pytest.param(target, moment, id=f"{target}-{moment:.2f}s", marks=pytest.mark.long if place % LONG else ())
        for place, (moment, target) in enumerate(sorted(drawn), LONG // 2)
    ]


@pytest.mark.parametrize(("target", "moment"), _moments())
def test_killed_controller_leaves_nothing(target: str, moment: float, user: User) -> None:
    """Five seconds after the kill no agent, no traffic program and no ssh runs at either end."""
    standing = user.processes()
    process = user.start("check", target, "--json")
    time.sleep(moment)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=KILLED_WITHIN)
    user.await_end(standing, KILLED_WITHIN)


@pytest.mark.parametrize("seconds", [0.5, pytest.param(3.0, marks=pytest.mark.long)])
def test_cut_network_leaves_nothing(seconds: float, user: User) -> None:
    """Ten seconds after the link went down in a trial nothing of ours runs, and the job has ended undecided."""
    standing = user.processes()
    with direct(_LINK):
        process = user.start(
            "check", f"root@{DIRECT}", "--link-speed", "1G", "--max-rate", "1G"
        )  # little enough to stay in a pipe
        try:
            user.await_trial(standing, seconds=seconds)
            shell("ip", "-n", NEAR, "link", "set", _LINK, "down")
            user.await_end(standing, CUT_WITHIN)
        finally:
            process.kill()
            process.communicate()
    assert 3 == process.returncode
