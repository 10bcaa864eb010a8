"""A host's unsettled changes are seen without the guard program, in the namespace that they were made in."""

import binascii
import json
import re
from typing import Any

import pytest

import fullrate_guard
from fullrate.applying import unsettled
from fullrate.host.fake import FAKE_ID, FakeHost
from fullrate.records.evidence import QueryCommand, ReadFile, Reply, Request, Status

PROGRAM: Any = fullrate_guard  # it carries no types
HERE = [FAKE_ID.namespace, 7]
PLACE = "/var/lib/fullrate/changes"


def journal(
    name: str, *, boot_id: str = FAKE_ID.boot_id, namespace: list[int] | None = None, first: bool = False
) -> bytes:
    """The first line of a journal as the guard program writes it, and the beginning of another."""
    change = {"id": name, "boot_id": boot_id, "namespace": namespace or HERE, "first": first, "steps": []}
    text = json.dumps(change, sort_keys=True).encode()
    return b"%08x %s\n0badc0de {" % (binascii.crc32(text), text)


def host(**journals: bytes) -> FakeHost:
    """One on which these journals are unsettled."""

    def answer(request: Request) -> Reply:
        if isinstance(request, QueryCommand):
            listed = "".join(f"{PLACE}/{name}.journal\n" for name in journals)
            return Reply(request=request, status=Status.OK if listed else Status.FAILED, payload=listed.encode())
        assert isinstance(request, ReadFile)
        name = request.path.removeprefix(f"{PLACE}/").removesuffix(".journal")
        return Reply(request=request, status=Status.OK, payload=journals[name])

    return FakeHost(answer)


def test_none() -> None:
    """Where grep finds none, or may not look, one question is all."""
    quiet = host()
    assert ((), 1) == (unsettled(quiet), len(quiet.asked))


def test_one_of_this_namespace() -> None:
    """Its name is told."""
    assert ("A",) == unsettled(host(A=journal("A")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (journal("A", namespace=[1, 7]), ()),
        (journal("A", boot_id="before", first=True), ("A",)),
        (journal("A", boot_id="before"), ()),
        (b"garbage", ()),
        (b"00000000 {}\n", ()),
        (b"", ()),
    ],
)
def test_of_another_place_or_time(text: bytes, expected: tuple[str, ...]) -> None:
    """Another namespace's is none of this host's; of an earlier boot only the first namespace's counts."""
    assert expected == unsettled(host(A=text))


def test_what_is_asked() -> None:
    """Settled journals are left out by grep; the words are those that the guard program writes."""
    asked = host()
    unsettled(asked, folder="/elsewhere")
    (request,) = asked.asked
    assert isinstance(request, QueryCommand)
    assert ("grep", "-rsLE", "--include=*.journal") == request.argv[:3]
    assert "/elsewhere/changes" == request.argv[-1]


CONFIRMED = {"event": "confirmed"}
REVERTING = {"event": "reverting", "why": "confirmed"}
KEPT_OFF = {"event": "closed", "state": "kept_off", "items": []}


@pytest.mark.parametrize(
    ("events", "settled"),
    [
        ([CONFIRMED], True),
        ([CONFIRMED, REVERTING], False),
        ([REVERTING, KEPT_OFF], True),
        ([REVERTING, KEPT_OFF, REVERTING], False),
        ([REVERTING, {"event": "closed", "state": "reverted", "items": [], "why": ""}], True),
        ([{"event": "closed", "state": "refused", "items": []}], True),
        ([REVERTING, {"event": "closed", "state": "failed", "items": []}], False),
        ([{"event": "applied", "watched": ["confirmed"]}], False),
        ([REVERTING], False),
    ],
)
def test_what_settles(events: list[dict[str, object]], settled: bool) -> None:  # noqa: FBT001 - a parameter
    """What is told agrees with the lines that the guard program writes."""
    lines = [PROGRAM._line(dict(event, at=0.0)) for event in events]
    asked = host(A=journal("A").partition(b"\n")[0] + b"\n" + b"".join(lines))
    found = unsettled(asked)
    request = asked.asked[0]
    assert isinstance(request, QueryCommand)
    assert settled is (found == () or any(re.search(request.argv[3], line.decode()) for line in lines))
