"""Glances at what reports showed: what must be suspected, and near misses that must not."""

from collections.abc import Sequence

import pytest

from fullrate.records.facts.base import Fact
from fullrate.records.facts.cpu import Interrupt
from fullrate.records.finding import Confidence
from unit.checks.glancing import suspicion
from unit.checks.shown import MISSES, SUSPECTS


@pytest.mark.parametrize(("check", "facts", "rate", "sure"), SUSPECTS)
def test_suspects(check: str, facts: Sequence[Fact], rate: float | None, sure: Confidence) -> None:
    """Only the kernel's own words, and what cannot be otherwise, are certain."""
    assert sure is suspicion(check, *facts, rate=rate)


@pytest.mark.parametrize(("check", "facts", "rate"), MISSES)
def test_near_misses_are_not_suspected(check: str, facts: Sequence[Fact], rate: float | None) -> None:
    """What a healthy host shows as well."""
    assert suspicion(check, *facts, rate=rate) is None


@pytest.mark.parametrize(
    "names", [("ens192-rxtx-0", "ens192-rxtx-1"), ("eth0:rx-0", "eth0:rx-1"), ("eth0-q0-rx", "eth0-q1-rx")]
)
def test_queues_as_drivers_name_them(names: Sequence[str]) -> None:
    """vmxnet3, stmmac and xen-netfront: all on one CPU."""
    table = [Interrupt(subject=name, counts=(90_000, 0), cpus=(0, 1), action=f"edge {name}") for name in names]
    assert Confidence.MEDIUM is suspicion("irq-single-cpu", *table)
