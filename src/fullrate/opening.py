"""The hosts that targets name, and what `lab:` stands for. What each kind needs is imported when it is needed."""

from collections.abc import Iterable
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
    from fullrate.lab.guest import GuestState


def open_host(target: Target) -> Host:
    """The host a target names. Raises TargetError."""
    if target.kind is TargetKind.LOCAL:
        from fullrate.host.local import LocalHost

        return LocalHost()
    if target.kind is TargetKind.NETNS:
        from fullrate.host.netns import NetnsHost

        placement = _placement(target)
        return NetnsHost(target.name, cpus=placement[0], cgroups=placement[1])
    if target.kind is TargetKind.GUEST:
        from fullrate.lab.guest import end_host

        return end_host(_guest(), target.name)
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


def _guest() -> "GuestState":
    """The hardware lab as it is now. Raises TargetError where there is none."""
    from fullrate.host.local import LocalHost
    from fullrate.lab.guest import load_state

    state = load_state(LocalHost())
    if state is None:
        raise TargetError("there is no guest on this machine; make it with: fullrate lab up --guest")
    return state


def host_named(text: str | None, access: Access = PLAIN) -> Target:
    """The target a text names, which must be a host. Raises UsageError when it is only a server."""
    found = LOCAL if text is None else parse_target(text, access)
    if found.kind is TargetKind.SERVER:
        raise UsageError(
            f"{found.text} is only a server, nothing can be read there: name a host, like user@{found.name}"
        )
    return found


def end_named(text: str, access: Access = PLAIN) -> Target:
    """The one host that a text names, as a run names its ends too: `this host`, `lab:a`. Raises UsageError."""
    if text == LOCAL.text:
        return LOCAL
    found = host_named(text, access)
    if found.kind not in _BOTH_ENDS or _is_one(found):
        return found
    both = _BOTH_ENDS[found.kind](changed(found, name=""), None, Promise(), Wish()).targets
    named = {target.text: target for target in both.values()}
    if text not in named:
        raise UsageError(f"{text} names both ends of a practice network: write one of {', '.join(sorted(named))}")
    return named[text]


def _is_one(target: Target) -> bool:
    """Whether a target of the hardware lab is one of its ends."""
    return target.kind is TargetKind.GUEST and target.name in _ENDS


def job_of_one(text: str | None, access: Access, wish: Wish) -> Job:
    """The job of looking at one host. Raises UsageError, TargetError."""
    named = host_named(text, access)
    both = _BOTH_ENDS.get(named.kind)
    near = named if both is None or _is_one(named) else both(named, None, Promise(), Wish()).targets[End.NEAR]
    return _heeding(access, Job(targets={End.NEAR: near}, promise=Promise(), wish=wish))


def job_between(far: Target, near: str | None, promise: Promise, wish: Wish, access: Access) -> Job:
    """The job between two ends. Raises UsageError, TargetError."""
    if far.kind in _BOTH_ENDS and not _is_one(far):
        return _heeding(access, _BOTH_ENDS[far.kind](far, near, promise, wish))
    targets = {End.NEAR: host_named(near, access), End.FAR: far}
    return _heeding(access, Job(targets=targets, promise=promise, wish=wish))


def _heeding(access: Access, job: Job) -> Job:
    """The same job. Raises UsageError when what was said about access is said of no host."""
    heed(access, job.targets.values())
    return job


def heed(access: Access, targets: Iterable[Target]) -> None:
    """Raise UsageError when what was said about access is said of none of these hosts."""
    if access != PLAIN and not any(target.access == access for target in targets):
        raise UsageError("--sudo and --agent are for hosts over SSH; to be root on this host, start fullrate with sudo")


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


def _guest_job(far: Target, near: str | None, promise: Promise, wish: Wish) -> Job:
    """Both ends of a wire of the hardware lab (its fault's or the first, unless named), its speed, and load allowed."""
    if near is not None:
        raise UsageError(f"{far.text} names both ends; --from goes with guest:b")
    state = _guest()
    wire = next((one for one in state.wires if (far.name or state.link) in {"", one.model}), None)
    if wire is None:
        known = ", ".join(f"guest:{one.model}" for one in state.wires)
        raise UsageError(f"{far.text}: the guest has no such wire, but {known}")
    return Job(
        targets={end: changed(far, name=name, text=f"guest:{name}") for end, name in zip(End, _ENDS, strict=True)},
        promise=changed(promise, link_speed=promise.link_speed or state.speed, allow_load=True),
        wish=changed(
            wish,
            far_address=wire.address("b", family=wish.family or 4),
            interface=wish.interface or wire.interface,
        ),
    )


_ENDS = ("a", "b")
_BOTH_ENDS = {TargetKind.LAB: _lab_job, TargetKind.GUEST: _guest_job}
