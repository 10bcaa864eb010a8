"""`fullrate agent`: the agent as a file, for hosts to which no code may be sent."""

from pathlib import Path

import rich_click as click


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("fullrate-agent.pyz"),
    show_default=True,
    help="The file to write.",
)
def agent(output: Path) -> int:
    """Write the agent as one program, to be installed on hosts to which no code may be sent.

    It needs Python 3.6 or later there and nothing else. Install it, for example, as /usr/local/bin/fullrate-agent.pyz,
    then name that path: fullrate check user@host --agent /usr/local/bin/fullrate-agent.pyz. Each version of fullrate
    wants its own agent and says so. Whoever may run it can run any command as the user it runs as.
    """
    from fullrate.cli.output import emit
    from fullrate.host.zipapp import write_agent

    emit(f"{output}: {write_agent(output)}")
    return 0
