"""Hosts in a network namespace and behind a real sshd: the contract, every way to fail, and what is left afterwards."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from contract.host_contract import LiveHostContract
from fullrate.host import Command, Host, LocalHost, SamplePlan
from fullrate.host.netns import NetnsHost
from fullrate.host.piped import PipedHost
from fullrate.host.ssh import SshHost, agent_of
from fullrate.host.zipapp import write_agent
from fullrate.records.errors import TargetError
from fullrate.records.evidence import ListGlob, ReadFile, query
from fullrate.records.frames import read_frames
from fullrate.records.target import Access, parse_target
from lab.driving import LIKE_A_SHELL
from lab.far_end import ADDRESS, FAR, NEAR, FarEnd, namespaces, run, sshd, wait_until

pytestmark = pytest.mark.lab

SRC = Path(__file__).parents[2] / "src"
MARK = "86399.25"  # seconds that no other sleep on this machine sleeps
INSTALLED = "frt-installed-agent.pyz"
SLEEP = Command(argv=("sleep", MARK), deadline=60)


@pytest.fixture(scope="module", autouse=True)
def _wire() -> Iterator[None]:
    with namespaces():
        yield


@pytest.fixture(scope="module")
def far(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FarEnd]:
    """The far end's sshd."""
    with sshd(tmp_path_factory.mktemp("sshd")) as far:
        yield far


@pytest.fixture
def near_ssh(far: FarEnd, monkeypatch: pytest.MonkeyPatch) -> FarEnd:
    """The far end, with an ssh in PATH that runs in the near namespace."""
    monkeypatch.setenv("PATH", f"{far.tools}:{os.environ['PATH']}")
    return far


def _open(text: str, far: FarEnd, **options: str | float) -> SshHost:
    return SshHost(parse_target(text), ssh_args=far.ssh_args, **options)  # type: ignore[arg-type]


def _agent(far: FarEnd) -> PipedHost:
    """The far end by an agent that is installed there."""
    path = far.folder / INSTALLED
    write_agent(path)
    return agent_of(parse_target(f"root@{ADDRESS}", Access(agent=str(path))), ssh_args=far.ssh_args)


def _sent(far: FarEnd) -> SshHost:
    """The far end by an agent that is sent."""
    return _open(f"root@{ADDRESS}", far)


Opener = Callable[[FarEnd], Host]
either_way = pytest.mark.parametrize("opener", [_sent, _agent], ids=["sent", "installed"])


def _ours(controller: int = 0) -> list[str]:
    """Command lines of agents, ssh clients and launched programs of a controller, by default this process."""
    lines = run("ps", "-eo", "args").splitlines()
    signs = (f"(mitogen:fullrate:{controller or os.getpid()})", MARK, f" {ADDRESS} ", INSTALLED)
    return [line for line in lines if any(sign in line for sign in signs)]


class TestNetns(LiveHostContract):
    """A network namespace."""

    @pytest.fixture
    def host(self) -> Iterator[Host]:
        """The near namespace."""
        host = NetnsHost(NEAR)
        yield host
        host.close()


class TestSsh(LiveHostContract):
    """A host behind an sshd that allows one session a connection."""

    @pytest.fixture
    def host(self, near_ssh: FarEnd) -> Iterator[Host]:
        """The far namespace, over ssh from the near one."""
        host = _open(f"root@{ADDRESS}", near_ssh)
        yield host
        host.close()


class TestInstalledAgent(LiveHostContract):
    """The same host by an agent that is installed there."""

    @pytest.fixture
    def host(self, near_ssh: FarEnd) -> Iterator[Host]:
        """The far namespace, over ssh from the near one."""
        host = _agent(near_ssh)
        yield host
        host.close()


def test_namespace_is_entered() -> None:
    """Files, /sys, programs and samples are the namespace's; the kernel is ours."""
    inode = Path("/run/netns", NEAR).stat().st_ino
    host, here = NetnsHost(NEAR), LocalHost()
    dev = ReadFile(path="/proc/net/dev")
    sampling = host.sample(SamplePlan(fast=(dev,)))
    wait_until(lambda: bool(host.ask([dev])[0].payload), 1.0)
    links, listed = host.ask([ListGlob(pattern="/sys/class/net/*"), query("ls", "/sys/class/net")])
    sampled = next(read_frames(sampling.stop())).readings[0].payload
    identity = host.identify()
    host.close()
    assert (inode, here.identify().boot_id) == (identity.namespace, identity.boot_id)
    assert (b"/sys/class/net/lo\n/sys/class/net/wire\n", b"lo\nwire\n") == (links.payload, listed.payload)
    assert {b"lo", b"wire"} == {line.split(b":")[0].strip() for line in sampled.splitlines()[2:]}


