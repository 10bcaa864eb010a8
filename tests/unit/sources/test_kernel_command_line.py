"""The source kernel_command_line."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.processor import KernelCommandLine
from fullrate.records.leaf import Scope
from fullrate.sources.kernel_command_line import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed

DEBIAN12 = fixture("debian12/machine/proc_cmdline.txt")
DEBIAN13 = fixture("debian13/machine/proc_cmdline.txt")


def words(payload: bytes) -> tuple[str, ...]:
    """The parameters a payload holds."""
    return parsed(SOURCE, payload, KernelCommandLine)[""].parameters


@pytest.mark.parametrize("payload", [DEBIAN12, DEBIAN13])
def test_parameters_in_order(payload: bytes) -> None:
    """A later one may overrule an earlier one."""
    assert ("console=ttyS0", "quiet", "panic=-1", "mitigations=off") == words(payload)[:4]


def test_quoted_value() -> None:
    """Quotes keep a value with spaces together."""
    assert ('dyndbg="file a.c +p"', "isolcpus=2-3") == words(b'dyndbg="file a.c +p" isolcpus=2-3\n')


@pytest.mark.parametrize("payload", [b"root=a\nquiet\n", b"quiet\x07\n", GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """Two lines, a control character, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_request() -> None:
    """It is read on every host."""
    assert (ReadFile(path="/proc/cmdline"),) == SOURCE.requests(Scope())


def test_any_other_line_is_not_recognized() -> None:
    """Words alone are no kernel command line."""
    assert not SOURCE.recognizes("quiet splash\n")
