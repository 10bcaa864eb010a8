"""`fullrate measure`: only the numbers."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import rich_click as click

from fullrate.cli import options
from fullrate.records.numbers import Profile

if TYPE_CHECKING:
    from fullrate.records.run import Run


@click.command()
@options.target
@options.measuring
@options.udp
@click.option(
    "--profile",
    type=click.Choice([str(profile) for profile in Profile]),
    default=str(Profile.QUICK),
    show_default=True,
    help="Which tests: one flow each way; all kinds; more flows; an hour; small packets; answer times; processes.",
)
@click.option(
    "--test",
    "tests",
    metavar="WORDS",
    multiple=True,
    callback=options.as_texts,
    help="A test instead of a profile's, like tcp,streams=8,way=back; may be given several times.",
)
@click.option(
    "--disk",
    "disks",
    metavar="PATH",
    multiple=True,
    callback=options.as_texts,
    help="Write and read a file of 1 GB in this folder of TARGET too, by fio; near:PATH is one of this end.",
)
@click.option("--repeat", type=click.IntRange(1, 1000), help="How often each test is made, in turn with the others.")
@options.as_json
@options.events
@options.verbose
def measure(  # noqa: PLR0913 - the options of the verb
    target: str | None,
    *,
    as_json: bool,
    verbose: bool,
    udp: float | None,
    profile: str,
    tests: tuple[str, ...],
    disks: tuple[str, ...],
    repeat: int | None,
    events: Path | None,
    **job: Unpack[options.Job],
) -> int:
    """Measure the link to TARGET; look for no causes.

    TARGET is written as for check. Without options one flow is measured each way; --profile full measures what several
    flows and both directions at once carry, how long answers take, how much UDP arrives, and what each host does by
    itself. A test in words begins with tcp, udp, udp-capacity, requests, udp-requests or path-mtu, and has options:
    streams, processes, pin=auto, way=out|back|both, load=out|back|both, within=near|far, rate, write, datagram, buffer,
    cc, seconds, skip-copy, program. With --repeat 3 or more later tests are compared with the first.

    What was read meanwhile is kept with -o FILE: fullrate diagnose FILE says why.
    """
    from fullrate.cli.progress import showing
    from fullrate.cli.running import deliver
    from fullrate.workflow import measure as measure_link

    if target is None:
        raise click.UsageError("name a TARGET to measure to")

    def work() -> "Run":
        with showing(sys.stderr, verbose=verbose, events=events) as progress:
            confirm = options.asking(progress.clear)
            return measure_link(
                target,
                profile=profile,
                tests=tests,
                disks=disks,
                repeat=repeat,
                udp=udp,
                progress=progress,
                confirm=confirm,
                **job,
            )

    return deliver(work, as_json=as_json)
