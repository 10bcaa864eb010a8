"""The agent as one program."""

import subprocess
import sys
from pathlib import Path

import pytest

import fullrate_agent
from fullrate.host.zipapp import build, write_agent
from fullrate.records.errors import BundleError
from fullrate.version import __version__


def ran(*argv: str) -> str:
    """What a program prints with nothing of ours around it."""
    command = ("/usr/bin/env", "-i", *argv)
    return subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL
    ).stdout


def test_it_runs_on_a_bare_python(tmp_path: Path) -> None:
    """It says which agent it is."""
    said = write_agent(tmp_path / "agent.pyz")
    printed = ran(sys.executable, "-I", "-S", str(tmp_path / "agent.pyz"), "--version")
    assert f"the agent of fullrate {__version__} ({build()})" == said
    assert f"fullrate-agent {__version__} ({build()}): run by `fullrate check user@host --agent PATH`\n" == printed


def test_it_is_a_program(tmp_path: Path) -> None:
    """It can be run by its name, by whichever Python 3 stands first in the PATH."""
    write_agent(tmp_path / "agent.pyz")
    assert 0o755 == (tmp_path / "agent.pyz").stat().st_mode & 0o777
    assert (tmp_path / "agent.pyz").read_bytes().startswith(b"#!/usr/bin/env python3\nPK")


def test_one_source_makes_one_file(tmp_path: Path) -> None:
    """An administrator can compare what is installed with what he would make himself."""
    for name in ("one", "two"):
        write_agent(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_another_source_is_another_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The build is of the code, not of the version."""
    mine, other = build(), tmp_path / "other.py"
    other.write_bytes(Path(fullrate_agent.__file__).read_bytes() + b"\n")
    monkeypatch.setattr(fullrate_agent, "__file__", str(other))
    assert mine != build()


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """One sentence says why and what to do."""
    with pytest.raises(BundleError, match="Is a directory; name another file with -o"):
        write_agent(tmp_path)
