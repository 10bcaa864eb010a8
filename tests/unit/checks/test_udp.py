"""UDP trials and counters."""

import pytest

from fullrate.checks._udp import udp_counted, udp_trial
from fullrate.records.view import Missing
from unit.checks.build import FAR, healthy, on_ipv6, untested
from unit.checks.scenes_tcp import datagrams, path, udp


def test_trial_is_the_one_by_udp() -> None:
    """Of this direction."""
    found = udp_trial(udp(healthy()).view())
    assert found is not None
    assert "udp" == found.spec.protocol


def test_tcp_alone_has_none() -> None:
    """Nobody asked for UDP."""
    assert udp_trial(path().view()) is None


def test_nothing_sent_is_missing() -> None:
    """Neither was tried."""
    with pytest.raises(Missing):
        udp_trial(untested(healthy()).view())


@pytest.mark.parametrize(("table", "six"), [("snmp", False), ("snmp6", True)])
def test_counters_are_of_the_version_in_use(table: str, six: bool) -> None:  # noqa: FBT001 - a case
    """IPv4 in snmp, IPv6 in snmp6."""
    scene = udp(healthy()).seeing(FAR, datagrams(table, UdpInDatagrams=5, IpReasmFails=2))
    view = (on_ipv6(scene) if six else scene).view()
    trial = udp_trial(view)
    assert trial is not None
    assert 7 == udp_counted(view, trial, view.receiver, "UdpInDatagrams", "IpReasmFails").total
