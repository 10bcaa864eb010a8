"""bin/fullrate on a made-up checkout, and the parts of bin/setup.sh that touch nothing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from fullrate.doctor.packages import package_of
from fullrate.doctor.tools import TOOLS

ROOT = Path(__file__).parents[2]
BIN = ROOT / "bin"
# Stands for the environment's python: shows what it was started with.
PYTHON = '#!/bin/sh\nprintf "%s\\n" "$PYTHONPATH" "$@"\n'
# Stands for a tool: shows that it was called.
TOOL = '#!/bin/sh\necho "called: ${0##*/} $*"\n'
TABLE = "sh       shell-deb  shell-rpm\nfrt-one  both-deb   one-rpm\nfrt-two  both-deb   two-rpm\n"


def run(*argv: str | Path, cwd: Path, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
    """What a command printed and how it ended, started with almost no environment."""
    return subprocess.run(argv, cwd=cwd, env={"PATH": path}, capture_output=True, text=True, check=False)


def with_setup(script: str, *arguments: str, cwd: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    """What a script printed that has bin/setup.sh at hand; `path` is searched first."""
    text = f'. "{BIN}/setup.sh"\n{script}'
    return run("/bin/sh", "-uc", text, "sh", *arguments, cwd=cwd, path=f"{path}:/usr/bin:/bin".lstrip(":"))


def program(path: Path, text: str) -> None:
    """Write a program that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose environment is ready."""
    root = (tmp_path / "a checkout").resolve()
    shutil.copytree(BIN, root / "bin")
    program(root / ".venv" / "bin" / "python", PYTHON)
    (root / "requirements").mkdir()
    (root / "requirements" / "runtime.txt").write_text("something==1\n")
    with (root / "requirements" / "runtime.txt").open() as file:
        made_from = subprocess.run(["cksum"], stdin=file, capture_output=True, text=True, check=True).stdout
    (root / ".venv" / "made-from").write_text(made_from)
    return root


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder with a user who is not root and a package manager that only talks."""
    program(tmp_path / "tools" / "id", "#!/bin/sh\necho 1000\n")
    program(tmp_path / "tools" / "apt-get", TOOL)
    return tmp_path / "tools"


def test_the_program_gets_its_arguments(checkout: Path) -> None:
    """Words with spaces stay whole, and nothing is imported from the folder it is started in."""
    expected = f"{checkout}/src\n-P\n-m\nfullrate\nexplain\ntwo words\n"
    assert expected == run(checkout / "bin" / "fullrate", "explain", "two words", cwd=checkout).stdout


def test_it_works_from_any_folder(checkout: Path, tmp_path: Path) -> None:
    """A relative path to it is followed from where the user is."""
    assert run("a checkout/bin/fullrate", "explain", cwd=tmp_path).stdout.startswith(f"{checkout}/src\n")


def test_it_works_as_an_argument_of_sh(checkout: Path) -> None:
    """`sh fullrate` names no folder at all."""
    assert run("/bin/sh", "fullrate", "explain", cwd=checkout / "bin").stdout.startswith(f"{checkout}/src\n")


def test_it_works_through_symlinks(checkout: Path, tmp_path: Path) -> None:
    """A chain of links, relative and absolute, leads to the checkout."""
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "second").symlink_to("../a checkout/bin/fullrate")
    (tmp_path / "first").symlink_to(tmp_path / "links" / "second")
    assert run("./first", "explain", cwd=tmp_path).stdout.startswith(f"{checkout}/src\n")


def test_it_works_through_a_linked_folder(checkout: Path, tmp_path: Path) -> None:
    """A link to bin/ itself leads to the checkout, not to the link's parent."""
    (tmp_path / "programs").symlink_to(checkout / "bin")
    assert run("programs/fullrate", "explain", cwd=tmp_path).stdout.startswith(f"{checkout}/src\n")


@pytest.mark.parametrize("missing", [".venv/made-from", ".venv/bin/python"])
def test_half_an_environment_is_not_ready(checkout: Path, missing: str) -> None:
    """An interrupted set-up leaves no stamp; an upgraded system leaves no python."""
    (checkout / missing).unlink()
    assert with_setup('is_ready "$1" "$2"', f"{checkout}/.venv", "1 2", cwd=checkout).returncode != 0


def test_other_requirements_are_not_ready(checkout: Path) -> None:
    """An environment made from other requirements does not pass."""
    assert with_setup('is_ready "$1" "1 2"', f"{checkout}/.venv", cwd=checkout).returncode != 0


def test_only_what_is_missing_is_named(tmp_path: Path) -> None:
    """Programs that are there are not asked for."""
    expected = "frt-one\nfrt-two\n"
    assert expected == with_setup('missing_programs "$1"', TABLE, cwd=tmp_path).stdout


