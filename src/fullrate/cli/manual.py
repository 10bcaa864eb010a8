"""`fullrate manual`: the manual page, made from the definitions of the command line."""

import re
from collections.abc import Iterator

import rich_click as click

from fullrate.version import __version__

_HEAD = r".\" Made from the definitions of the command line: fullrate manual > docs/fullrate.1"
_TARGETS = (
    ("user@host", "A host reached with your own OpenSSH: its keys, jump hosts, configuration. Also user@host:port."),
    ("netns:NAME", "A network namespace of this machine. Needs root."),
    ("lab:", "The practice network, both ends of it; lab:LINK names one of its links. fullrate lab up makes it."),
    ("iperf3://HOST[:PORT]", "An iperf3 server on a host that cannot be read: measured and judged from one side."),
)


@click.command()
@click.pass_context
def manual(ctx: click.Context) -> int:
    """Print the manual page; to read it: fullrate manual | man -l -."""
    from fullrate.cli.output import emit

    emit(page(ctx.find_root().command))
    return 0


def page(command: click.Command) -> str:
    """The manual page of a command and all its verbs, in the man(7) language."""
    root = command.context_class(command, info_name="fullrate")
    summary, *rest = _paragraphs(command)
    lines = [
        _HEAD,
        f'.TH FULLRATE 1 "" "fullrate {__version__}" "User Commands"',
        *_section("NAME", f"fullrate \\- {_text(summary.rstrip('.'))}"),
        *_section("SYNOPSIS", ".B fullrate", r"\fIVERB\fR [\fIOPTION\fR...] [\fIARGUMENT\fR...]"),
        *_section("DESCRIPTION", *_joined([summary, *(part for part in rest if not part.startswith("Exit codes"))])),
        *_section("VERBS", *(line for verb, context in _verbs(command, root) for line in _verb(verb, context))),
        *_section("TARGETS", *(line for form, words in _TARGETS for line in _tagged(form, words))),
        *_section("EXIT STATUS", *_exit_status()),
    ]
    return "\n".join(lines) + "\n"


def _exit_status() -> Iterator[str]:
    from fullrate.cli.exits import MEANINGS

    for code, meaning in MEANINGS.items():
        yield from _tagged(str(code), meaning)


def _verbs(command: click.Command, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    """Every verb with its context; of a group, its own verbs follow it."""
    if not isinstance(command, click.Group):
        return
    for name in command.list_commands(context):
        verb = command.get_command(context, name)
        if verb is not None and not verb.hidden:
            inner = verb.context_class(verb, info_name=name, parent=context)
            yield verb, inner
            yield from _verbs(verb, inner)


def _verb(verb: click.Command, context: click.Context) -> list[str]:
    usage = " ".join(verb.collect_usage_pieces(context))
    lines = [f'.SS "{_text(context.command_path)} {_text(usage)}"', *_joined(_paragraphs(verb))]
    for option in verb.get_params(context):
        record = option.get_help_record(context) if isinstance(option, click.Option) else None
        if record is not None and "--help" not in option.opts:
            lines += _tagged(*record)
    return lines


def _section(title: str, *lines: str) -> list[str]:
    return [f'.SH "{title}"', *lines]


def _tagged(tag: str, words: str) -> list[str]:
    return [".TP", rf"\fB{_text(tag)}\fR", _text(words)]


def _paragraphs(command: click.Command) -> list[str]:
    """The help of a command, each paragraph on one line."""
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", command.help or "") if part.strip()]


def _joined(paragraphs: list[str]) -> list[str]:
    return [line for part in paragraphs for line in (".PP", _text(part))]


def _text(words: str) -> str:
    r"""The words as roff prints them: `\` and `-` as they are, and no line that looks like a request."""
    plain = words.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{plain}" if plain.startswith((".", "'")) else plain
