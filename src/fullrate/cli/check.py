"""`fullrate check`: is the link full, and if not, why?"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import rich_click as click

from fullrate.cli import options

if TYPE_CHECKING:
    from fullrate.records.run import Run


@click.command()
@options.target
@options.measuring
@options.udp
@options.as_json
@options.events
@options.verbose
def check(
    target: str | None,
    *,
    as_json: bool,
    verbose: bool,
    udp: float | None,
    events: Path | None,
    **job: Unpack[options.Job],
) -> int:
    """Measure the link to TARGET in both directions and say why it is not full.

    Without a TARGET nothing is sent: every physical link of this host (or of --from) is looked at, its settings and
    five seconds of its counters.

    TARGET is user@host, netns:NAME, lab: (the practice network) or iperf3://host[:port], a server on a host that
    cannot be read. Nothing is changed on either host.
    """
    from fullrate.cli.progress import showing
    from fullrate.cli.running import deliver
    from fullrate.workflow import check as check_link
    from fullrate.workflow import look

    def work() -> "Run":
        with showing(sys.stderr, verbose=verbose, events=events) as progress:
            if target is None:
                where, access, output, redact = job["interface"], job["access"], job["output"], job["redact"]
                return look(
                    job["near"], access=access, interface=where, output=output, redact=redact, progress=progress
                )
            confirm = options.asking(progress.clear)
            return check_link(target, **job, udp=udp, progress=progress, confirm=confirm)

    return deliver(work, as_json=as_json)
