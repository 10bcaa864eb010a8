"""`fullrate lab`: a practice network on this machine, to be broken and mended at will."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import rich_click as click

from fullrate.cli import completing, options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fullrate.lab import Fault, LabState, Task
    from fullrate.lab.guest import GuestState
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


_guest = click.option("--guest", is_flag=True, help="In the hardware lab.")


@click.group()
def lab() -> None:
    """Practise on a network of namespaces on this machine; needs root.

    The host's own links are not touched. `fullrate check lab:` measures it.
    """


@lab.command()
@click.option("--guest", is_flag=True, help="The hardware lab: an emulated machine with drivers of real NICs.")
@click.option("--generation", metavar="NAME", help="Of the guest's Debian: debian13 (default) or debian12.")
@click.option(
    "--nic", "models", metavar="LIST", help="The guest's cards, a pair each: igb,e1000e,vmxnet3,e1000,virtio."
)
@options.as_json
def up(*, guest: bool, generation: str | None, models: str | None, as_json: bool) -> int:
    """Make the lab, or mend one that is half made.

    With --guest the hardware lab: QEMU emulates a machine with pairs of NICs, wired back to back between two ends,
    guest:a and guest:b. The first time it downloads a Debian and its kernel: some minutes, two gigabytes in /var/tmp.
    """
    from fullrate.host.local import LocalHost
    from fullrate.lab import alone
    from fullrate.lab import up as make

    if guest:
        return _guest_up(generation, models, as_json=as_json)
    if generation or models:
        raise click.UsageError("--generation and --nic go with --guest")
    with alone("lab up"):
        return _tell(make(LocalHost()), "the lab is up", as_json=as_json)


def _guest_up(generation: str | None, models: str | None, *, as_json: bool) -> int:
    from fullrate.cli.output import emit, show_record
    from fullrate.host.local import LocalHost
    from fullrate.lab import alone
    from fullrate.lab.guest import GENERATIONS, MODELS
    from fullrate.lab.guest import up as make
    from fullrate.records.units import MEGABIT

    names = tuple(models.split(",")) if models else tuple(MODELS)
    with alone("lab up --guest"):
        state = make(LocalHost(), generation or GENERATIONS[0], names)
    if as_json:
        show_record(state)
        return 0
    wires = ", ".join(f"guest:{wire.model}" for wire in state.wires)
    emit(
        f"the guest is up ({state.generation}), its wires at {state.speed / MEGABIT:.0f} Mbit/s: fullrate check {wires}"
    )
    return 0


@lab.command("break")
@click.argument("fault", nargs=-1, required=True, shell_complete=completing.faults)
@_guest
@options.as_json
def break_(fault: tuple[str, ...], *, guest: bool, as_json: bool) -> int:
    """Put one FAULT or several into the lab; `fullrate lab faults` lists them."""
    from fullrate.host.local import LocalHost
    from fullrate.lab import alone
    from fullrate.lab import break_ as inject

    if guest:
        from fullrate.lab.guest import break_guest

        with alone("lab break --guest"):
            state = break_guest(LocalHost(), *fault)
        return _tell_guest(state, f"the guest now has the fault {' and '.join(fault)}", as_json=as_json)
    with alone("lab break"):
        return _tell(inject(LocalHost(), *fault), f"the lab now has the fault {' and '.join(fault)}", as_json=as_json)


@lab.command()
@_guest
@options.as_json
def heal(*, guest: bool, as_json: bool) -> int:
    """Take every fault out of the lab."""
    from fullrate.host.local import LocalHost
    from fullrate.lab import alone
    from fullrate.lab import heal as mend

    if guest:
        from fullrate.lab.guest import heal_guest

        with alone("lab heal --guest"):
            return _tell_guest(heal_guest(LocalHost()), "the guest is whole", as_json=as_json)
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
    from fullrate.lab.guest import down as remove_guest

    with alone("lab down"):
        remove(LocalHost())
        remove_guest(LocalHost())
    if as_json:
        show_record(Removed())
    else:
        emit("the lab is gone")
    return 0


@lab.command()
@_guest
@options.as_json
def faults(*, guest: bool, as_json: bool) -> int:
    """List the faults."""
    from fullrate.cli.output import emit, show_record
    from fullrate.lab import faults as known
    from fullrate.lab.guest import guest_faults

    found = guest_faults() if guest else known()
    if as_json:
        show_record(found)
    else:
        emit("\n".join(f"{fault.id:<28}{fault.doc}" for fault in found))
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
@click.option("--guest", is_flag=True, help="In the hardware lab, which is made where it is not there.")
@click.option("--generation", metavar="NAME", help="Of the guest's Debian: debian13 (default) or debian12.")
@options.as_json
def score(  # noqa: PLR0913 - the options, all keywords
    *,
    runs: int | None,
    healthy: int | None,
    names: str | None,
    pairs: bool,
    guest: bool,
    generation: str | None,
    as_json: bool,
) -> int:
    """Break the lab by one fault after the other, check it, and count how often the cause is named.

    A fault counts when plain iperf3 shows that it costs a fifth of the rate. Exits 0 when every answer was right.
    Takes about 20 minutes, and is fair only while the machine does nothing else.
    """
    from fullrate.cli.exits import FULL, NOT_FULL
    from fullrate.cli.output import emit, show_record, terminal_width, wants_colour
    from fullrate.report.score import render_score

    if (guest and pairs) or (generation and not guest):
        raise click.UsageError("--pairs goes without --guest, --generation with it")
    whole = names is None and not pairs
    times = runs or (1 if pairs else _RUNS)
    calm = healthy if healthy is not None else (_HEALTHY if whole else 0)
    if guest:
        result = _scored_in_guest(names, generation, runs=times, healthy=calm)
    else:
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

    asked = _asked_for(known(), names, every=names == _ALL or (pairs and names is None))
    found = singles(asked)
    return doubles(pair for pair in PAIRS if {pair.larger, pair.smaller} & {*asked}) if pairs else found


def _asked_for(known: "Iterable[Fault]", names: str | None, *, every: bool) -> list[str]:
    """The faults named; unless some are, the core ones."""
    if names is not None and not every:
        return [name for name in names.split(",") if name]
    return [fault.id for fault in known if fault.core or every]


def _scored_in_guest(names: str | None, generation: str | None, *, runs: int, healthy: int) -> "Score":
    from fullrate.cli.progress import Lines
    from fullrate.host.clock import SystemClock
    from fullrate.host.local import LocalHost
    from fullrate.lab import Exam, alone
    from fullrate.lab import score as examine
    from fullrate.lab.guest import GENERATIONS, guest_faults, guest_tasks, practising_in_guest

    tasks = guest_tasks(_asked_for(guest_faults(), names, every=names == _ALL))
    with alone("lab score --guest"), practising_in_guest(LocalHost(), generation or GENERATIONS[0]) as ground:
        exam = Exam(ground=ground, check=_checked, clock=SystemClock(), progress=Lines(sys.stderr))
        return examine(exam, tasks, runs=runs, healthy=healthy)


def _scored(tasks: "tuple[Task, ...]", *, runs: int, healthy: int) -> "Score":
    from fullrate.cli.progress import Lines
    from fullrate.host.clock import SystemClock
    from fullrate.host.local import LocalHost
    from fullrate.lab import Exam, alone, namespaces, practising
    from fullrate.lab import score as examine

    host = LocalHost()
    with alone("lab score"), practising(host):
        exam = Exam(ground=namespaces(host), check=_checked, clock=SystemClock(), progress=Lines(sys.stderr))
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


def _tell_guest(state: "GuestState", sentence: str, *, as_json: bool) -> int:
    from fullrate.cli.output import emit, show_record

    if as_json:
        show_record(state)
    else:
        emit(f"{sentence}; `fullrate check guest:` tests its wire {state.link or state.wires[0].model}")
    return 0


def _asked(state: "LabState") -> str:
    """The option of a check that shows the lab's faults, where they show in UDP only."""
    from fullrate.lab import faults as known
    from fullrate.records.units import MEGABIT

    udp = next((fault.udp for fault in known() if fault.id in state.faults and fault.udp is not None), None)
    return "" if udp is None else f" --udp {udp / MEGABIT:.0f}M"
