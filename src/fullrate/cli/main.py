"""The command `fullrate`: finds the verb, runs it, and turns whatever went wrong into one sentence and an exit code."""

import importlib
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

import rich_click as click

from fullrate.cli.exits import FAULT, INTERRUPTED, USAGE, error_code
from fullrate.cli.output import complain
from fullrate.records.errors import FullrateError
from fullrate.version import __version__

VERBS = {
    "check": "fullrate.cli.check",
    "measure": "fullrate.cli.measure",
    "collect": "fullrate.cli.collect",
    "diagnose": "fullrate.cli.diagnose",
    "plan": "fullrate.cli.plan",
    "apply": "fullrate.cli.apply",
    "confirm": "fullrate.cli.confirm",
    "revert": "fullrate.cli.revert",
    "recover": "fullrate.cli.recover",
    "changes": "fullrate.cli.changes",
    "score": "fullrate.cli.score",
    "explain": "fullrate.cli.explain",
    "doctor": "fullrate.cli.doctor",
    "agent": "fullrate.cli.agent",
    "lab": "fullrate.cli.lab",
    "demo": "fullrate.cli.demo",
    "completion": "fullrate.cli.completion",
    "manual": "fullrate.cli.manual",
}
DEBUG = "FULLRATE_DEBUG"


class LazyGroup(click.RichGroup):
    """A group whose verbs are imported when they are named: starting costs no more than the verb needs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Every verb, in the order of the table."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - the same
        """The command of a verb; None when there is no such verb."""
        if cmd_name not in VERBS:
            return None
        command: object = getattr(importlib.import_module(VERBS[cmd_name]), cmd_name)
        return command if isinstance(command, click.Command) else None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fullrate")
def app() -> None:
    """Find out why a Linux host does not fill its network link.

    Exit codes: 0 full, or nothing found; 1 not full, or a problem found; 2 usage; 3 undecided; 4 refused, or a change
    put back; 5 internal fault.
    """


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of one command line."""
    _end_in_order()
    try:
        result: object = app.main(args=argv, prog_name="fullrate", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.ClickException as wrong:
        return _usage(wrong)
    except (click.Abort, KeyboardInterrupt):
        complain("stopped; nothing of it is left running")
        return INTERRUPTED
    except FullrateError as wrong:
        complain(str(wrong))
        return error_code(wrong)
    except Exception as fault:  # noqa: BLE001 - the last resort of the whole program
        return _fault(fault)


def _end_in_order() -> None:
    # A lost terminal or a plain `kill` ends like Ctrl-C does: what was started is ended, what was made is removed.
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _leave)


def _leave(number: int, _: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


def _usage(wrong: click.ClickException) -> int:
    context = getattr(wrong, "ctx", None)
    hint = f"; see {context.command_path} --help" if isinstance(context, click.Context) else ""
    complain(wrong.format_message().rstrip(".") + hint)
    return USAGE


def _fault(fault: Exception) -> int:
    if os.environ.get(DEBUG):
        traceback.print_exception(fault)
    complain(
        f"internal fault: {type(fault).__name__}: {fault}; this is our mistake: please report it with what "
        f"{DEBUG}=1 prints"
    )
    return FAULT
