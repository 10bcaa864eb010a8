"""`fullrate demo`: the whole story on a practice network, in under two minutes."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from fullrate.cli import options
from fullrate.cli.exits import FULL, INTERRUPTED, NOT_FULL

if TYPE_CHECKING:
    from fullrate.host.protocol import Host
    from fullrate.records.run import Run

FAULT = "tc-shaper"
_DEADLINE = 120  # seconds: the check between apply and revert takes some 15
SHIPPED = Path(__file__).parents[1] / "data" / "demo.fullrate"  # the demo's broken run, as recorded once


@click.command()
@options.as_json
@options.verbose
def demo(*, as_json: bool, verbose: bool) -> int:
    """Build a practice network, break it, find out why, mend it under guard, put it back, clean up; needs root.

    Exits 0 only when the fault that was put in is the cause that was named first, the change made the link full, and
    was then put back as it was found.
    """
    from fullrate.cli.output import complain
    from fullrate.records.unfinished import Interrupted

    _refuse_without_root()
    try:
        return _story(_Teller(as_json=as_json, verbose=verbose))
    except Interrupted as stopped:
        complain(str(stopped))
        return INTERRUPTED


def _refuse_without_root() -> None:
    if os.geteuid() != 0:
        recorded = f"; without root, look at a recorded one: fullrate diagnose {SHIPPED}" if SHIPPED.is_file() else ""
        raise click.UsageError(f"the demo needs root, because it makes network namespaces: run it with sudo{recorded}")


class _Teller:
    """Tells the story on stdout, or keeps quiet for a reader of JSON; progress goes to stderr."""

    def __init__(self, *, as_json: bool, verbose: bool) -> None:
        self.as_json = as_json
        self._verbose = verbose

    def tell(self, text: str) -> None:
        """Print a part of the story."""
        from fullrate.cli.output import emit

        if not self.as_json:
            emit(f"{text}\n")

    def check(self) -> "Run":
        """The run of `fullrate check lab:`, told."""
        from fullrate.cli.output import as_text
        from fullrate.cli.progress import showing
        from fullrate.workflow import check

        self.tell("$ fullrate check lab:")
        with showing(sys.stderr, verbose=self._verbose) as progress:
            run = check("lab:", progress=progress)
        self.tell(as_text(run))
        return run


def _story(teller: _Teller) -> int:
    from fullrate.host.local import LocalHost
    from fullrate.lab import alone

    with alone("demo"):
        return _acts(LocalHost(), teller)


def _acts(host: "Host", teller: _Teller) -> int:
    from fullrate.lab import down, load_state, up
    from fullrate.records.errors import UsageError

    if load_state(host) is not None:
        raise UsageError("there is a lab already; `fullrate lab down` first, the demo makes its own")
    try:
        teller.tell("$ fullrate lab up\nTwo hosts and a router between them, as network namespaces, at 1 Gbit/s.")
        up(host)
        done = _break_and_mend(host, teller)
    finally:
        down(host)
    teller.tell("$ fullrate lab down\nThe lab is gone; this host is as it was.")
    return FULL if done else NOT_FULL


def _break_and_mend(host: "Host", teller: _Teller) -> bool:
    from fullrate.cli.output import show_run
    from fullrate.lab import break_, faults, heal

    fault = next(each for each in faults() if each.id == FAULT)
    teller.check()
    teller.tell(
        f"Now something goes wrong, and fullrate is not told what.\n$ fullrate lab break {FAULT}\n({fault.doc})"
    )
    break_(host, FAULT)
    run = teller.check()
    found = named_first(run, fault.cause)
    teller.tell(verdict(run, fault.cause))
    mended = found and _mend(run, teller)
    teller.tell("The lab undoes its own fault:\n$ fullrate lab heal")
    heal(host)
    if teller.as_json:
        show_run(run, as_json=True)
    return mended


def _mend(run: "Run", teller: _Teller) -> bool:
    """Whether the change that the run asks for filled the link, and was put back as it was found."""
    from fullrate import changing
    from fullrate.cli._told import told
    from fullrate.records.change import ChangeState
    from fullrate.records.run import State
    from fullrate.report.changes import change_text, plan_text

    plan = changing.plan(run)
    teller.tell(f"$ fullrate plan {run.id}\n{plan_text(plan)}")
    if not plan.steps:
        return False
    done = changing.apply(plan, deadline=_DEADLINE)
    shown = "\n".join(change_text(each, told) for each in done)
    teller.tell(f"$ fullrate apply {plan.id} --deadline {_DEADLINE}\n{shown}")
    full = teller.check().verdict.state is State.FULL
    teller.tell("It helped." if full else "It did not help: the demo has failed.")
    back = changing.revert(plan.id)
    shown = "\n".join(change_text(each, told) for each in back)
    teller.tell(
        f"To keep it one would type: fullrate confirm {plan.id}. Here it is put back, as it would be by itself:\n"
        f"$ fullrate revert {plan.id}\n{shown}"
    )
    return full and all(each.state is ChangeState.REVERTED for each in back)


def named_first(run: "Run", cause: str) -> bool:
    """Whether the verdict and the first finding of a run both name this cause."""
    from fullrate.report.view import problems

    return run.verdict.cause == cause and [finding.cause for finding in problems(run)][:1] == [cause]


def verdict(run: "Run", cause: str) -> str:
    """The moral: whether the fault was found."""
    if not named_first(run, cause):
        return f"The fault is {cause}, but {run.verdict.cause or 'no cause'} was named: the demo has failed."
    return "Found. What would mend it, and what would undo that:"
