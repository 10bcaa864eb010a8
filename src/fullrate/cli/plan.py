"""`fullrate plan`: what would be changed, with risk and undo; touches nothing."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import rich_click as click

from fullrate.cli import options
from fullrate.cli.exits import FULL, REFUSED, UNDECIDED

if TYPE_CHECKING:
    from fullrate.records.plan import Plan
    from fullrate.records.run import Run

_REACHING = frozenset({"near", "access"})  # which hosts, and how; the other options are of a test


@click.command()
@click.argument("what", metavar="[RUN|PLAN|TARGET]", required=False, callback=options.as_text)
@click.option(
    "--set",
    "settings",
    metavar="KNOB@SUBJECT=VALUE",
    multiple=True,
    callback=options.as_texts,
    help="Plan this setting, like nic.ring.rx@eth0=4096 (once for each); measure nothing.",
)
@click.option("--script", is_flag=True, help="Print a shell script that makes the changes, and undoes them.")
@options.measuring
@options.as_json
@options.verbose
def plan(
    what: str | None,
    *,
    settings: tuple[str, ...],
    script: bool,
    as_json: bool,
    verbose: bool,
    **job: Unpack[options.Job],
) -> int:
    """Print the changes that would mend what RUN found: commands, risk, undo. Touches nothing.

    RUN is the name of a kept run, or its file; PLAN the name of a kept plan, or its file. A TARGET is checked first,
    with traffic; with --set it is only read (this host, when none is named). What cannot be put back exactly, or what
    somebody else sets (tuned, irqbalance, NetworkManager, ...), is refused, with the reason.

    Exits 0 when there is a plan, or nothing to change; 4 when all of it was refused, 3 when a host could not be read.
    """
    if script and as_json:
        raise click.UsageError("--script or --json, not both")
    made = _made(what, settings, job, verbose=verbose)
    _tell(made, script=script, as_json=as_json)
    return _code(made)


def _code(made: "Plan") -> int:
    if made.steps:
        return FULL
    if any(host.refused for host in made.hosts):
        return REFUSED
    return UNDECIDED if any(host.unreachable for host in made.hosts) else FULL


def _made(what: str | None, settings: tuple[str, ...], job: options.Job, *, verbose: bool) -> "Plan":
    from fullrate import changing, plans

    if settings:
        _see_unused(job, _REACHING, "with --set nothing is tested")
        if what is not None and job["near"] is not None:
            raise click.UsageError("--set is for one host: name it once, without --from")
        return changing.plan_settings(what or job["near"], settings, access=job["access"])
    if what is None:
        raise click.UsageError("name a run, a plan or a target, or a setting with --set")
    kept = plans.known(what)
    if kept is not None:
        _see_unused(job, frozenset(), f"{what} is a plan: it is shown as it was made")
        return kept
    return changing.plan(_run(what, job, verbose=verbose), access=job["access"])


def _run(what: str, job: options.Job, *, verbose: bool) -> "Run":
    """The run of that name or in that file, or a new one to that target."""
    from fullrate import runs
    from fullrate.cli.progress import showing
    from fullrate.workflow import check, diagnose

    for path in (runs.folder() / f"{what}{runs.SUFFIX}", Path(what)):
        if os.path.isfile(path):  # noqa: PTH113 - a name that is too long is none
            _see_unused(job, frozenset({"access"}), f"{what} is a run: it is not made anew")
            return diagnose([path])
    if runs.is_id(what):
        raise click.UsageError(f"no run or plan {what} is kept here: name its file")
    with showing(sys.stderr, verbose=verbose) as progress:
        return check(what, **job, progress=progress, confirm=options.asking(progress.clear))


def _see_unused(job: options.Job, used: frozenset[str], why: str) -> None:
    """Raise UsageError where an option of a test is given and would say nothing."""
    from fullrate.records.target import PLAIN

    given = {name for name, value in job.items() if value not in (None, False, PLAIN)} - used
    if given:
        names = ", ".join(sorted(_option(name) for name in given))
        raise click.UsageError(f"{why}, so {names} would do nothing")


def _option(name: str) -> str:
    """The option of a parameter, as a person types it."""
    special = {"near": "--from", "access": "--sudo or --agent", "family": "-4 or -6", "ports": "--port"}
    return special.get(name, f"--{name.replace('_', '-')}")


def _tell(made: "Plan", *, script: bool, as_json: bool) -> None:
    from fullrate.cli.output import emit, terminal_width, wants_colour
    from fullrate.planning import as_script, encode_plan
    from fullrate.report.changes import plan_text

    if as_json:
        emit(encode_plan(made).decode())
    elif script:
        emit(as_script(made))
    else:
        emit(plan_text(made, terminal_width(), colour=wants_colour()))
