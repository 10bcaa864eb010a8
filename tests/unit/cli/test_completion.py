"""`fullrate completion` prints a script, and bash does with it what people expect."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fullrate.cli import app
from fullrate.cli.completion import SHELLS, script

Command = Callable[..., int]
BASH = shutil.which("bash") or "bash"
# Completes the line $2 with the script $1; the program is a function that shows what it was asked, then answers $3.
DRIVER = r"""
source "$1"
compopt() { echo "compopt $*"; }
fullrate() { echo "asked: $_FULLRATE_COMPLETE $COMP_CWORD $COMP_WORDS" >&3; printf '%s\n' "$answer"; }
answer=$3 COMP_LINE=$2 COMP_POINT=${4:-${#2}}
_fullrate_completion fullrate 3>&1
printf '[%s]\n' "${COMPREPLY[@]}"
"""


def complete(tmp_path: Path, line: str, answer: str, point: int | None = None) -> list[str]:
    """What the script asked of the program, and what it offers."""
    path = tmp_path / "completion.bash"
    path.write_text(script("bash", app))
    more = [] if point is None else [str(point)]
    words = [BASH, "--norc", "-c", DRIVER, "bash", str(path), line, answer, *more]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "" == done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("shell", "sign"),
    [
        ("bash", "complete -o nosort -F _fullrate_completion fullrate"),
        ("zsh", "compdef _fullrate_completion fullrate"),
        ("fish", "complete --no-files --command fullrate"),
    ],
)
def test_each_shell_has_its_script(
    fullrate: Command, capsys: pytest.CaptureFixture[str], shell: str, sign: str
) -> None:
    """It registers for our name, and asks the program by the variable that click looks at."""
    assert 0 == fullrate("completion", shell)
    printed = capsys.readouterr().out
    assert (True, True) == (sign in printed, f"_FULLRATE_COMPLETE={shell}_complete" in printed)


@pytest.mark.parametrize("words", [(), ("tcsh",)])
def test_another_shell_is_refused(
    fullrate: Command, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    """The message names those there are."""
    assert 2 == fullrate("completion", *words)
    complaint = capsys.readouterr().err
    assert [] == [shell for shell in SHELLS if shell not in complaint]


def test_a_verb_in_bash(tmp_path: Path) -> None:
    """The first word after the program is number 1."""
    assert ["asked: bash_complete 1 fullrate ch", "[check]"] == complete(tmp_path, "fullrate ch", "plain,check")


def test_a_new_word_in_bash(tmp_path: Path) -> None:
    """After a blank the word is empty, and all that is offered is taken."""
    answer = "plain,check\nplain,collect"
    assert ["asked: bash_complete 1 fullrate ", "[check]", "[collect]"] == complete(tmp_path, "fullrate ", answer)


def test_a_colon_does_not_split_a_target(tmp_path: Path) -> None:
    """The program sees `netns:b` whole; bash, which completes behind the colon, gets what belongs there."""
    expected = ["asked: bash_complete 2 fullrate check netns:b", "[blue]"]
    assert expected == complete(tmp_path, "fullrate check netns:b", "plain,netns:blue")


def test_before_the_colon_the_whole_word_is_offered(tmp_path: Path) -> None:
    """Nothing of it is typed yet."""
    expected = ["asked: bash_complete 2 fullrate check ne", "[netns:blue]"]
    assert expected == complete(tmp_path, "fullrate check ne", "plain,netns:blue")


def test_only_what_stands_before_the_cursor_counts(tmp_path: Path) -> None:
    """The rest of the line is not asked about."""
    assert ["asked: bash_complete 1 fullrate ch", "[check]"] == complete(
        tmp_path, "fullrate check nas", "plain,check", point=len("fullrate ch")
    )


@pytest.mark.parametrize(("kind", "expected"), [("file", "compopt -o default"), ("dir", "compopt -o dirnames")])
def test_files_in_bash(tmp_path: Path, kind: str, expected: str) -> None:
    """Bash offers them itself."""
    assert expected in complete(tmp_path, "fullrate diagnose ", f"{kind},")
