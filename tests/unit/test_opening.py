"""From a target to its host, and what `lab:` stands for. Nothing is opened here: the kinds of hosts are stand-ins."""

from dataclasses import replace

import pytest

from fullrate import lab
from fullrate.host import FakeHost, netns, ssh
from fullrate.host.local import LocalHost
from fullrate.lab import LabEnd, LabTargets
from fullrate.opening import end_named, heed, host_named, job_between, job_of_one, lab_targets, open_host
from fullrate.pairing import Wish
from fullrate.records.errors import NoPythonError, TargetError, UsageError
from fullrate.records.evidence import Reply, Status
from fullrate.records.recording import Promise
from fullrate.records.target import LOCAL, PLAIN, Access, Target, parse_target

NEAR = LabEnd(
    namespace="frt-a",
    cpus=(0,),
    cgroups=("/near",),
    interface="fast0",
    address="192.0.2.1",
    address6="2001:db8::1",
)
FAR = replace(NEAR, namespace="frt-b", cpus=(1,), cgroups=("/far",))
LAB = LabTargets(link="fast", speed=1e9, near=NEAR, far=FAR)


def silent(label: str) -> FakeHost:
    """A host that knows nothing."""
    return FakeHost(lambda request: Reply(request=request, status=Status.ABSENT), label=label)


def placed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[int, ...], tuple[str, ...]]]:
    """Where the programs of each namespace that is opened are to run."""
    opened: list[tuple[str, tuple[int, ...], tuple[str, ...]]] = []

    def netns_host(name: str, *, cpus: tuple[int, ...], cgroups: tuple[str, ...]) -> FakeHost:
        opened.append((name, cpus, cgroups))
        return silent(name)

    monkeypatch.setattr(netns, "NetnsHost", netns_host)
    monkeypatch.setattr(lab, "load_state", lambda _: object())
    monkeypatch.setattr(lab, "targets", lambda _: LAB)
    return opened


def test_this_host_is_opened_by_itself() -> None:
    """No target is this host."""
    host = open_host(LOCAL)
    try:
        assert isinstance(host, LocalHost)
    finally:
        host.close()


def test_without_python_the_shell_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the same ssh."""
    opened: list[str] = []

    def no_python(_: Target) -> object:
        raise NoPythonError("root@nas has no Python")

    def shell_of(target: Target) -> FakeHost:
        opened.append(target.text)
        return silent("a shell")

    monkeypatch.setattr(ssh, "SshHost", no_python)
    monkeypatch.setattr(ssh, "shell_of", shell_of)
    assert ("a shell", ["root@nas"]) == (open_host(parse_target("root@nas")).label, opened)


def test_with_python_the_shell_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The agent reads more."""
    monkeypatch.setattr(ssh, "SshHost", lambda target: silent(f"an agent on {target.text}"))
    assert "an agent on root@nas" == open_host(parse_target("root@nas")).label


def test_programs_in_a_namespace_run_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody's own namespace has no place of ours."""
    opened = placed(monkeypatch)
    open_host(parse_target("netns:blue"))
    assert [("blue", (), ())] == opened


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [("frt-a", "lab:a", ("frt-a", (0,), ("/near",))), ("frt-b", "lab:b", ("frt-b", (1,), ("/far",)))],
)
def test_each_end_of_the_lab_has_its_place(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, expected: tuple[object, ...]
) -> None:
    """Its own CPU and cgroup."""
    opened = placed(monkeypatch)
    open_host(replace(parse_target(f"netns:{name}"), text=text))
    assert [expected] == opened


def test_without_a_lab_it_is_said_how_to_make_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is named."""
    monkeypatch.setattr(lab, "load_state", lambda _: None)
    with pytest.raises(TargetError, match="make it with: fullrate lab up"):
        lab_targets("")


def test_an_installed_agent_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then no code is sent."""
    monkeypatch.setattr(ssh, "agent_of", lambda target: silent(f"{target.access.agent} on {target.text}"))
    target = parse_target("root@nas", Access(agent="/opt/agent"))
    assert "/opt/agent on root@nas" == open_host(target).label


def test_access_is_that_of_hosts_over_ssh() -> None:
    """Both ends may be such hosts; the others have none."""
    root = Access(sudo=True)
    job = job_between(parse_target("nas", root), "netns:blue", Promise(), Wish(), root)
    assert [PLAIN, root] == [target.access for target in job.targets.values()]
    assert [root] == [target.access for target in job_of_one("nas", root, Wish()).targets.values()]


@pytest.mark.parametrize("text", [None, "netns:blue"])
def test_access_without_such_a_host(text: str | None) -> None:
    """It is said what to do instead."""
    with pytest.raises(UsageError, match="to be root on this host, start fullrate with sudo"):
        job_of_one(text, Access(sudo=True), Wish())


def test_access_between_two_other_hosts() -> None:
    """The same."""
    with pytest.raises(UsageError, match="--sudo and --agent are for hosts over SSH"):
        job_between(parse_target("netns:b"), "netns:a", Promise(), Wish(), Access(agent="/opt/agent"))


def test_only_a_server() -> None:
    """It is no host to be read."""
    with pytest.raises(UsageError, match="name a host, like user@nas"):
        host_named("iperf3://nas")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("this host", LOCAL),
        ("root@nas", parse_target("root@nas")),
        ("netns:blue", parse_target("netns:blue")),
        ("lab:a", replace(parse_target("netns:frt-a"), text="lab:a")),
        ("lab:b", replace(parse_target("netns:frt-b"), text="lab:b")),
    ],
)
def test_one_host_is_named_as_a_run_names_it(monkeypatch: pytest.MonkeyPatch, text: str, expected: Target) -> None:
    """What stands in a report can be typed again."""
    placed(monkeypatch)
    assert expected == end_named(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lab:", "lab: names both ends of a practice network: write one of lab:a, lab:b"),
        ("lab:wire", "lab:wire names both ends of a practice network"),
        ("iperf3://nas", "iperf3://nas is only a server"),
        ("", "'' is no target"),
    ],
)
def test_what_is_not_one_host(monkeypatch: pytest.MonkeyPatch, text: str, said: str) -> None:
    """It is said what is."""
    placed(monkeypatch)
    with pytest.raises(UsageError, match=said):
        end_named(text)


def test_an_end_without_a_lab(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of a lab that is gone has no hosts any more."""
    monkeypatch.setattr(lab, "load_state", lambda _: None)
    with pytest.raises(TargetError, match="make it with: fullrate lab up"):
        end_named("lab:a")


def test_one_host_has_its_access() -> None:
    """Over SSH; of the others none is heeded, and that is an error."""
    root = Access(sudo=True)
    nas = end_named("nas", root)
    assert root == nas.access
    heed(root, [LOCAL, nas])
    heed(PLAIN, [LOCAL])
    for targets in ([LOCAL], []):
        with pytest.raises(UsageError, match="--sudo and --agent are for hosts over SSH"):
            heed(root, targets)
