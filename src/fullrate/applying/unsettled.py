"""Whether a host has changes of ours that nobody settled: read as evidence is, without the guard program.

A journal's lines are a checksum and a JSON object (fullrate_guard.py); the first is the change as it was asked for.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fullrate.host.protocol import Host, HostId
from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Reply, Status, query

_FOLDERS = ("/var/lib/fullrate/changes", "/run/fullrate/changes")
_CLOSED = '"state": "(reverted|refused)"'
_IN_PLACE = re.compile(rb'"event": "confirmed"|"state": "kept_off"|"event": "(reverting)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    id: str
    boot_id: str
    namespace: tuple[int, int]
    first: bool


def unsettled(host: Host, *, folder: str = "") -> tuple[str, ...]:
    """The names of a host's changes that wait to be kept, or that a run left behind; none where we may not look.

    A change of another boot counts where it was made in the machine's first network namespace, as recovering does.
    """
    folders = (f"{folder}/changes",) if folder else _FOLDERS
    (found,) = host.ask((query("grep", "-rsLE", "--include=*.journal", _CLOSED, *folders),))
    paths = found.payload.decode(errors="replace").split()
    replies = host.ask([ReadFile(path=path) for path in paths]) if paths else ()
    return _of_host(replies, host.identify()) if replies else ()


def _of_host(replies: Sequence[Reply], here: HostId) -> tuple[str, ...]:
    changes = [_change(reply) for reply in replies if not _is_in_place(reply)]
    return tuple(
        change.id
        for change in changes
        if change is not None
        and (change.namespace[0] == here.namespace if change.boot_id == here.boot_id else change.first)
    )


def _is_in_place(reply: Reply) -> bool:
    """Whether it was kept, or left in part to somebody else, and no revert of that began and did not end."""
    return _IN_PLACE.findall(reply.payload)[-1:] == [b""]


def _change(reply: Reply) -> _Change | None:
    try:
        line = reply.payload.split(b"\n", 1)[0].partition(b" ")[2]
        return decoded(line, _Change) if reply.status is Status.OK else None
    except FormatError:
        return None