def test_cgroups_stay_visible() -> None:
    """The cgroup file system is the same inside and outside, down to its controllers."""
    pattern = ListGlob(pattern="/sys/fs/cgroup/*/*")
    host, here = NetnsHost(NEAR), LocalHost()
    inside, outside = host.ask([pattern])[0].payload, here.ask([pattern])[0].payload
    host.close()
    assert outside == inside
    assert b"" != inside


def test_cgroups_are_seen_from_within_a_namespace() -> None:
    """`ip netns exec` hides them from a controller that it starts; its hosts see them all the same."""
    pattern = "/sys/fs/cgroup/*/*"
    script = (
        "from fullrate.host.netns import NetnsHost; from fullrate.records.evidence import ListGlob; "
        f"host = NetnsHost({FAR!r}); print(host.ask([ListGlob(pattern={pattern!r})])[0].payload.decode()); host.close()"
    )
    inside = run("ip", "netns", "exec", NEAR, "env", f"PYTHONPATH={SRC}", sys.executable, "-P", "-c", script)
    here = LocalHost()
    outside = here.ask([ListGlob(pattern=pattern)])[0].payload
    here.close()
    assert outside.decode().split() == inside.split()


def test_programs_are_placed(tmp_path: Path) -> None:
    """Agent and programs run on the given CPU; only programs go into the cgroup."""
    procs = tmp_path / "cgroup.procs"
    procs.write_text("")
    host = NetnsHost(NEAR, cpus=(0,), cgroups=(str(procs),))
    asked = host.ask([query("grep", "Cpus_allowed_list", "/proc/self/status")])[0].payload
    before = procs.read_text()
    process = host.launch(Command(argv=("cat", "/proc/self/status"), deadline=5))
    wait_until(lambda: process.poll().exit_code is not None, 5.0)
    host.close()
    assert b"Cpus_allowed_list:\t0\n" == asked
    assert b"Cpus_allowed_list:\t0\n" in process.poll().stdout
    assert ("", "0") == (before, procs.read_text())


def test_far_end_gets_the_agent_alone(near_ssh: FarEnd) -> None:
    """Nothing of the package, and no library of ours, is sent along."""
    host = _open(f"root@{ADDRESS}", near_ssh)
    sent = {name for name in host.router.responder._cache if not name.startswith("mitogen")}
    host.close()
    assert {"fullrate_agent"} == sent


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("has no address", "root@fullrate-no-such-host.invalid"),
        ("refuses the connection", f"root@{ADDRESS}:23"),
        ("lets you not in", f"nobody@{ADDRESS}"),
    ],
)
def test_failures_to_connect(said: str, text: str, near_ssh: FarEnd) -> None:
    """Each failure is one sentence that names the target, and nothing is left of the attempt."""
    with pytest.raises(TargetError, match=f"^{text} {said}"):
        _open(text, near_ssh)
    assert [] == _ours()


def test_filtered_port(near_ssh: FarEnd) -> None:
    """A firewall that drops is told within the time given to connect."""
    run(
        "ip",
        "netns",
        "exec",
        FAR,
        "nft",
        "add table ip frt; add chain ip frt in { type filter hook input priority 0; };"
        " add rule ip frt in tcp dport 24 drop",
    )
    started = time.monotonic()
    with pytest.raises(TargetError, match="does not answer: see that it is up and that no firewall drops the port"):
        _open(f"root@{ADDRESS}:24", near_ssh, connect_within=1.0)
    run("ip", "netns", "exec", FAR, "nft", "delete table ip frt")
    assert time.monotonic() - started < 4
    assert [] == _ours()


