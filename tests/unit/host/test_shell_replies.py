"""What exit codes and words of a shell's programs mean."""

import pytest

from fullrate.host._shell_replies import Heard, reply_to
from fullrate.records.evidence import ListGlob, ReadFile, Reply, Request, Status, query

FILE, LIST, RUN = ReadFile(path="/sys/x"), ListGlob(pattern="/sys/*"), query("ethtool", "eth0")


def reply(request: Request, payload: bytes = b"", *, code: int | None = 0, said: str = "") -> Reply:
    """The reply to a question that ended so."""
    heard = Heard(payload=payload, code=code, said=said)
    return reply_to(request, heard, absent="frt absent", started=1.0, finished=2.0)


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (Status.ABSENT, "ENOENT", "cat: /sys/x: No such file or directory"),
        (Status.ABSENT, "ENXIO", "cat: read error: No such device or address"),
        (Status.ABSENT, "ENODEV", "cat: /sys/x: No such device"),
        (Status.DENIED, "EACCES", "cat: can't open '/sys/x': Permission denied"),
        (Status.DENIED, "EPERM", "cat: /sys/x: Operation not permitted"),
        (Status.UNSUPPORTED, "EINVAL", "cat: /sys/class/net/lo/speed: Invalid argument"),
        (Status.UNSUPPORTED, "EOPNOTSUPP", "cat: /sys/x: Not supported"),
        (Status.FAILED, "EISDIR", "cat: /proc: Is a directory"),
        (Status.FAILED, "cat: something else", "cat: something else"),
    ],
)
def test_a_file_that_cannot_be_read(status: Status, error: str, words: str) -> None:
    """By what cat says of it, in the errno's name; half a file is none."""
    found = reply(FILE, b"half", code=1, said=words)
    assert (status, error, b"", None) == (found.status, found.error, found.payload, found.exit_code)


def test_a_file() -> None:
    """A read has no exit code."""
    found = reply(FILE, b"1000\n")
    assert (Status.OK, b"1000\n", None, 1.0, 2.0) == (
        found.status,
        found.payload,
        found.exit_code,
        found.started,
        found.finished,
    )


def test_a_list_is_sorted() -> None:
    """By bytes, as the agent sorts."""
    assert b"/sys/B\n/sys/a\n" == reply(LIST, b"/sys/a\n/sys/B\n").payload


def test_a_missing_program() -> None:
    """The shell looked for it before."""
    assert (Status.ABSENT, "ENOENT", None) == _told(reply(RUN, code=127, said="frt absent"))


def test_a_failed_program_that_ended_like_a_missing_one() -> None:
    """Only our own word says that it is not there."""
    assert (Status.FAILED, "lib not found\n", 127) == _told(reply(RUN, code=127, said="lib not found"))


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (Status.UNSUPPORTED, "netlink error: Operation not supported"),
        (Status.DENIED, "Cannot get: Operation not permitted"),
        (Status.ABSENT, "Cannot get driver information: No such device"),
        (Status.FAILED, "cannot open x: No such file or directory"),
    ],
)
def test_a_failed_program(status: Status, words: str) -> None:
    """Some words tell more; that of a file it missed is its own failure."""
    assert (status, f"{words}\n", 1) == _told(reply(RUN, code=1, said=words))


def test_words_of_a_program_that_did_well() -> None:
    """They are kept."""
    assert (Status.OK, "warning\n", 0) == _told(reply(RUN, b"x", said="warning"))


def test_no_end() -> None:
    """What came until then is kept of a command."""
    found = reply(RUN, b"first\n", code=None)
    assert (Status.TIMED_OUT, b"first\n") == (found.status, found.payload)


def _told(found: Reply) -> tuple[Status, str, int | None]:
    return found.status, found.error, found.exit_code
