"""The pages of docs/examples, with inputs and answers as they are now; run as a program it writes them anew.

A block `text FILE` holds that file; a block `console` a command of fullrate, run in the folder, and what it prints.
"""

import contextlib
import io
import os
import re
import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "examples"
_BLOCK = re.compile(r"^```(?P<kind>text|console)(?: (?P<file>\S+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = '; echo "exit $?"'


def pages() -> list[Path]:
    """Every example."""
    return sorted(FOLDER.glob("[0-9]*.md"))


def made(text: str) -> str:
    """The page with what its files hold and its commands print now."""
    return _BLOCK.sub(_filled, text)


def inputs(text: str) -> list[str]:
    """The files that a page shows."""
    return [found["file"] for found in _BLOCK.finditer(text) if found["file"]]


def commands(text: str) -> list[str]:
    """The commands that a page shows."""
    return [_command(found) for found in _BLOCK.finditer(text) if found["kind"] == "console"]


def _command(found: re.Match[str]) -> str:
    return found["body"].partition("\n")[0].removeprefix("$ ")


def _filled(found: re.Match[str]) -> str:
    if found["file"]:
        return f"```text {found['file']}\n{(FOLDER / found['file']).read_text()}```"
    command = _command(found)
    return f"```console\n$ {command}\n{_answer(command)}```"


def _answer(command: str) -> str:
    """What a command prints into a pipe, and its exit code where the command shows that."""
    from fullrate.cli.main import main

    with contextlib.chdir(FOLDER), contextlib.redirect_stdout(io.StringIO()) as printed:
        code = main(shlex.split(command.removesuffix(_CODE))[1:])
    return printed.getvalue() + (f"exit {code}\n" if command.endswith(_CODE) else "")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "src"))
    os.environ.setdefault("TERM", "dumb")
    for page in pages():
        page.write_text(made(page.read_text()))
