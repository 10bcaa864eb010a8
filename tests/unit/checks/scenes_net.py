"""Scenes of the host's own limits."""

from unit.checks.build import NEAR, Scene
from unit.checks.scenes_tcp import netstat, path


def limited(name: str, count: int = 30) -> Scene:
    """A host one of whose tables was full so many times during the trial, and a tenth of them at rest."""
    scene = path().seeing(NEAR, netstat(**{name: count}))
    return scene.resting(NEAR, netstat(**{name: count // 10}))


PROBLEMS: dict[str, Scene] = {"kernel-limit": limited("ListenOverflows")}
CLEARS: dict[str, Scene] = {"kernel-limit": limited("ListenOverflows", 0)}
FOUNDED_ON: dict[str, set[str]] = {
    "kernel-limit": {"near idle look ProtocolCounters", "near window ProtocolCounters"},
}
UNTESTED = {"kernel-limit"}
