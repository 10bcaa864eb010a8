"""The disk of the journal is full, read-only or spoils what is on it: nothing is touched, or all is as it was found."""

import random
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from lab.changing import Changing, Settings, changing, differences, guard, kill, slow_tools
from lab.driving import PATIENCE, shell
from lab.far_end import wait_until

pytestmark = pytest.mark.lab

SETTINGS = ("sysctl.net.ipv4.tcp_rmem=4096 65536 999999", "nic.coalesce.rx_frames@t0=16", "link.mtu@v0=1400")
_SLOW = 0.25  # seconds that a tool takes: the disk can be filled meanwhile


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Changing]:
    """A namespace with slow tools, whose journals are on a file system of 64 kB."""
    folder = tmp_path_factory.mktemp("disk")
    with changing(folder / "world", tools=slow_tools(folder / "tools", _SLOW)) as made:
        made.changes.mkdir()
        shell("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(made.changes))
        try:
            yield made
        finally:
            kill(made.programs())
            shell("umount", "--lazy", str(made.changes))


@pytest.fixture
def found(world: Changing) -> Iterator[Settings]:
    """What is set there at first; the disk is empty."""
    yield world.settings()
    wait_until(lambda: not world.programs(), PATIENCE)
    _remount(world, "rw")
    for path in world.changes.rglob("*"):
        if path.is_file():
            path.unlink()


def _remount(world: Changing, how: str) -> None:
    shell("mount", "-o", f"remount,{how}", str(world.changes))


def _fill(world: Changing, *, free: int = 0) -> None:
    """Leave that many pages."""
    full = world.changes / "full"
    with full.open("ab", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass
        file.truncate(max(0, file.tell() - 4096 * free))


def _await_event(world: Changing, plan: str, event: str, controller: "subprocess.Popen[str]") -> None:
    """Wait for what is noted, as long as there is somebody who would note it."""
    wait_until(lambda: event in world.events(plan) or controller.poll() is not None, PATIENCE, every=0.002)


@pytest.mark.parametrize("how", ["full", "read-only", "file"])
def test_from_the_start(how: str, world: Changing, found: Settings) -> None:
    """Where no journal can be written nothing is touched, and the reason is said."""
    plan = world.plan(*SETTINGS)
    if how == "full":
        _fill(world)
    elif how == "read-only":
        _remount(world, "ro")
    else:
        shutil.rmtree(world.changes / "changes", ignore_errors=True)
        (world.changes / "changes").write_text("in the way")
    answer = world.apply(plan)
    assert (4, 1) == (answer.code, len(answer.complaints))
    said = {"full": "No space left on device", "read-only": "Read-only file system", "file": "File exists"}[how]
    assert said in answer.stderr
    assert {} == differences(found, world.settings())
    assert [] == world.programs()


@pytest.mark.long
@pytest.mark.parametrize("free", range(6))
def test_with_little_room(free: int, world: Changing, found: Settings) -> None:
    """With room for a part of it only, it is refused, put back, or made."""
    plan = world.plan(*SETTINGS)
    _fill(world, free=free)
    answer = world.apply(plan, deadline=1)
    assert answer.code in {0, 4}
    wait_until(lambda: not world.programs(), PATIENCE)
    assert {} == differences(found, world.settings())
    (world.changes / "full").unlink()
    assert 0 == world.user.runs("recover", world.target).code
    assert set(world.states().values()) <= {"reverted", "refused"}
    assert {} == differences(found, world.settings())


@pytest.mark.long
@pytest.mark.parametrize("moment", ["begin", "applied"])
def test_on_the_way(moment: str, world: Changing, found: Settings) -> None:
    """When it fills between two steps, or while it waits, all comes back, and says so once there is room."""
    plan = world.plan(*SETTINGS)
    controller = world.start(plan, deadline=2)
    _await_event(world, plan, moment, controller)
    _fill(world)
    controller.communicate(timeout=PATIENCE)
    wait_until(lambda: not world.programs(), PATIENCE)
    assert {} == differences(found, world.settings())
    (world.changes / "full").unlink()
    assert 0 == world.user.runs("recover", world.target).code
    assert {} == differences(found, world.settings())
    assert {plan: "reverted"} == world.states()


@pytest.mark.parametrize("confirms", [True, pytest.param(False, marks=pytest.mark.long)])
def test_read_only_meanwhile(confirms: bool, world: Changing, found: Settings) -> None:  # noqa: FBT001 - a parameter
    """No guard is in the way of that; the change still waits, cannot be confirmed, and comes back."""
    plan = world.plan(*SETTINGS)
    assert 0 == world.apply(plan, deadline=5).code
    _remount(world, "ro")
    if confirms:
        answer = world.user.runs("confirm", plan)
        assert (4, True) == (answer.code, "it comes back in time" in answer.stderr), answer.stderr
    else:
        assert {plan: "waiting"} == world.states()
    wait_until(lambda: not world.programs(), PATIENCE)
    assert {} == differences(found, world.settings())
    _remount(world, "rw")
    assert 0 == world.user.runs("recover", world.target).code
    assert {plan: "reverted"} == world.states()


def _waiting(world: Changing) -> tuple[str, bytes]:
    """A change in place that nothing guards, and its journal."""
    plan = world.plan(*SETTINGS)
    assert 0 == world.apply(plan, deadline=600).code
    kill(world.guards())
    wait_until(lambda: not world.programs(), PATIENCE)
    return plan, world.journal(plan).read_bytes()


def _recover(world: Changing) -> dict[str, str]:
    """What the program says of each change that it puts back, without the cost of a controller."""
    command = ("python3", "-I", guard.__file__, "--folder", str(world.changes), "recover")
    answer = guard.json.loads(world.run(*command))
    return {each["id"]: each["state"] for each in answer["changes"]} | dict.fromkeys(answer["unreadable"], "unreadable")


def _make_again(world: Changing) -> None:
    world.run("sh", "-c", "echo 4096 65536 999999 >/proc/sys/net/ipv4/tcp_rmem; ethtool -C t0 rx-frames 16")
    world.run("ip", "link", "set", "v0", "mtu", "1400")


@pytest.mark.long
def test_cut_off(world: Changing, found: Settings) -> None:
    """Wherever its journal was cut off behind its first line, a change is put back in full."""
    plan, whole = _waiting(world)
    made, first = world.settings(), whole.index(b"\n") + 1
    for end in (first, *range(first + 1, len(whole) - 1, 61), len(whole) - 1):
        _make_again(world)
        assert {} == differences(made, world.settings())
        world.journal(plan).write_bytes(whole[:end])
        assert {plan: "reverted"} == _recover(world), end
        assert {} == differences(found, world.settings()), end


@pytest.mark.long
def test_garbage(world: Changing, found: Settings) -> None:
    """Where a piece of it is garbage it is put back, too; where that is in the first line it is told, not touched."""
    plan, whole = _waiting(world)
    made, first = world.settings(), whole.index(b"\n") + 1
    chance = random.Random(6)  # noqa: S311 - the same garbage every time is wanted
    for start in (0, 1, first // 2, *range(first, len(whole) - 1, 71)):
        _make_again(world)
        garbage = chance.randbytes(chance.randint(1, 60))
        world.journal(plan).write_bytes(whole[:start] + garbage + whole[start + len(garbage) :])
        if start < first:
            assert {str(world.journal(plan)): "unreadable"} == _recover(world)
            assert {} == differences(made, world.settings())
        else:
            assert {plan: "reverted"} == _recover(world), start
            assert {} == differences(found, world.settings()), start


@pytest.mark.long
def test_no_journal_at_all(world: Changing, found: Settings) -> None:
    """Files that are none, beside one that is, are told and stop nothing."""
    plan, whole = _waiting(world)
    folder = world.journal(plan).parent
    junk = {"a": b"", "b": b"\0" * 500, "c": b"\xff" * 500, "d": whole[:99], "e": b"00000000 {}\n", "f": b"\n" * 9}
    for name, content in junk.items():
        (folder / f"{name}.journal").write_bytes(content)
    unreadable = dict.fromkeys((str(folder / f"{name}.journal") for name in junk), "unreadable")
    assert {plan: "reverted"} | unreadable == _recover(world)
    assert {} == differences(found, world.settings())
    answer = world.user.runs("recover", world.target)
    assert (4, len(junk)) == (answer.code, " ".join(answer.stdout.split()).count("cannot be read as a journal"))
    assert 1 == world.user.runs("changes", world.target).code
    assert junk == {path.stem: path.read_bytes() for path in folder.glob("?.journal")}
