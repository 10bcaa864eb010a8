"""A plan as a shell script: what `apply` would do, for a person to run."""

import shlex
from collections.abc import Iterator

from fullrate.records.plan import HostPlan, Plan, Step

_HEAD = """#!/bin/sh
# Plan {id}, made {at} by fullrate {version}.
# As root:  sh SCRIPT{host}        makes the changes; it stops at the first that fails
#           sh SCRIPT{host} undo   puts back what was found, the last first
# Nothing guards it. On a machine that you reach over this link use `fullrate apply`: there the settings come back by
# themselves unless they are kept."""


def as_script(plan: Plan) -> str:
    """The script of a plan; for several hosts it wants the number of the one it runs on."""
    hosts = [host for host in plan.hosts if host.steps]
    return "\n".join([*_head(plan, hosts), *_body(hosts), *_left_out(plan)]) + "\n"


def _head(plan: Plan, hosts: list[HostPlan]) -> Iterator[str]:
    word = " HOST" if hosts[1:] else ""
    yield _HEAD.format(id=_plain(plan.id), at=_plain(plan.made_at), version=_plain(plan.tool_version), host=word)
    for number, host in enumerate(hosts, 1):
        yield f"# HOST {number} is {_plain(host.target)}" if word else f"# It is for {_plain(host.target)}."


def _body(hosts: list[HostPlan]) -> Iterator[str]:
    if not hosts:
        yield "# There is nothing to change."
        return
    yield 'case "$*" in'
    for number, host in enumerate(hosts, 1):
        words = [str(number)] if hosts[1:] else []
        yield f"{shlex.quote(' '.join(words))})"
        yield "    set -e"
        yield from (line for step in host.steps for line in _made(step))
        yield "    ;;"
        yield f"{shlex.quote(' '.join([*words, 'undo']))})"
        yield "    failed=0"
        yield from (f"    {step.undo} || failed=1" for step in reversed(host.steps))
        yield "    exit $failed"
        yield "    ;;"
    yield from _usage(hosts)


def _usage(hosts: list[HostPlan]) -> Iterator[str]:
    word = "HOST " if hosts[1:] else ""
    told = [f"HOST {number}: {_plain(host.target)}" for number, host in enumerate(hosts, 1) if word]
    yield "*)"
    yield f"    echo {shlex.quote('; '.join([f'usage: sh SCRIPT {word}[undo]', *told]))} >&2"
    yield "    exit 2"
    yield "    ;;"
    yield "esac"


def _made(step: Step) -> Iterator[str]:
    yield f"    # {_plain(f'{step.setting.name}, found {step.current}: {step.because}')}"
    yield f"    {step.command}"


def _left_out(plan: Plan) -> Iterator[str]:
    for host in plan.hosts:
        for each in host.refused:
            wanted = f"{each.setting.name} = {each.setting.value}"
            yield f"# Not on {_plain(f'{host.target}: {wanted}: {each.reason}')}"
        if host.missing:
            yield f"# Not on {_plain(host.missing)}"


def _plain(text: str) -> str:
    """The text on one line, as a comment must be."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))
