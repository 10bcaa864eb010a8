"""What iperf3 is told and tells of UDP."""

from dataclasses import replace

import pytest

from fullrate.generators._iperf3_datagrams import datagram_options, heeded, jitter, lost_ratio
from fullrate.generators._iperf3_document import Document, Ending, Step, Sum
from fullrate.generators._iperf3_report import Report, read_report
from fullrate.records.ends import End
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure
from iperf3_recorded import FORWARD, UDP, client_says

WARNING = "warning: UDP block size 1472 exceeds TCP MSS 1448, may result in fragmentation / drops"


def told(*steps: Sum) -> Report:
    """A process with these intervals."""
    return Report(document=Document(intervals=tuple(Step(sum=step) for step in steps)))


def step(size: float = 1000.0, **more: float) -> Sum:
    """One interval; they must differ, for a repeated one is left out."""
    return Sum(seconds=0.1, bytes=size, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("datagram", "buffer", "expected"),
    [
        (None, None, "-u"),
        (1472, None, "-u -l 1472"),
        (None, 212_992, "-u -w 212992"),
        (1472, 4_194_304, "-u -l 1472 -w 4194304"),
    ],
)
def test_options(datagram: int | None, buffer: int | None, expected: str) -> None:
    """Both sizes, as far as they are chosen."""
    assert expected == " ".join(datagram_options(replace(UDP, datagram=datagram, buffer=buffer)))


def test_tcp_has_none() -> None:
    """Whatever its specification holds."""
    assert () == datagram_options(replace(FORWARD, buffer=212_992))


def test_totals_come_first() -> None:
    """They are of the whole test."""
    assert 0.25 == lost_ratio(
        Ending(sum=Sum(packets=400, lost_packets=100)), told(), told(step(packets=9, lost_packets=9))
    )


def test_without_totals_the_intervals_tell() -> None:
    """After an early stop."""
    steps = told(step(1.0, packets=100, lost_packets=0), step(2.0, packets=100, lost_packets=20))
    assert 0.1 == lost_ratio(Ending(), told(), steps)


def test_late_datagrams_are_no_gain() -> None:
    """They can make the count negative."""
    assert 0.0 == lost_ratio(Ending(sum=Sum(packets=400, lost_packets=-3)), told(), told())


def test_nothing_of_what_was_sent_is_a_whole_loss() -> None:
    """A receiver counts gaps between what arrives, and nothing did."""
    assert 1.0 == lost_ratio(Ending(), told(step()), told(step(0.0)))


@pytest.mark.parametrize(
    ("sender", "receiver"),
    [
        (told(), told(step(0.0))),
        (told(step()), told()),
        (told(step()), told(step(500.0))),
    ],
    ids=["nothing sent", "no receiver seen", "something came"],
)
def test_what_is_not_told_is_not_known(sender: Report, receiver: Report) -> None:
    """A guess would be a loss."""
    assert None is lost_ratio(Ending(), sender, receiver)


def test_jitter_is_the_median_in_seconds() -> None:
    """Of the intervals in which something came."""
    full = (step(size, jitter_ms=size) for size in (2.0, 30.0, 4.0))
    assert 0.004 == jitter(told(*full, step(0.0, jitter_ms=9.0)))


def test_jitter_of_a_sender_is_unknown() -> None:
    """It has none."""
    assert None is jitter(told(step()))


def test_recorded_jitter() -> None:
    """A real receiver's."""
    found = client_says("3.18_udp_reverse.json", UDP).jitter
    assert found is None or 0 < found < 0.1


def test_warning_about_a_size_that_fits_is_left_out() -> None:
    """It compares with the TCP segment of the control connection."""
    assert ("other",) == heeded(replace(UDP, datagram=1472), (WARNING, "other"))


def test_warning_about_a_size_of_its_own_is_kept() -> None:
    """Nobody chose that one to fit."""
    assert (WARNING,) == heeded(UDP, (WARNING,))


@pytest.mark.parametrize("words", ["Message too long", "Message too large"])
def test_a_datagram_that_a_router_refuses_is_told_apart(words: str) -> None:
    """It is made again with smaller ones; the words are those of the C library."""
    said = f'{{"error": "unable to write to stream socket: {words}"}}'.encode()
    output = ProgramOutput(role="client", end=End.NEAR, argv=("iperf3",), stdout=said, exit_code=1)
    assert EngineFailure.TOO_LARGE is read_report(output).failure
