"""The source napi_threaded."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.processor import NapiThreading
from fullrate.records.leaf import Scope
from fullrate.sources.napi_threaded import SOURCE
from proc_fixtures import GARBAGE, PASTED, parsed

REQUEST = ReadFile(path="/sys/class/net/eth0/threaded")


@pytest.mark.parametrize(("payload", "threaded"), [(b"0\n", False), (b"1\n", True)])
def test_of_a_file(payload: bytes, threaded: bool) -> None:  # noqa: FBT001 - a case of the table
    """The link is the request's."""
    expected = NapiThreading(subject="eth0", threaded=threaded)
    assert expected == parsed(SOURCE, payload, NapiThreading, REQUEST)["eth0"]


@pytest.mark.parametrize("text", ["/sys/class/net/eth10/threaded: 0", "/sys/class/net/eth10/threaded:0\n"])
def test_of_a_pasted_line(text: str) -> None:
    """A list of attributes, and a grep."""
    expected = NapiThreading(subject="eth10", threaded=False)
    assert (True, expected) == (SOURCE.recognizes(text), parsed(SOURCE, text.encode(), NapiThreading)["eth10"])


@pytest.mark.parametrize("payload", [b"2\n", b"yes\n", GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """Another number, a word, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(REQUEST, payload)


def test_number_of_no_link_is_refused() -> None:
    """A paste must say whose it is."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, b"1\n")


def test_one_request_a_link() -> None:
    """Each link has its own file."""
    assert (REQUEST, ReadFile(path="/sys/class/net/eth1/threaded")) == SOURCE.requests(Scope(links=("eth0", "eth1")))
