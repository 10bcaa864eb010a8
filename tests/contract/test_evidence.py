"""Take one piece of evidence away: what was a problem may become unknown, never clear; no answer turns into a guess."""

import functools
import importlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fullrate.records.ends import End
from fullrate.records.facts.base import Fact
from fullrate.records.finding import Judgement
from fullrate.records.leaf import Check
from fullrate.registry import checks
from unit.checks import scenes
from unit.checks.build import Scene, judged

# scenes_*.py: the scenes of a group of checks, PROBLEMS, CLEARS and FOUNDED_ON
SLICES = [
    importlib.import_module(f"unit.checks.{file.stem}")
    for file in sorted((Path(__file__).parents[1] / "unit" / "checks").glob("scenes_*.py"))
]
PROBLEMS: dict[str, Scene] = {label: scene for part in (scenes, *SLICES) for label, scene in part.PROBLEMS.items()}
CLEARS: dict[str, Scene] = {label: scene for part in (scenes, *SLICES) for label, scene in part.CLEARS.items()}
problems = pytest.mark.parametrize("label", PROBLEMS)
clears = pytest.mark.parametrize("label", CLEARS)
CHECKS = {check.id: check for check in checks()}
PARTS = {
    "collected": ("facts",),
    "window": ("before", "after"),
    "window's start": ("before",),
    "window's end": ("after",),
    "idle look": ("idle_before", "idle_after"),
}

SOCKETS = {"near window TcpSocket"}
LINKS = {"near collected Link", "far collected Link"}
LOCAL = {"near window Qdisc", "near window LinkCounters", "far window LinkCounters", "far window Softnet"}
AT_REST = {"the idle look", "near idle look LinkCounters", "far idle look LinkCounters"}
HOSTS = {"near collected HostIdentity", "far collected HostIdentity"}
GROUPS = {f"{end} window {kind}" for end in End for kind in ("ProcessCgroup", "CgroupQuota")}
QDISCS = {"near collected Qdisc", "far collected Qdisc"}
RULESETS = {"near collected FilterRuleset", "far collected FilterRuleset"}
OFFLOADS = {"near collected Features", "far collected Features"}
# what every clear verdict rests on, beside the trial
FOUNDED_ON: dict[str, set[str]] = {
    "competing-traffic": LINKS | AT_REST | SOCKETS | {"near window LinkCounters", "the speed"},
    "competing-traffic full": {"the speed"},
    "cpu-quota": GROUPS,
    "cpu-quota rarely": GROUPS | {"far window CgroupThrottling"},
    "link-filled": HOSTS | {"near window CpuTimes", "far window CpuTimes", "the speed"},
    "mtu-blackhole": LINKS | {"the speed"},
    "mtu-blackhole large ones pass": LINKS | {"near collected EchoProbe", "the speed"},
    "netfilter-drop": SOCKETS | {"near collected FilterRuleset"},
    "netfilter-drop quiet rule": SOCKETS | RULESETS | {"far window FilterRule", "the speed"},
    "offload-off": OFFLOADS,
    "offload-off virtual": OFFLOADS | HOSTS | {"near collected Link", "near window CpuTimes"},
    "path-loss": SOCKETS,
    "path-loss dropped here": SOCKETS | LOCAL | {"the speed"},
    "path-loss filtered here": SOCKETS | LOCAL | LINKS | {"far window FilterRule", "the speed"},
    "server-busy": set(),
    "tc-shaper": QDISCS | {"far collected Link"},
    "tc-shaper way in wide": LINKS | QDISCS | {"far window Qdisc", "the speed"},
    "tc-shaper wide": LINKS | QDISCS | {"near window Qdisc", "the speed"},
    "tcp-buffers-too-small": SOCKETS,
    "tcp-buffers-too-small not reading": SOCKETS | {"far window TcpSocket", "the speed"},
    "tcp-buffers-too-small large": SOCKETS | {"far window TcpSocket", "far collected Sysctl", "the speed"},
    "test-control-port-blocked": set(),
} | {label: grounds for part in SLICES for label, grounds in part.FOUNDED_ON.items()}
# clear verdicts about a setting or a state: no trial is needed for them
UNTESTED: set[str] = {label for part in SLICES for label in getattr(part, "UNTESTED", ())}


