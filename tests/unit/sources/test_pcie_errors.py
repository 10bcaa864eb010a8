"""The source pcie_errors."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.bus import PcieErrors
from fullrate.records.leaf import Scope
from fullrate.sources.pcie_errors import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture

GENERATIONS = pytest.mark.parametrize("generation", ["debian12", "debian13"])
HERE = "/sys/class/net/enp1s0/device"
COUNTED = f"""\
{HERE}/aer_dev_correctable:RxErr 3
{HERE}/aer_dev_correctable:BadTLP 12
{HERE}/aer_dev_correctable:TOTAL_ERR_COR 15
{HERE}/aer_dev_nonfatal:CmpltTO 2
{HERE}/aer_dev_nonfatal:TOTAL_ERR_NONFATAL 2
{HERE}/aer_dev_fatal:TOTAL_ERR_FATAL 5
{HERE}/../aer_dev_correctable:BadDLLP 7
{HERE}/../aer_dev_correctable:TOTAL_ERR_COR 7
"""


@GENERATIONS
def test_quiet_device(generation: str) -> None:
    """The kinds of corrected errors are there, all zero, the totals left out."""
    (fact,) = SOURCE.parse(PASTED, fixture(f"{generation}/igb/grep_pcie_errors.txt"))
    assert isinstance(fact, PcieErrors)
    assert ("eth3", 0, {0}, 0) == (fact.subject, fact.level, set(fact.corrected.values()), fact.uncorrected)
    assert {"RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout"} <= set(fact.corrected)


def test_both_sides_of_the_link() -> None:
    """The device and the port above it are two facts; the totals of both worse kinds are added."""
    expected = (
        PcieErrors(subject="enp1s0", level=0, corrected={"RxErr": 3, "BadTLP": 12}, uncorrected=7),
        PcieErrors(subject="enp1s0", level=1, corrected={"BadDLLP": 7}),
    )
    assert expected == SOURCE.parse(PASTED, COUNTED.encode())


def test_identity_tells_the_sides_apart() -> None:
    """Differences are made per device."""
    assert ["enp1s0 0", "enp1s0 1"] == [fact.identity for fact in SOURCE.parse(PASTED, COUNTED.encode())]


def test_truncated_answer() -> None:
    """Without the second device's lines only the first is known; a total that was cut off is not made up."""
    (fact,) = SOURCE.parse(PASTED, COUNTED[: COUNTED.index(f"{HERE}/aer_dev_nonfatal")].encode())
    assert isinstance(fact, PcieErrors)
    assert fact.uncorrected is None


@pytest.mark.parametrize(
    "payload",
    [b"", GARBAGE, f"{HERE}/aer_dev_correctable:RxErr\n".encode(), f"{HERE}/aer_dev_fatal:DLP x\n".encode()],
)
def test_other_text_is_refused(payload: bytes) -> None:
    """A name without a number is no counter."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_counters_are_read_around_every_trial() -> None:
    """They move, so a single reading says little."""
    assert SOURCE.moving


def test_own_request_is_answered() -> None:
    """One request a link."""
    (request,) = SOURCE.requests(Scope(links=("eth0",)))
    assert SOURCE.answers(request)
