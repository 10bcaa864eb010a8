"""The wheel: built by one script, installed into an empty environment, and at work there."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.lab, pytest.mark.long]

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "tests" / "golden" / "bundles" / "netfilter-drop.fullrate"


def run(*argv: str | Path, cwd: Path, codes: tuple[int, ...] = (0,)) -> str:
    """What a command prints; it is started without anything of this checkout in its environment."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "FULLRATE"))}
    environment["XDG_STATE_HOME"] = str(cwd / "state")
    done = subprocess.run(argv, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in codes, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    run(ROOT / "bin" / "build", folder, cwd=folder)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def fullrate(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command, in an environment that holds the pinned requirements and the wheel alone."""
    folder = tmp_path_factory.mktemp("venv")
    run(sys.executable, "-Im", "venv", folder, cwd=folder)
    pip = (folder / "bin" / "python", "-Im", "pip", "--quiet", "--disable-pip-version-check", "install")
    run(*pip, "--require-hashes", "-r", ROOT / "requirements" / "runtime.txt", cwd=folder)
    run(*pip, "--no-deps", "--no-index", wheel, cwd=folder)
    return folder / "bin" / "fullrate"


@pytest.mark.parametrize("name", ["fullrate_agent.py", "fullrate/py.typed", "fullrate/cli/main.py"])
def test_the_wheel_holds_what_runs(wheel: Path, name: str) -> None:
    """The agent beside the package, and that the package is typed."""
    assert name in zipfile.ZipFile(wheel).namelist()


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    """Data too, and nothing else but its own description."""
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    source = (path for path in (ROOT / "src").rglob("*") if path.is_file() and path.suffix != ".pyc")
    assert {str(path.relative_to(ROOT / "src")) for path in source} == held


def test_the_wheel_names_the_command(wheel: Path) -> None:
    """As its entry point."""
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
    assert "fullrate = fullrate.cli:main" in archive.read(name).decode()


def test_what_is_declared_is_what_is_pinned(fullrate: Path, tmp_path: Path) -> None:
    """Pip finds no requirement of the wheel missing or too old."""
    assert "No broken requirements found." in run(fullrate.with_name("python"), "-Im", "pip", "check", cwd=tmp_path)


def test_version(fullrate: Path, tmp_path: Path) -> None:
    """It starts."""
    assert run(fullrate, "--version", cwd=tmp_path).startswith("fullrate, version ")


def test_diagnose(fullrate: Path, tmp_path: Path) -> None:
    """Every leaf is there: a kept run gets its verdict."""
    document = json.loads(run(fullrate, "diagnose", BUNDLE, "--json", cwd=tmp_path, codes=(1,)))
    assert "netfilter-drop" == document["verdict"]["cause"]


def test_collect(fullrate: Path, tmp_path: Path) -> None:
    """The agent is found, and this host is read."""
    document = json.loads(run(fullrate, "collect", "--json", cwd=tmp_path, codes=(0, 1)))
    assert document["ends"]["near"]["facts"]["HostIdentity"]


def test_doctor(fullrate: Path, tmp_path: Path) -> None:
    """What is needed here is there, or is named."""
    document = json.loads(run(fullrate, "doctor", "--json", cwd=tmp_path, codes=(0, 1)))
    assert "fullrate/doctor/1" == document["schema"]


def test_a_far_end_gets_the_agent(fullrate: Path, tmp_path: Path) -> None:
    """The installed agent can be sent into another process, as it is over SSH and into a namespace."""
    script = (
        "import mitogen.core, sys; from fullrate.host.remote import RemoteHost, agent_name;"
        "host = RemoteHost('x', lambda router: router.local(python_path=sys.executable, remote_name=agent_name()));"
        "print(host.identify().boot_id); host.close()"
    )
    expected = Path("/proc/sys/kernel/random/boot_id").read_text()
    assert expected == run(fullrate.with_name("python"), "-Ic", script, cwd=tmp_path)
