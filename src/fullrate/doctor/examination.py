"""One question to a machine, and what its answers mean for fullrate."""

from collections.abc import Mapping, Sequence

from fullrate.doctor.machine import REQUESTS, is_root, machine_items
from fullrate.doctor.tools import OS_RELEASE, install_line, tool_items, tools_for
from fullrate.host.protocol import Host, by_key
from fullrate.records.doctor import Checkup, Item, Standing
from fullrate.records.evidence import Reply, Request
from fullrate.version import __version__


def examine(host: Host, target: str, *, python: str | None) -> Checkup:
    """What the machine lets fullrate see and do. `python`: the version we run on there; None for a far end."""
    return evaluate(by_key(host.ask(requests(near=python is not None))), target, python=python)


def requests(*, near: bool) -> tuple[Request, ...]:
    """All that is asked; nothing of it changes anything or takes long."""
    return (*(tool.probe for tool in tools_for(near=near)), OS_RELEASE, *REQUESTS)


def evaluate(replies: Mapping[str, Reply], target: str, *, python: str | None) -> Checkup:
    """The checkup that these replies make."""
    tools = tools_for(near=python is not None)
    items = (*tool_items(tools, replies), *machine_items(replies, python))
    return Checkup(
        tool_version=__version__,
        target=target,
        ready=not _lacking(items),
        summary=_summary(items),
        items=items,
        install=install_line(tools, items, replies.get(OS_RELEASE.key), root=is_root(replies)),
    )


def _lacking(items: Sequence[Item]) -> list[str]:
    return [item.name for item in items if item.essential and not item.usable]


def _summary(items: Sequence[Item]) -> str:
    if lacking := _lacking(items):
        return f"no check can run here: {', '.join(lacking)} missing or of no use"
    counted = {
        standing: sum(item.standing is standing for item in items) for standing in Standing if standing != Standing.GOOD
    }
    rest = ", ".join(f"{number} {standing}" for standing, number in counted.items() if number)
    return f"a check can run; {rest}" if rest else "a check can run, and nothing is missing"
