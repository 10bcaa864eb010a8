"""The host that a target names, and what `lab:` stands for. What each kind needs is imported when it is needed."""

from dataclasses import replace as changed
from typing import TYPE_CHECKING

from fullrate.host.protocol import Host
from fullrate.records.errors import NoPythonError, TargetError
from fullrate.records.target import Target, TargetKind

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
    from fullrate.host.ssh import SshHost, shell_of

    try:
        return SshHost(target)
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
