"""The package as a library."""

import subprocess
import sys
from pathlib import Path

import pytest

import fullrate
from fullrate import changing, workflow


def test_check_is_the_verb() -> None:
    """One name, one function."""
    assert workflow.check is fullrate.check
    assert workflow.look is fullrate.look
    for name in ("plan", "apply", "confirm", "revert", "recover", "changes"):
        assert getattr(changing, name) is getattr(fullrate, name)


def test_unknown_names_are_unknown() -> None:
    """Nothing is made up."""
    with pytest.raises(AttributeError, match="no attribute 'fix'"):
        fullrate.fix  # noqa: B018 - asking is the test


def test_importing_the_package_costs_nothing() -> None:
    """The command line's start-up is a promise."""
    code = "import sys, fullrate; print('msgspec' in sys.modules)"
    places = {"PYTHONPATH": str(Path(fullrate.__file__).parents[1])}
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=places)
    assert "False" == printed.stdout.strip()
