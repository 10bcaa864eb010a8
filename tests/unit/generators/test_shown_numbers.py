"""Numbers that no program prints, among what other programs print of their runs."""

import pytest

import laws
from fullrate.registry import generators

MANY = "9" * 5000
TEXTS = {
    "netperf": "MIGRATED TCP STREAM TEST from 0.0.0.0 to 192.0.2.2\n secs. 10^6bits/sec\n 1 1 1  10.00  {}.38\n",
    "ntttcp": "NTTTCP for Linux 1\nINFO: test duration :60.00 seconds\nINFO:  throughput  :{}Gbps\n",
    "nuttcp": " 1.0 MB /  60.06 sec = {} Mbps 19 %TX 43 %RX 0 retrans\n",
    "qperf": "tcp_bw:\n    bw  =  {} GB/sec\n",
    "transfer": "sent 1,074,000,123 bytes  received 35 bytes  {} bytes/sec\n",
}


@pytest.mark.parametrize("number", [MANY, "1.2.3", "..", "\u0663"])
@pytest.mark.parametrize("program", TEXTS)
def test_a_number_that_no_program_prints(program: str, number: str) -> None:
    """It tells of no run, and stops nobody."""
    (one,) = (one for one in generators() if one.id == program)
    assert not laws.tells(one, TEXTS[program].format(number))


@pytest.mark.parametrize("program", TEXTS)
def test_a_number_that_programs_print(program: str) -> None:
    """The same texts tell of a run otherwise."""
    (one,) = (one for one in generators() if one.id == program)
    assert 1 == laws.tells(one, TEXTS[program].format("94000"))


def test_netperf_without_its_time() -> None:
    """It lasted as long as netperf does when nobody says."""
    (netperf,) = (one for one in generators() if one.id == "netperf")
    text = "THROUGHPUT=941.38\nTHROUGHPUT_UNITS=10^6bits/s\n"
    spec = netperf.told(text)
    assert spec is not None
    assert 10 == spec.max_seconds
