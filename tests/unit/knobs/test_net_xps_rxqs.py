"""The knob net.xps_rxqs; what it shares with net.xps_cpus is tested there."""

import pytest

from fullrate.knobs.net_xps_rxqs import KNOB
from unit.knobs.machine import refused, setting


@pytest.mark.parametrize("value", ["1", "1ff", "ffff,ffffffff"])
def test_the_kernel_knows_how_many_queues_there_can_be(value: str) -> None:
    """No limit of ours: xps_rxqs_store refuses a bit beyond them, and what is read back is looked at."""
    assert "" == refused(KNOB, setting("net.xps_rxqs", value, "eth3/tx-0"), {})


def test_what_is_no_mask() -> None:
    """A list of numbers is not one."""
    said = "'0-3' is no mask: write it like f or 00000000,0000000f"
    assert said == refused(KNOB, setting("net.xps_rxqs", "0-3", "eth3/tx-0"), {})
