"""`fullrate check`: is the link full, and if not, why?"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import rich_click as click

from fullrate.cli import options

if TYPE_CHECKING:
    from fullrate.records.run import Run


class _Job(TypedDict):
    near: str | None
    interface: str | None
    bind: str | None
    family: int | None
    link_speed: float | None
    ports: tuple[int, ...]
    allow_load: bool
    max_rate: float | None
    max_seconds: int
    output: Path | None


@click.command()
@click.argument("target", required=False)
@options.near
@click.option("--interface", metavar="NAME", callback=options.as_text, help="The link of the near end to test.")
@click.option("--bind", metavar="ADDRESS", callback=options.as_text, help="The near end's address to test from.")
@click.option("-4", "family", flag_value=4, type=int, help="Test over IPv4.")
@click.option("-6", "family", flag_value=6, type=int, help="Test over IPv6.")
@click.option(
    "--link-speed", metavar="RATE", callback=options.as_rate, help="The promised rate, where the driver cannot know it."
)
@click.option(
    "--port",
    "ports",
    metavar="RANGE",
    callback=options.as_ports,
    default="5201-5210",
    show_default=True,
    help="Ports for the traffic.",
)
@click.option("--allow-load", is_flag=True, help="Send even when the link carries other traffic.")
@click.option("--max-rate", metavar="RATE", callback=options.as_rate, help="Never send more than this.")
@click.option(
    "--max-seconds", type=click.IntRange(1, 3600), default=20, show_default=True, help="The longest single test."
)
@options.output
@options.as_json
@options.verbose
def check(target: str | None, *, as_json: bool, verbose: bool, **job: Unpack[_Job]) -> int:
    """Measure the link to TARGET in both directions and say why it is not full.

    TARGET is user@host, netns:NAME or lab: (the practice network). Nothing is changed on either host. To look
    without sending traffic use `fullrate collect`.
    """
    from fullrate.cli.progress import showing
    from fullrate.cli.running import deliver
    from fullrate.workflow import check as check_link

    if target is None:
        raise click.UsageError("name a TARGET to measure to; `fullrate collect` looks at this host without traffic")

    def work() -> "Run":
        with showing(sys.stderr, verbose=verbose) as progress:
            confirm = options.asking(progress.clear)
            return check_link(target, **job, progress=progress, confirm=confirm)

    return deliver(work, as_json=as_json)
