"""`fullrate diagnose`: the same diagnosis, offline."""

from collections.abc import Callable
from pathlib import Path

import rich_click as click

from fullrate.cli import options

_PATH = click.Path(path_type=Path)


def _more(name: str, text: str) -> Callable[[options.F], options.F]:
    return click.option(name, metavar="PATH", multiple=True, type=_PATH, help=text)


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, type=_PATH)
@_more("--near", "What is in there is of the near end, the client of a test.")
@_more("--far", "What is in there is of the far end.")
@_more("--before", "Counters in there were read before the test.")
@_more("--after", "Counters in there were read after the test.")
@click.option("--link-speed", metavar="RATE", callback=options.as_rate, help="How fast the link should be.")
@options.as_json
def diagnose(  # noqa: PLR0913 - the options of the verb, all keywords
    paths: tuple[Path, ...],
    *,
    near: tuple[Path, ...],
    far: tuple[Path, ...],
    before: tuple[Path, ...],
    after: tuple[Path, ...],
    link_speed: float | None,
    as_json: bool,
) -> int:
    """Diagnose what was kept or copied; nothing is asked of any host.

    PATH is a bundle that check -o or collect -o wrote, a sosreport, a folder or an archive of command outputs, or a
    text with the outputs of several commands, as pasted into a forum; - reads the standard input.

    The name of a file may say what is in it: ethtool-S_eth0_before.txt, proc_interrupts.txt, iperf3_client.txt.
    """
    from fullrate.cli.output import show_run
    from fullrate.workflow import diagnose as diagnose_given

    run = diagnose_given(paths, near=near, far=far, before=before, after=after, link_speed=link_speed)
    return show_run(run, as_json=as_json)
