"""The source tuned_profile."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.processor import TunedProfile
from fullrate.records.leaf import Scope
from fullrate.sources.tuned_profile import SOURCE
from proc_fixtures import GARBAGE, PASTED, parsed


@pytest.mark.parametrize(
    ("payload", "profile"),
    [
        (b"throughput-performance\n", "throughput-performance"),
        (b"balanced my_own.profile\n", "balanced my_own.profile"),
        (b"Current active profile: network-latency\n", "network-latency"),
    ],
)
def test_active_profile(payload: bytes, profile: str) -> None:
    """Of the file, several at once, and as tuned-adm says it."""
    assert TunedProfile(profile=profile) == parsed(SOURCE, payload, TunedProfile)[""]


@pytest.mark.parametrize("payload", [b"a\nb\n", b"a: b\n", GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """Two lines, no name, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """A host without tuned has no such file."""
    assert (ReadFile(path="/etc/tuned/active_profile"),) == SOURCE.requests(Scope())


def test_answer_of_tuned_adm_is_recognized() -> None:
    """The file alone is a word, which nobody can tell."""
    assert (True, False) == (SOURCE.recognizes("Current active profile: balanced\n"), SOURCE.recognizes("balanced\n"))