@pytest.mark.parametrize("known", ["", f"{ADDRESS} ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 43 + "\n"])
def test_host_key(known: str, near_ssh: FarEnd) -> None:
    """An unknown host key and a changed one are refused."""
    path = near_ssh.folder / "known_hosts"
    right = path.read_text()
    path.write_text(known)
    try:
        with pytest.raises(TargetError, match="shows a host key that is not in your known_hosts"):
            _open(f"root@{ADDRESS}", near_ssh)
    finally:
        path.write_text(right)
    assert [] == _ours()


def test_no_python_there(near_ssh: FarEnd) -> None:
    """A far end without the interpreter says which one was tried."""
    with pytest.raises(TargetError, match="has no Python at /nowhere/python3: install python3"):
        _open(f"root@{ADDRESS}", near_ssh, python_path="/nowhere/python3")
    assert [] == _ours()


def test_mitogen_is_silent(near_ssh: FarEnd, capfd: pytest.CaptureFixture[str]) -> None:
    """Neither a success nor a failure writes to the user's terminal."""
    _open(f"root@{ADDRESS}", near_ssh).close()
    with pytest.raises(TargetError):
        _open(f"root@{ADDRESS}:23", near_ssh)
    assert ("", "") == capfd.readouterr()


def test_close_leaves_nothing(near_ssh: FarEnd) -> None:
    """After close no agent, no program and no ssh is left at either end."""
    hosts: list[Host] = [_sent(near_ssh), _agent(near_ssh), NetnsHost(NEAR)]
    for host in hosts:
        host.launch(SLEEP)
    for host in hosts:
        host.close()
    wait_until(lambda: not _ours(), 5.0)


@contextmanager
def _controller(far: FarEnd, end: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Another process that opens each kind, launches a program on each, says so, and goes on with `end`."""
    write_agent(far.folder / INSTALLED)
    script = (
        f"import sys; sys.path[:0] = [{str(SRC)!r}]\n"
        "import os, time\n"
        "from fullrate.host import Command\n"
        "from fullrate.host.netns import NetnsHost\n"
        "from fullrate.host.ssh import SshHost, agent_of\n"
        "from fullrate.records.target import Access, parse_target\n"
        f"hosts = [SshHost(parse_target('root@{ADDRESS}'), ssh_args={far.ssh_args!r}), NetnsHost({NEAR!r})]\n"
        f"installed = Access(agent={str(far.folder / INSTALLED)!r})\n"
        f"hosts.append(agent_of(parse_target('root@{ADDRESS}', installed), ssh_args={far.ssh_args!r}))\n"
        f"programs = [host.launch(Command(argv=('sleep', '{MARK}'), deadline=60)) for host in hosts]\n"
        "print('ready', flush=True)\n"
        f"{end}\n"
    )
    with subprocess.Popen([*LIKE_A_SHELL, sys.executable, "-c", script], stdout=subprocess.PIPE) as controller:
        try:
            assert controller.stdout is not None
            assert b"ready\n" == controller.stdout.readline()
            yield controller
        finally:
            controller.kill()


@pytest.mark.parametrize(
    ("code", "number", "end"),
    [
        (-9, signal.SIGKILL, "time.sleep(60)"),
        (-2, signal.SIGINT, "time.sleep(60)"),
        (3, None, "sys.exit(3)"),
    ],
    ids=["killed", "interrupted", "left"],
)
def test_ended_controller_leaves_nothing(code: int, number: int | None, end: str, near_ssh: FarEnd) -> None:
    """However the controller ends without closing, nothing of ours is left at either end within five seconds."""
    with _controller(near_ssh, end) as controller:
        if number is not None:
            controller.send_signal(number)
        wait_until(lambda: not _ours(controller.pid), 5.0)
        assert code == controller.wait(timeout=5)


@either_way
def test_cut_network(opener: Opener, near_ssh: FarEnd) -> None:
    """A cut network ends far programs and agents within ten seconds, and the controller is told."""
    host = opener(near_ssh)
    host.launch(SLEEP)
    run("ip", "-n", NEAR, "link", "set", "wire", "down")
    try:
        wait_until(lambda: not _ours(), 10.5)
        with pytest.raises(TargetError, match=r"^the connection to .* broke"):
            host.identify()
    finally:
        run("ip", "-n", NEAR, "link", "set", "wire", "up")
        host.close()


@either_way
def test_cut_network_does_not_hold_up_close(opener: Opener, near_ssh: FarEnd) -> None:
    """Closing a host that has become unreachable takes seconds, and leaves no ssh here."""
    host = opener(near_ssh)
    run("ip", "-n", NEAR, "link", "set", "wire", "down")
    started = time.monotonic()
    try:
        host.close()
    finally:
        run("ip", "-n", NEAR, "link", "set", "wire", "up")
    assert time.monotonic() - started < 5
    wait_until(lambda: not _ours(), 10.0)
