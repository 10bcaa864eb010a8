"""Records to the agent's plain values, and back."""

import pytest

from fullrate.host.wire import action_to_wire, printable, question_of, reply_from_wire, request_to_wire
from fullrate.records.evidence import (
    Action,
    DumpSockets,
    ListGlob,
    ReadFile,
    Reply,
    Request,
    Status,
    WriteFile,
    change,
    query,
)


@pytest.mark.parametrize(
    ("wire", "request_"),
    [
        (("read", "/proc/stat"), ReadFile(path="/proc/stat")),
        (("list", "/sys/*"), ListGlob(pattern="/sys/*")),
        (("run", ["ss", "-t"], 2.0), query("ss", "-t", timeout=2.0)),
        (("sockets", [5201, 5202]), DumpSockets(ports=(5201, 5202))),
    ],
)
def test_request(wire: tuple[object, ...], request_: Request) -> None:
    """Every kind of request has its own form."""
    assert wire == request_to_wire(request_)


@pytest.mark.parametrize(
    ("wire", "action"),
    [
        (("write", "/sys/x", "1"), WriteFile(path="/sys/x", content="1")),
        (("change", ["nft", "-f", "-"], "rules", 3.0), change("nft", "-f", "-", stdin="rules", timeout=3.0)),
    ],
)
def test_action(wire: tuple[object, ...], action: Action) -> None:
    """Every kind of action has its own form."""
    assert wire == action_to_wire(action)


def test_reply() -> None:
    """Every value finds its field."""
    request = query("ss")
    expected = Reply(
        request=request, status=Status.FAILED, payload=b"p", error="e", exit_code=3, started=1.0, finished=2.0
    )
    assert expected == reply_from_wire(request, ("failed", b"p", "e", 3, 1.0, 2.0))


def test_written_file_is_the_question() -> None:
    """The reply to a write stands under the file."""
    assert ReadFile(path="/x") == question_of(WriteFile(path="/x", content="1"))


def test_changing_command_is_the_question() -> None:
    """The reply to a changing command stands under the command."""
    assert query("ip", "link") == question_of(change("ip", "link"))


@pytest.mark.parametrize(
    ("shown", "text"),
    [("nas", "nas"), ("a b", "a\n\t b"), ("?[31mred", "\x1b[31mred"), ("é", "é"), ("x?y", "x\x9by")],
)
def test_printable(shown: str, text: str) -> None:
    """Nothing that a terminal would act on is left."""
    assert shown == printable(text)
