"""`fullrate lab`: a practice network on this machine, to be broken and mended at will."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import rich_click as click

from fullrate.cli import options

if TYPE_CHECKING:
    from fullrate.lab import LabState


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
    from fullrate.lab import up as make

    return _tell(make(LocalHost()), "the lab is up", as_json=as_json)


@lab.command("break")
@click.argument("fault")
@options.as_json
def break_(fault: str, *, as_json: bool) -> int:
    """Put a FAULT into the lab; `fullrate lab faults` lists them."""
    from fullrate.host.local import LocalHost
    from fullrate.lab import break_ as inject

    return _tell(inject(LocalHost(), fault), f"the lab now has the fault {fault}", as_json=as_json)


@lab.command()
@options.as_json
def heal(*, as_json: bool) -> int:
    """Take the fault out of the lab."""
    from fullrate.host.local import LocalHost
    from fullrate.lab import heal as mend

    return _tell(mend(LocalHost()), "the lab is whole", as_json=as_json)


@lab.command()
@options.as_json
def down(*, as_json: bool) -> int:
    """Remove the lab and all it made."""
    from fullrate.cli.output import emit, show_record
    from fullrate.host.local import LocalHost
    from fullrate.lab import down as remove

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


def _tell(state: "LabState", sentence: str, *, as_json: bool) -> int:
    from fullrate.cli.output import emit, show_record

    if as_json:
        show_record(state)
    else:
        emit(f"{sentence}; `fullrate check lab:` tests its link {state.link}")
    return 0
