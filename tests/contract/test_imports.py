"""Who may import whom, read from the syntax tree of every module: the rules are data, each with its reason."""

import ast
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src"
AGENT, GUARD = "fullrate_agent", "fullrate_guard"
SENT = frozenset({AGENT, GUARD})  # programs that run on the machine, each one file
PACKAGE = "fullrate"

LEAVES = ("sources", "checks", "generators", "knobs", "drivers")
STAGES = (
    *("host", "collect", "measure", "diagnose", "planning", "applying", "proving"),
    *(
        "pairing",
        "asking",
        "doctor",
        "explaining",
        "bundle",
        "redact",
        "intake",
        "casebook",
        "runs",
        "archive",
        "report",
        "lab",
    ),
    "fleet",
)
# the verbs, the open hosts, a recording's document and where it and plans are kept, the score of cases
WORKFLOW = ("workflow", "changing", "session", "visit", "opening", "replaying", "keeping", "plans", "scoring")
# A module may import from its own layer and those below it, in this order.
LAYERS = (("records", "version"), LEAVES, ("registry",), STAGES, WORKFLOW, (PACKAGE,), ("cli", "__main__"))
RANK: dict[str | None, int] = {area: rank for rank, areas in enumerate(LAYERS) for area in areas}

IMPURE = frozenset({"os", "subprocess", "socket", "time", "random", "logging"})
MACHINE = frozenset({"subprocess", "socket", "mitogen"})
# Stages know the shape of a host, never a kind of host; the practice network is built on one, and a trial is facts
# collected before, during and after traffic.
SHARED_BY_STAGES = frozenset({f"{PACKAGE}.host.protocol", f"{PACKAGE}.host.clock"})
STAGE_MAY_IMPORT = {"lab": frozenset({"host"}), "measure": frozenset({"collect"})}


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """One module named by another."""

    importer: str
    imported: str


def area(module: str) -> str | None:
    """The part of the package a module belongs to; None outside of it."""
    first, *rest = module.split(".")
    if first != PACKAGE:
        return None
    return rest[0] if rest else PACKAGE


def top(module: str) -> str:
    """The first word of a module's name."""
    return module.partition(".")[0]


def family(module: str) -> str | None:
    """The package of leaves a module belongs to, the faults of the lab among them."""
    if module == f"{PACKAGE}.lab.faults" or module.startswith(f"{PACKAGE}.lab.faults."):
        return "lab.faults"
    return found if (found := area(module)) in LEAVES else None


def climbs(pair: Import) -> bool:
    """Whether the imported module is in a higher layer."""
    importer, imported = RANK.get(area(pair.importer)), RANK.get(area(pair.imported))
    return importer is not None and imported is not None and imported > importer


def unplaced(pair: Import) -> bool:
    """Whether the importing module belongs to no layer."""
    found = area(pair.importer)
    return found is not None and found not in RANK


def joins_leaves(pair: Import) -> bool:
    """Whether a leaf imports another leaf; an underscore marks a helper, for its own package alone."""
    importer, imported = family(pair.importer), family(pair.imported)
    if importer is None or imported is None or pair.importer == f"{PACKAGE}.{importer}":
        return False
    return importer != imported or not pair.imported.rpartition(".")[2].startswith("_")


def dirties(pair: Import) -> bool:
    """Whether a leaf or record imports what reads a clock, a machine or chance."""
    return (area(pair.importer) in (*LEAVES, "records")) and top(pair.imported) in IMPURE


def joins_stages(pair: Import) -> bool:
    """Whether a stage imports another stage."""
    importer, imported = area(pair.importer), area(pair.imported)
    if importer not in STAGES or imported not in STAGES or importer == imported:
        return False
    return pair.imported not in SHARED_BY_STAGES and imported not in STAGE_MAY_IMPORT.get(importer or "", ())


def touches(pair: Import) -> bool:
    """Whether a module outside of host/ and the agent imports what touches a machine."""
    touching = top(pair.imported) in MACHINE or pair.imported in SENT
    return touching and pair.importer not in SENT and area(pair.importer) != "host"


def burdens_agent(pair: Import) -> bool:
    """Whether the agent or the guard imports what a bare Python does not have."""
    return pair.importer in SENT and top(pair.imported) not in sys.stdlib_module_names


