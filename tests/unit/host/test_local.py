"""What only the host in this process does; the rest is the contract's."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fullrate.host.local import LocalHost
from fullrate.host.protocol import ClockOffset, Command, SamplePlan
from fullrate.records.errors import TargetError
from fullrate.records.evidence import ReadFile

STAT = ReadFile(path="/proc/stat")


@pytest.fixture
def host() -> Iterator[LocalHost]:
    """This machine."""
    host = LocalHost()
    yield host
    host.close()


def test_is_this_namespace(host: LocalHost) -> None:
    """Its namespace is the one this process is in."""
    assert Path("/proc/self/ns/net").stat().st_ino == host.identify().namespace


def test_clock_is_ours(host: LocalHost) -> None:
    """The same clock is not off."""
    assert ClockOffset(seconds=0.0, uncertainty=0.0) == host.clock_offset()


def test_close_ends_programs(host: LocalHost) -> None:
    """A program does not outlive its host."""
    process = host.launch(Command(argv=("sleep", "76"), deadline=60))
    host.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


def test_close_ends_sampling(host: LocalHost) -> None:
    """Frames taken before the close stay whole; stopping afterwards is harmless."""
    sampling = host.sample(SamplePlan(fast=(STAT,)))
    host.close()
    assert b"" != sampling.take()
    assert b"" == sampling.take()


def test_closed_host_samples_nothing(host: LocalHost) -> None:
    """After close no sampler starts."""
    host.close()
    with pytest.raises(TargetError, match="closed"):
        host.sample(SamplePlan(fast=(STAT,)))


def test_label_is_shown_safely() -> None:
    """A label never carries control characters."""
    assert "a?b" == LocalHost("a\x1bb").label
