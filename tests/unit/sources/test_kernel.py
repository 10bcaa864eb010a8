"""The source kernel."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, query
from fullrate.records.facts.net import HostIdentity
from fullrate.records.leaf import Scope
from fullrate.sources.kernel import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed


@pytest.mark.parametrize(
    ("name", "release"),
    [
        ("recorded/debian13/proc_version.txt", "6.12.117+deb13-amd64"),
        ("recorded/debian13/uname_r.txt", "6.12.117+deb13-amd64"),
        ("debian13/machine/uname_a.txt", "6.12.117+deb13-amd64"),
        ("debian12/machine/uname_a.txt", "6.1.0-57-amd64"),
    ],
)
def test_release(name: str, release: str) -> None:
    """The release is the same in /proc/version, `uname -a` and `uname -r`; nothing else is set."""
    assert HostIdentity(kernel=release) == parsed(SOURCE, fixture(name), HostIdentity)[""]


@pytest.mark.parametrize("payload", [b"Linux version\n", b"Linux lab 6.1\n", GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """Cut lines, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It reads a file, which costs less than a command."""
    assert (ReadFile(path="/proc/version"),) == SOURCE.requests(Scope())


@pytest.mark.parametrize("request_", [ReadFile(path="/proc/version"), query("uname", "-a"), query("uname", "-r")])
def test_answers_uname_too(request_: ReadFile) -> None:
    """Recordings hold one or the other."""
    assert SOURCE.answers(request_)