def mutations(scene: Scene) -> Iterator[tuple[str, Scene]]:
    """The scene without each single piece of its evidence, by name."""
    for end in End:
        for name, parts in PARTS.items():
            for kind in kinds(scene, end, parts):
                yield f"{end} {name} {kind.__name__}", scene.lacking(end, kind, *parts)
        for kind in kinds(scene, end, ("facts",)):
            yield f"{end} denied {kind.__name__}", scene.refusing(end, kind)
    yield "the trial", replace(scene, rate=None, tries=())
    yield "the idle look", replace(scene, looked=False)
    yield "the speed", replace(scene, speed=None)
    yield "the program's result", without_engine(scene)


def kinds(scene: Scene, end: End, parts: tuple[str, ...]) -> list[type[Fact]]:
    """Every kind of fact in some parts of an end."""
    return sorted(
        {type(fact) for part in parts for fact in getattr(scene.side(end), part)}, key=lambda kind: kind.__name__
    )


def without_engine(scene: Scene) -> Scene:
    """The scene without what the traffic program said."""
    return replace(scene, engine=None, tries=tuple(replace(trial, engine=None) for trial in scene.tries))


@functools.cache  # several rules look at the same answers
def verdicts(label: str, *, clear: bool) -> dict[str, Judgement]:
    """What the check of a scene says without each piece of evidence."""
    scene = CLEARS[label] if clear else PROBLEMS[label]
    return {name: judged(check_of(label), mutated) for name, mutated in mutations(scene)}


def check_of(label: str) -> Check:
    """The check that a scene's label begins with."""
    return CHECKS[label.split(maxsplit=1)[0]]


def test_every_check_has_scenes() -> None:
    """No check escapes this rule."""
    assert set(CHECKS) == {label.split()[0] for label in PROBLEMS} == {label.split()[0] for label in CLEARS}


@problems
def test_starts_from_a_problem(label: str) -> None:
    """With all its evidence the scene is a problem."""
    assert Judgement.PROBLEM == judged(check_of(label), PROBLEMS[label])


@clears
def test_starts_from_a_clear_verdict(label: str) -> None:
    """With all its evidence the scene is clear."""
    assert Judgement.CLEAR == judged(check_of(label), CLEARS[label])


@problems
def test_missing_evidence_clears_no_problem(label: str) -> None:
    """A problem stays one, or becomes unknown."""
    allowed = {Judgement.PROBLEM, Judgement.UNKNOWN}
    wrong = {name: said for name, said in verdicts(label, clear=False).items() if said not in allowed}
    assert {} == wrong


@clears
def test_missing_evidence_accuses_nothing(label: str) -> None:
    """A clear verdict stays one, or becomes unknown."""
    allowed = {Judgement.CLEAR, Judgement.UNKNOWN}
    wrong = {name: said for name, said in verdicts(label, clear=True).items() if said not in allowed}
    assert {} == wrong


@clears
def test_clear_verdict_needs_its_grounds(label: str) -> None:
    """Without any one of the facts it rests on a clear verdict is unknown; no other fact matters to it."""
    found = {name for name, said in verdicts(label, clear=True).items() if said is Judgement.UNKNOWN}
    whole = {name for name in found if "denied" not in name and "window's" not in name}
    trial = set() if label in UNTESTED else {"the trial"}
    assert FOUNDED_ON[label] | trial == whole


@clears
def test_unread_reason_counts_as_missing(label: str) -> None:
    """A fact that was denied decides no more than one that is simply not there; a filter may then be hidden."""
    said = verdicts(label, clear=True)
    absent = {name.replace("collected", "denied") for name, one in said.items() if one is Judgement.UNKNOWN}
    denied = {name for name, one in said.items() if one is Judgement.UNKNOWN and "denied" in name}
    assert denied <= absent | {"far denied FilterRule"}
