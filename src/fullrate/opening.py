"""The hosts that targets name, and what `lab:` stands for. What each kind needs is imported when it is needed."""

from dataclasses import replace as changed
from typing import TYPE_CHECKING

from fullrate.host.protocol import Host
from fullrate.pairing import Wish
from fullrate.records.ends import End
from fullrate.records.errors import NoPythonError, TargetError, UsageError
from fullrate.records.recording import Promise
from fullrate.records.target import LOCAL, PLAIN, Access, Target, TargetKind, parse_target
from fullrate.visit import Job

if TYPE_CHECKING:
    from fullrate.lab import LabTargets


def open_host(target: Target) -> Host:
    """The host a target names. Raises TargetError."""
    if target.kind is TargetKind.LOCAL:
        from fullrate.host.local import LocalHost

        return LocalHost()
    if target.kind is TargetKind.NETNS:
        from fullrate.host.netns import NetnsHost

        placement = _placement(target)
        return NetnsHost(target.name, cpus=placement[0], cgroups=placement[1])
    from fullrate.host.ssh import SshHost, agent_of, shell_of

    try:
        return agent_of(target) if target.access.agent else SshHost(target)
    except NoPythonError:
        return shell_of(target)


def _placement(target: Target) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Where the programs of a lab's end run: its own CPU and cgroup."""
    if not target.text.startswith("lab:"):
        return (), ()
    found = lab_targets("")
    side = found.near if found.near.namespace == target.name else found.far
    return side.cpus, side.cgroups


def lab_targets(link: str) -> "LabTargets":
    """What `lab:` stands for now; an empty link is the one the lab is set to. Raises TargetError without a lab."""
    from fullrate.host.local import LocalHost
    from fullrate.lab import load_state, targets

    state = load_state(LocalHost())
    if state is None:
        raise TargetError("there is no lab on this machine; make it with: fullrate lab up")
    return targets(changed(state, link=link) if link else state)


def host_named(text: str | None, access: Access = PLAIN) -> Target:
    """The target a text names, which must be a host. Raises UsageError when it is only a server."""
    found = LOCAL if text is None else parse_target(text, access)
    if found.kind is TargetKind.SERVER:
        raise UsageError(
            f"{found.text} is only a server, nothing can be read there: name a host, like user@{found.name}"
        )
    return found


def job_of_one(text: str | None, access: Access, wish: Wish) -> Job:
    """The job of looking at one host. Raises UsageError, TargetError."""
    named = host_named(text, access)
    near = _lab_job(named, None, Promise(), Wish()).targets[End.NEAR] if named.kind is TargetKind.LAB else named
    return _heeding(access, Job(targets={End.NEAR: near}, promise=Promise(), wish=wish))


def job_between(far: Target, near: str | None, promise: Promise, wish: Wish, access: Access) -> Job:
    """The job between two ends. Raises UsageError, TargetError."""
    if far.kind is TargetKind.LAB:
        return _heeding(access, _lab_job(far, near, promise, wish))
    targets = {End.NEAR: host_named(near, access), End.FAR: far}
    return _heeding(access, Job(targets=targets, promise=promise, wish=wish))


def _heeding(access: Access, job: Job) -> Job:
    """The same job. Raises UsageError when what was said about access is said of no host."""
    if access != PLAIN and not any(target.access == access for target in job.targets.values()):
        raise UsageError("--sudo and --agent are for hosts over SSH; to be root on this host, start fullrate with sudo")
    return job


def _lab_job(far: Target, near: str | None, promise: Promise, wish: Wish) -> Job:
    """Both ends of the practice network, its declared speed, and load allowed: nobody else uses it."""
    if near is not None:
        raise UsageError("lab: names both ends; --from is not used with it")
    found = lab_targets(far.name)
    ends = {
        end: changed(far, kind=TargetKind.NETNS, name=side.namespace, text=f"lab:{label}")
        for end, side, label in ((End.NEAR, found.near, "a"), (End.FAR, found.far, "b"))
    }
    address = found.far.address6 if wish.family == 6 else found.far.address  # noqa: PLR2004 - IP version
    return Job(
        targets=ends,
        promise=changed(promise, link_speed=promise.link_speed or found.speed, allow_load=True),
        wish=changed(wish, far_address=address, interface=wish.interface or found.near.interface),
    )
