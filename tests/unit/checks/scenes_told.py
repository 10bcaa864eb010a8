"""Scenes of the checks that judge a test by its program's words."""

from dataclasses import replace

from fullrate.records.trial import EngineResult
from fullrate.records.units import BitsPerSecond
from unit.checks.build import Scene, healthy


def bursts(lost: float) -> Scene:
    """50 Mbit/s from an iperf3 of before 3.2, of which so much is lost."""
    engine = EngineResult(program="iperf3", older_than="3.2", lost_ratio=lost)
    return replace(healthy(50e6 * (1 - lost)), protocol="udp", engine=engine, told=True, asked=50e6)


def offered(rate: BitsPerSecond) -> Scene:
    """UDP of which only the offered rate is known."""
    engine = EngineResult(program="iperf3", total_sent=rate)
    return replace(healthy(rate), protocol="udp", engine=engine, told=True)


PROBLEMS: dict[str, Scene] = {"iperf3-udp-burst": bursts(0.55), "udp-default-rate": offered(1.05e6)}
CLEARS: dict[str, Scene] = {"iperf3-udp-burst": bursts(0.0), "udp-default-rate": offered(10e6)}
FOUNDED_ON: dict[str, set[str]] = {
    "iperf3-udp-burst": {"the program's result"},
    "udp-default-rate": {"the program's result"},
}
