"""Options that several verbs share, and the forms of their values."""

import functools
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypedDict, TypeVar

import rich_click as click

from fullrate.cli import completing
from fullrate.records.target import Access
from fullrate.records.units import parse_rate

_PORT = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")
_LAST_PORT = 65535
_MOST_PORTS = 100  # more is a mistyped range

F = TypeVar("F", bound=Callable[..., object])


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


def as_texts(context: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The words as written, each as `as_text`."""
    return tuple(text for value in values if (text := as_text(context, param, value)) is not None)


def as_address(_: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """The IPv4 or IPv6 address as written."""
    import ipaddress

    try:
        ipaddress.ip_address("::" if value is None else value)
    except ValueError as wrong:
        message = f"{value!r} is no address; write it like 192.0.2.1 or 2001:db8::1"
        raise click.BadParameter(message, param=param) from wrong
    return value


def as_ports(_: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """The ports of a port or a range: 5201, 5201-5210."""
    if value is None:
        return None
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


def _no_stdout(context: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    if value is not None and str(value) == "-":
        message = "stdout is for the answer; name a file, a FIFO, or /dev/fd/3 with 3>&1 or the like"
        raise click.BadParameter(message, param=param)
    return _in_a_folder(context, param, value)


target = click.argument("target", required=False, shell_complete=completing.targets)
near = click.option(
    "--from",
    "near",
    metavar="TARGET",
    shell_complete=completing.targets,
    help="The near end, when it is not this host.",
)
output = click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_in_a_folder,
    help="Keep the whole run in this file, a zip, or by its name a .tar.gz.",
)
redact = click.option(
    "--redact",
    is_flag=True,
    help="In the file of -o, replace what names hosts and people: names, addresses, serial numbers, keys.",
)
on_host = click.option(
    "--on",
    "target",
    metavar="TARGET",
    shell_complete=completing.targets,
    help="The host it is on; unless given all of its plan, or this one where no such plan is known.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
events = click.option(
    "--events",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_no_stdout,
    help="Write what happens, at once, one JSON object a line, to this file, FIFO or /dev/fd/N; never to stdout.",
)
udp = click.option(
    "--udp", metavar="RATE", callback=as_rate, help="Test with UDP at this rate each way: does it arrive, without loss?"
)
verbose = click.option("--verbose", is_flag=True, help="Say on stderr what is done, also when it is no terminal.")


class Job(TypedDict):
    """What `measuring` hands to a verb, and the verb to the library."""

    near: str | None
    access: Access
    interface: str | None
    bind: str | None
    family: int | None
    link_speed: float | None
    ports: tuple[int, ...] | None
    allow_load: bool
    max_rate: float | None
    max_seconds: int | None
    output: Path | None
    redact: bool


_MEASURING = (
    near,
    click.option("--interface", metavar="NAME", callback=as_text, help="The link of the near end to test."),
    click.option("--bind", metavar="ADDRESS", callback=as_address, help="The near end's address to test from."),
    click.option("-4", "family", flag_value=4, type=int, help="Test over IPv4."),
    click.option("-6", "family", flag_value=6, type=int, help="Test over IPv6."),
    click.option(
        "--link-speed", metavar="RATE", callback=as_rate, help="The promised rate, where the driver cannot know it."
    ),
    click.option(
        "--port",
        "ports",
        metavar="RANGE",
        callback=as_ports,
        help="Ports for the traffic; unless given 5201-5210, to an iperf3:// server 5201.",
    ),
    click.option("--allow-load", is_flag=True, help="Send even when the link carries other traffic."),
    click.option("--max-rate", metavar="RATE", callback=as_rate, help="Never send more than this."),
    click.option(
        "--max-seconds",
        type=click.IntRange(1, 3600),
        help="The longest single test; unless given 20, to an iperf3:// server 10.",
    ),
    output,
    redact,
)


def measuring(verb: F) -> Callable[..., object]:
    """The verb with the options of those that send traffic."""
    return functools.reduce(lambda made, option: option(made), reversed(_MEASURING), reaching(verb))


def reaching(verb: F) -> Callable[..., object]:
    """The verb with the options that say how a host over SSH is used."""

    @click.option("--sudo", is_flag=True, help="Become root with sudo on hosts over SSH; it must ask for no password.")
    @click.option(
        "--agent",
        metavar="PATH",
        default="",
        callback=as_text,
        help="Run the agent installed there (fullrate agent makes it) on hosts over SSH; send them no code.",
    )
    @functools.wraps(verb)
    def with_access(*args: object, sudo: bool, agent: str, **others: object) -> object:
        return verb(*args, access=Access(sudo=sudo, agent=agent), **others)

    return with_access


def asking(make_way: Callable[[], None]) -> Callable[[str], bool]:
    """A question to the person at the terminal; the answer is no when nobody is there to give one."""

    def ask(question: str) -> bool:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        from fullrate.report.words import neutral

        make_way()
        return click.confirm(neutral(question), err=True)

    return ask
