"""`fullrate lab`: a practice network on this machine, to be broken and mended at will."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import rich_click as click

from fullrate.cli import completing, options

if TYPE_CHECKING:
    from fullrate.lab import LabState, Task
    from fullrate.records.run import Run
    from fullrate.records.score import Score

_MOST = 1000  # runs; more is a mistyped number
_RUNS = 3  # of each fault: an answer must not depend on chance
_HEALTHY = 10  # checks without a fault
_ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """The lab after `down`, as --json shows it."""

    phase: str = "removed"


@click.group()
def lab() -> None:
    """Practise on a network of namespaces on this machine; needs root.

    The host's own links are not touched. `fullrate check lab:` measures it.
    """


@lab.command()
@options.as_json
def up(*, as_json: bool) -> int:
    """Make the lab, or mend one that is half made."""
    from fullrate.host.local import LocalHost
    from fullrate.lab import alone
    from fullrate.lab import up as make

    with alone("lab up"):
        return _tell(make(LocalHost()), "the lab is up", as_json=as_json)


@lab.command("break")
@click.argument("fault", nargs=-1, required=True, shell_complete=completing.faults)
@options.as_json
def break_(fault: tuple[str, ...], *, as_json: bool) -> int:
    """Put one FAULT or several into the lab; `fullrate lab faults` lists them."""
    from fullrate.host.local import LocalHost
    from fullrate.lab import alone
    from fullrate.lab import break_ as inject

    with alone("lab break"):
        return _tell(inject(LocalHost(), *fault), f"the lab now has the fault {' and '.join(fault)}", as_json=as_json)


@lab.command()
@options.as_json
def heal(*, as_json: bool) -> int:
    """Take every fault out of the lab."""
    from fullrate.host.local import LocalHost
    from fullrate.lab import alone
    from fullrate.lab import heal as mend

    with alone("lab heal"):
        return _tell(mend(LocalHost()), "the lab is whole", as_json=as_json)


@lab.command()
@options.as_json
def down(*, as_json: bool) -> int:
    """Remove the lab and all it made."""
    from fullrate.cli.output import emit, show_record
    from fullrate.host.local import LocalHost
    from fullrate.lab import alone
    from fullrate.lab import down as remove

    with alone("lab down"):
        remove(LocalHost())
    if as_json:
        show_record(Removed())
    else:
        emit("the lab is gone")
    return 0


@lab.command()
@options.as_json
def faults(*, as_json: bool) -> int:
    """List the faults."""
    from fullrate.cli.output import emit, show_record
    from fullrate.lab import faults as known

    if as_json:
        show_record(known())
    else:
        emit("\n".join(f"{fault.id:<28}{fault.doc}" for fault in known()))
    return 0


@lab.command()
@click.option(
    "--runs", type=click.IntRange(1, _MOST), help="How often each fault is put in; unless given, 3 times, a pair once."
)
@click.option(
    "--healthy",
    type=click.IntRange(0, _MOST),
    help="Checks without a fault; unless given, 10, and none for some faults only.",
)
@click.option(
    "--faults",
    "names",
    metavar="LIST",
    help="Only these, with commas between, or `all`; unless given, one or two for each cause.",
    shell_complete=completing.faults,
)
@click.option("--pairs", is_flag=True, help="Two faults at a time: the larger one must be named.")
@options.as_json
def score(*, runs: int | None, healthy: int | None, names: str | None, pairs: bool, as_json: bool) -> int:
    """Break the lab by one fault after the other, check it, and count how often the cause is named.

    A fault counts when plain iperf3 shows that it costs a fifth of the rate. Exits 0 when every answer was right.
    Takes about 20 minutes, and is fair only while the machine does nothing else.
    """
    from fullrate.cli.exits import FULL, NOT_FULL
    from fullrate.cli.output import emit, show_record, terminal_width, wants_colour
    from fullrate.report.score import render_score

    whole = names is None and not pairs
    times = runs or (1 if pairs else _RUNS)
    calm = healthy if healthy is not None else (_HEALTHY if whole else 0)
    result = _scored(_tasks(names, pairs=pairs), runs=times, healthy=calm)
    if as_json:
        show_record(result)
    else:
        emit(render_score(result, terminal_width(), colour=wants_colour()))
    return FULL if result.perfect else NOT_FULL


def _tasks(names: str | None, *, pairs: bool) -> "tuple[Task, ...]":
    """What is to be scored; of pairs those that hold a fault named."""
    from fullrate.lab import PAIRS, doubles, singles
    from fullrate.lab import faults as known

    every = names == _ALL or (pairs and names is None)
    asked = [fault.id for fault in known() if fault.core or every]
    if names is not None and not every:
        asked = [name for name in names.split(",") if name]
    found = singles(asked)
    return doubles(pair for pair in PAIRS if {pair.larger, pair.smaller} & {*asked}) if pairs else found


def _scored(tasks: "tuple[Task, ...]", *, runs: int, healthy: int) -> "Score":
    from fullrate.cli.progress import Lines
    from fullrate.host.clock import SystemClock
    from fullrate.host.local import LocalHost
    from fullrate.lab import Exam, alone, practising
    from fullrate.lab import score as examine

    host = LocalHost()
    with alone("lab score"), practising(host):
        exam = Exam(host=host, check=_checked, clock=SystemClock(), progress=Lines(sys.stderr))
        return examine(exam, tasks, runs=runs, healthy=healthy)


def _checked(target: str, udp: float | None) -> "Run":
    """The run of `fullrate check`; Ctrl-C ends the whole scoring, it is no answer."""
    from fullrate.records.unfinished import Interrupted
    from fullrate.workflow import check

    try:
        return check(target, udp=udp)
    except Interrupted as stopped:
        raise KeyboardInterrupt from stopped


def _tell(state: "LabState", sentence: str, *, as_json: bool) -> int:
    from fullrate.cli.output import emit, show_record

    if as_json:
        show_record(state)
    else:
        emit(f"{sentence}; `fullrate check lab:{_asked(state)}` tests its link {state.link}")
    return 0


def _asked(state: "LabState") -> str:
    """The option of a check that shows the lab's faults, where they show in UDP only."""
    from fullrate.lab import faults as known
    from fullrate.records.units import MEGABIT

    udp = next((fault.udp for fault in known() if fault.id in state.faults and fault.udp is not None), None)
    return "" if udp is None else f" --udp {udp / MEGABIT:.0f}M"