def reaches_workflow(pair: Import) -> bool:
    """Whether a module that is no front end imports the workflow."""
    inside = area(pair.importer) in (*WORKFLOW, "cli", "__main__", PACKAGE)
    return area(pair.imported) in WORKFLOW and not inside


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What no module may do, why, a made-up import that breaks it, and one that does not."""

    name: str
    reason: str
    broken: Callable[[Import], bool]
    bad: tuple[tuple[str, str], ...]
    good: tuple[tuple[str, str], ...]


RULES = (
    Rule(
        name="one-way",
        reason="cli > workflow > stages > registry > leaves > records: what is below can be read and tested alone",
        broken=climbs,
        bad=(
            ("fullrate.records.view", "fullrate.registry"),
            ("fullrate.checks.offload_off", "fullrate.registry"),
            ("fullrate.registry", "fullrate.collect"),
            ("fullrate.measure.trial", "fullrate.workflow"),
            ("fullrate.workflow", "fullrate.cli.check"),
            ("fullrate.report.text", "fullrate"),
        ),
        good=(("fullrate.cli.check", "fullrate.workflow"), ("fullrate.workflow", "fullrate.records.run")),
    ),
    Rule(
        name="every-module-has-a-layer",
        reason="a module in no layer is under no rule: name its place in LAYERS",
        broken=unplaced,
        bad=(("fullrate.helpers", "fullrate.records.run"),),
        good=(("fullrate.records.run", "fullrate.records.ends"), ("fullrate_agent", "os")),
    ),
    Rule(
        name="leaves-apart",
        reason="a leaf is added, understood and removed as one file; what leaves share is a record or a helper `_x`",
        broken=joins_leaves,
        bad=(
            ("fullrate.checks.offload_off", "fullrate.checks.cpu_quota"),
            ("fullrate.checks.offload_off", "fullrate.sources.ethtool_features"),
            ("fullrate.checks.offload_off", "fullrate.sources._text"),
            ("fullrate.lab.faults.tc_shaper", "fullrate.lab.faults.path_loss"),
            ("fullrate.sources._text", "fullrate.sources.ethtool_link"),
        ),
        good=(
            ("fullrate.sources.ethtool_link", "fullrate.sources._text"),
            ("fullrate.lab.faults.tc_shaper", "fullrate.lab.faults._steps"),
            ("fullrate.lab.faults", "fullrate.lab.faults.tc_shaper"),
            ("fullrate.checks.offload_off", "fullrate.records.view"),
        ),
    ),
    Rule(
        name="leaves-and-records-are-pure",
        reason="the same bytes must give the same finding for ever: no clock, no chance, no machine",
        broken=dirties,
        bad=(
            *(("fullrate.sources.net_dev", name) for name in sorted(IMPURE)),
            ("fullrate.records.view", "os.path"),
        ),
        good=(("fullrate.host.local", "os"), ("fullrate.sources.net_dev", "re")),
    ),
    Rule(
        name="stages-apart",
        reason="a stage takes records and gives records; the workflow alone wires stages together",
        broken=joins_stages,
        bad=(
            ("fullrate.report.text", "fullrate.diagnose"),
            ("fullrate.measure.trial", "fullrate.report.text"),
            ("fullrate.collect", "fullrate.host.local"),
            ("fullrate.lab.build", "fullrate.measure.trial"),
            ("fullrate.planning.steps", "fullrate.applying"),
        ),
        good=(
            ("fullrate.collect", "fullrate.host.protocol"),
            ("fullrate.lab.build", "fullrate.host.local"),
            ("fullrate.measure.trial", "fullrate.measure.stats"),
        ),
    ),
    Rule(
        name="one-door-to-the-machine",
        reason="only host/ and its agent touch a machine, so everything else runs on a recording",
        broken=touches,
        bad=(
            ("fullrate.lab.build", "subprocess"),
            ("fullrate.workflow", "socket"),
            ("fullrate.cli.check", "mitogen.core"),
            ("fullrate.measure.trial", "fullrate_agent"),
            ("fullrate.applying", "fullrate_guard"),
        ),
        good=(
            ("fullrate.host.ssh", "mitogen.core"),
            ("fullrate.host.local", "fullrate_agent"),
            ("fullrate_agent", "subprocess"),
        ),
    ),
    Rule(
        name="the-agent-stands-alone",
        reason="it is sent as one file to hosts where nothing of ours is installed",
        broken=burdens_agent,
        bad=(
            ("fullrate_agent", "msgspec"),
            ("fullrate_agent", "fullrate.records.run"),
            ("fullrate_agent", "mitogen"),
            ("fullrate_guard", "fullrate_agent"),
        ),
        good=(("fullrate_agent", "ctypes.util"), ("fullrate.records.codec", "msgspec")),
    ),
    Rule(
        name="workflow-is-for-front-ends",
        reason="whoever is called by the workflow cannot call it back",
        broken=reaches_workflow,
        bad=(("fullrate.lab.score", "fullrate.workflow"), ("fullrate.report.text", "fullrate.workflow")),
        good=(("fullrate.cli.check", "fullrate.workflow"), ("fullrate", "fullrate.workflow")),
    ),
)


def module_name(path: Path) -> str:
    """The dotted name of a source file."""
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def resolve(node: ast.ImportFrom, importer: str, *, is_package: bool) -> str:
    """The module an import takes names from, relative ones made absolute."""
    if not node.level:
        return node.module or ""
    parents = importer.split(".")
    kept = parents[: len(parents) - node.level + is_package]
    return ".".join((*kept, node.module) if node.module else kept)


def imports_of(tree: ast.AST, importer: str, known: frozenset[str], *, is_package: bool = False) -> Iterator[Import]:
    """Every import of a module, those inside functions too; a name that is itself a module counts as one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(importer=importer, imported=name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve(node, importer, is_package=is_package)
            for name in node.names:
                whole = f"{base}.{name.name}"
                yield Import(importer=importer, imported=whole if whole in known else base)


@cache
def all_imports() -> tuple[Import, ...]:
    """Every import in src, but of the program that is a guest's own and runs nowhere else."""
    paths = sorted(path for path in SRC.rglob("*.py") if path.parts[-3:-1] != ("data", "guest"))
    known = frozenset(map(module_name, paths))
    return tuple(
        found
        for path in paths
        for found in imports_of(
            ast.parse(path.read_bytes()), module_name(path), known, is_package=path.name == "__init__.py"
        )
    )


def cases(which: str) -> list[object]:
    """Every rule with each of its made-up imports, good or bad."""
    return [
        pytest.param(rule, Import(importer=importer, imported=imported), id=f"{rule.name}: {importer} {imported}")
        for rule in RULES
        for importer, imported in getattr(rule, which)
    ]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_no_module_breaks_the_rule(rule: Rule) -> None:
    """The tree as it stands keeps every rule."""
    broken = {f"{pair.importer} imports {pair.imported}" for pair in all_imports() if rule.broken(pair)}
    assert not broken, rule.reason


@pytest.mark.parametrize(("rule", "pair"), cases("bad"))
def test_a_violation_is_caught(rule: Rule, pair: Import) -> None:
    """Each rule sees the imports it exists to forbid."""
    assert rule.broken(pair)


@pytest.mark.parametrize(("rule", "pair"), cases("good"))
def test_what_is_allowed_passes(rule: Rule, pair: Import) -> None:
    """No rule forbids more than it says."""
    assert not rule.broken(pair)


def test_the_tree_is_read() -> None:
    """The rules are asked about real imports, the agent's among them."""
    importers = {pair.importer for pair in all_imports()}
    assert {"fullrate.registry", "fullrate.records.view", AGENT} <= importers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os.path", "os.path"),
        ("from fullrate.sources import net_dev", "fullrate.sources.net_dev"),
        ("from fullrate.sources import SOMETHING", "fullrate.sources"),
        ("from . import net_dev", "fullrate.sources.net_dev"),
        ("from ._text import words", "fullrate.sources._text"),
        ("from ..records.run import Run", "fullrate.records.run"),
        ("def late() -> None:\n    import socket", "socket"),
    ],
)
def test_imports_are_found(text: str, expected: str) -> None:
    """Every form of import names the module it brings in."""
    known = frozenset({"fullrate.sources.net_dev"})
    found = imports_of(ast.parse(text), "fullrate.sources.softirqs", known)
    assert [expected] == [pair.imported for pair in found]


def test_a_package_is_its_own_base() -> None:
    """One dot in an __init__.py means the package itself."""
    (found,) = imports_of(ast.parse("from .run import Run"), "fullrate.records", frozenset(), is_package=True)
    assert Import(importer="fullrate.records", imported="fullrate.records.run") == found
