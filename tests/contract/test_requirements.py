"""The pinned requirements are complete, hashed, and name no place to fetch them from."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
RUNTIME = ROOT / "requirements" / "runtime.txt"
DEV = ROOT / "requirements" / "dev.txt"
BUILD = ROOT / "requirements" / "build.txt"
PIN = re.compile(r"^([a-z0-9-]+)==(\S+)")
NAME = re.compile(r"^[A-Za-z0-9-]+")


def blocks(text: str) -> list[str]:
    """The requirements of a file, each with its hashes on one line."""
    joined = text.replace("\\\n", " ")
    return [line for line in joined.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def pins(path: Path) -> set[tuple[str, str]]:
    """Every pinned name with its version."""
    return {found.groups() for line in blocks(path.read_text()) if (found := PIN.match(line))}  # type: ignore[misc]


def project() -> dict[str, Any]:
    """The project's description."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def names(requirements: list[str]) -> set[str]:
    """The bare names of requirements."""
    return {found[0].lower() for line in requirements if (found := NAME.match(line))}


@pytest.mark.parametrize("path", [RUNTIME, DEV, BUILD], ids=lambda path: path.name)
def test_every_line_is_pinned_and_hashed(path: Path) -> None:
    """Without a hash on every line, pip refuses the whole file."""
    assert not [line for line in blocks(path.read_text()) if not PIN.match(line) or " --hash=sha256:" not in line]


@pytest.mark.parametrize("path", [RUNTIME, DEV, BUILD], ids=lambda path: path.name)
def test_no_place_is_named(path: Path) -> None:
    """The file works with whatever index the reader uses."""
    assert not re.findall(r"://|--(?:extra-)?index|find-links|file:", path.read_text())


def test_every_dependency_is_pinned_for_running() -> None:
    """runtime.txt holds what the project says it needs."""
    assert names(project()["project"]["dependencies"]) <= {name for name, _ in pins(RUNTIME)}


def test_every_dependency_is_pinned_for_developing() -> None:
    """dev.txt holds what the dev group names."""
    assert names(project()["dependency-groups"]["dev"]) <= {name for name, _ in pins(DEV)}


def test_the_wheel_s_maker_is_pinned() -> None:
    """build.txt holds what the project says makes it."""
    assert names(project()["build-system"]["requires"]) <= {name for name, _ in pins(BUILD)}


def test_tests_run_on_what_users_run() -> None:
    """Every version of runtime.txt is the one of dev.txt."""
    assert pins(RUNTIME) <= pins(DEV)


def test_a_line_without_hash_is_seen() -> None:
    """A requirement is joined with its hashes before it is judged."""
    expected = ["a==1      --hash=sha256:00", "b==2"]
    assert expected == blocks("a==1 \\\n    --hash=sha256:00\n    # via x\nb==2\n")
