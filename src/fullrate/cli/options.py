"""Options that several verbs share, and the forms of their values."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import rich_click as click

from fullrate.records.units import parse_rate

_PORT = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")
_LAST_PORT = 65535
_MOST_PORTS = 100  # more is a mistyped range


def as_rate(_: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """Bits per second of a rate as people write it: 1G, 2.5G, 100M."""
    try:
        return None if value is None else parse_rate(value)
    except ValueError as wrong:
        raise click.BadParameter(str(wrong), param=param) from wrong


def as_text(_: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """The word as written: one that is no UTF-8 could stand in no document."""
    try:
        (value or "").encode()
    except UnicodeEncodeError as wrong:
        raise click.BadParameter(f"{value!r} is no UTF-8 text", param=param) from wrong
    return value


def as_ports(_: click.Context, param: click.Parameter, value: str) -> tuple[int, ...]:
    """The ports of a port or a range: 5201, 5201-5210."""
    match = _PORT.fullmatch(value)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last <= _LAST_PORT or last - first >= _MOST_PORTS:
        raise click.BadParameter(f"{value!r} is no port range; write it like 5201 or 5201-5210", param=param)
    return tuple(range(first, last + 1))


def _in_a_folder(_: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    # Said before the measurement, not after it.
    if value is not None and not value.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {value.parent}", param=param)
    return value


near = click.option("--from", "near", metavar="TARGET", help="The near end, when it is not this host.")
output = click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_in_a_folder,
    help="Keep the whole run in this file.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
verbose = click.option("--verbose", is_flag=True, help="Say on stderr what is done, also when it is no terminal.")


def asking(make_way: Callable[[], None]) -> Callable[[str], bool]:
    """A question to the person at the terminal; the answer is no when nobody is there to give one."""

    def ask(question: str) -> bool:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        from fullrate.report.words import neutral

        make_way()
        return click.confirm(neutral(question), err=True)

    return ask