@pytest.mark.parametrize(("manager", "expected"), [("apt-get", "both-deb\n"), ("dnf", "one-rpm two-rpm\n")])
def test_packages_go_by_the_manager(tmp_path: Path, manager: str, expected: str) -> None:
    """Each package is named once, as its distribution calls it."""
    found = with_setup('packages_of "$1" "$2" frt-one frt-two', TABLE, manager, cwd=tmp_path)
    assert expected == found.stdout


def test_without_root_the_command_is_shown(tmp_path: Path, tools: Path) -> None:
    """A user who is not root reads the exact command, on stderr."""
    found = with_setup('need_programs "$1" .', TABLE, cwd=tmp_path, path=str(tools))
    assert "\n    sudo apt-get install -y both-deb\n" in found.stderr


def test_without_root_nothing_is_installed(tmp_path: Path, tools: Path) -> None:
    """A user who is not root only reads; the set-up fails."""
    found = with_setup('need_programs "$1" .', TABLE, cwd=tmp_path, path=str(tools))
    assert found.returncode != 0
    assert "called: apt-get" not in found.stderr


def test_root_installs_what_is_missing(tmp_path: Path, tools: Path) -> None:
    """Root gets the missing packages installed, said aloud first."""
    program(tools / "id", "#!/bin/sh\necho 0\n")
    found = with_setup('need_programs "$1" .', TABLE, cwd=tmp_path, path=str(tools))
    assert "fullrate: installing with apt-get: both-deb\n" in found.stderr
    assert found.stderr.rstrip().endswith("--no-install-recommends both-deb")


def test_nothing_missing_is_no_work(tmp_path: Path) -> None:
    """When every program is there, nothing is said or done."""
    found = with_setup('need_programs "$1" .', "sh shell-deb shell-rpm", cwd=tmp_path)
    assert not found.returncode
    assert not found.stdout + found.stderr


def test_an_old_python_is_passed_over(tmp_path: Path) -> None:
    """The first Python that is new enough and can make environments is taken, by its real path."""
    for name in ("python3.13", "python3.12", "python3.11"):
        program(tmp_path / "found" / name, "#!/bin/sh\nexit 1\n")
    program(tmp_path / "found" / "python3", "#!/bin/sh\necho /the/real/one\n")
    expected = "/the/real/one\n"
    assert expected == with_setup("suitable_python", cwd=tmp_path, path=str(tmp_path / "found")).stdout


def test_no_python_is_an_error_that_says_so(tmp_path: Path, tools: Path) -> None:
    """Without any Python the message names what is looked for and how to get it."""
    for name in ("python3.13", "python3.12", "python3.11", "python3"):
        program(tools / name, "#!/bin/sh\nexit 1\n")
    found = with_setup("need_python", cwd=tmp_path, path=str(tools))
    assert "\n    sudo apt-get install -y python3-venv\n" in found.stderr
    assert "Python 3.11" in found.stderr


def test_an_unknown_option_of_test_is_refused() -> None:
    """bin/test does not run something else than what was asked for."""
    found = run(BIN / "test", "--fast", cwd=ROOT)
    assert "usage: bin/test [--quick | --lab | --hardware]\n" in found.stderr
    assert found.returncode == 2


@pytest.mark.parametrize("words", [("one", "two"), ("--help",), ("",)])
def test_a_wrong_word_builds_nothing(words: tuple[str, ...]) -> None:
    """bin/build takes one folder."""
    found = run(BIN / "build", *words, cwd=ROOT)
    assert (2, "usage: bin/build [FOLDER]\n") == (found.returncode, found.stderr)


@pytest.mark.parametrize("verb", ["doctor", "agent", "completion", "manual"])
def test_verbs_that_need_no_tools(checkout: Path, tmp_path: Path, verb: str) -> None:
    """The doctor is asked because tools are missing: it is not kept from saying so."""
    (tmp_path / "no tools").mkdir()
    for name in ("cksum", "flock", "readlink"):
        (tmp_path / "no tools" / name).symlink_to(shutil.which(name) or name)
    found = run("/bin/sh", checkout / "bin" / "fullrate", verb, cwd=checkout, path=str(tmp_path / "no tools"))
    assert found.stdout.endswith(f"fullrate\n{verb}\n")


def test_the_doctor_and_the_set_up_know_the_same_tools() -> None:
    """A program has the same packages in both lists."""
    table = run("/bin/sh", "-c", f'. "{BIN}/setup.sh"; printf %s "$TOOLS"', cwd=ROOT).stdout
    listed = {tuple(line.split()) for line in table.splitlines() if line.strip()}
    assert {(tool.name, package_of(tool.name, "apt-get"), package_of(tool.name, "dnf")) for tool in TOOLS} == listed


@pytest.mark.parametrize("name", ["bin/fullrate", "bin/build", "bin/test", ".ci/run"])
def test_a_command_can_be_run(name: str) -> None:
    """The commands of a fresh clone are executable."""
    assert os.access(ROOT / name, os.X_OK)
