"""netperf: what its texts tell."""

import pytest

from fullrate.generators.netperf import GENERATOR
from fullrate.records.ends import Direction
from iperf_pasted import result, text, told

WITH_CPU = """
MIGRATED TCP MAERTS TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to 192.0.2.2 () port 0 AF_INET : demo
Recv   Send    Send                          Utilization       Service Demand
Size   Size    Size     Time     Throughput  local    remote   local   remote
bytes  bytes   bytes    secs.    10^6bits/s  % S      % S      us/KB   us/KB

 87380  16384  16384    10.00      8932.12   5.12     8.83     0.376   0.648
"""
TRANSACTIONS = """
MIGRATED TCP REQUEST/RESPONSE TEST from 0.0.0.0 () port 0 AF_INET to 192.0.2.2 () port 0 AF_INET : first burst 0
Local /Remote
Socket Size   Request  Resp.   Elapsed  Trans.
Send   Recv   Size     Size    Time     Rate
bytes  Bytes  bytes    bytes   secs.    per sec

16384  87380  1        1       10.00    12345.67
16384  87380
"""
KEYS = """
DIRECTION=Recv
PROTOCOL=TCP
ELAPSED_TIME=30.00
THROUGHPUT=941.38
THROUGHPUT_UNITS=10^6bits/s
"""
OMNI = """
OMNI Send TEST from 0.0.0.0 () port 0 AF_INET to 192.0.2.2 () port 0 AF_INET
Send Socket Recv Socket Send   Time               Units
16384       87380       16384  10.00   941.38     10^6bits/s
"""
NEAR, FAR = Direction.NEAR_TO_FAR, Direction.FAR_TO_NEAR


def test_a_stream() -> None:
    """The rate is the last column, in the unit of its head."""
    found = result(GENERATOR, text("netperf_tso.txt"))
    assert (92_766.69e6, 10.0) == pytest.approx((found.total_received, found.seconds))


@pytest.mark.parametrize(("said", "way"), [(text("netperf_tso.txt"), NEAR), (WITH_CPU, FAR), (KEYS, FAR)])
def test_maerts_is_received_by_the_end_that_asked(said: str, way: Direction) -> None:
    """Its name is stream, backwards."""
    assert way is told(GENERATOR, said).direction


@pytest.mark.parametrize(("said", "rate"), [(WITH_CPU, 8932.12e6), (KEYS, 941.38e6), (OMNI, 941.38e6)])
def test_other_forms(said: str, rate: float) -> None:
    """With CPUs, by names, and in a table that ends with the unit."""
    assert rate == pytest.approx(result(GENERATOR, said).total_received)


def test_bytes_are_powers_of_1024() -> None:
    """-f M."""
    said = text("netperf_tso.txt").replace("10^6bits/sec", "MBytes/sec").replace("92766.69", "112.00")
    assert 8 * 112 * 1024**2 == pytest.approx(result(GENERATOR, said).total_received)


def test_datagrams_have_two_rows() -> None:
    """What was sent, what came: 64 KiB datagrams all lost, small ones hardly."""
    runs = GENERATOR.runs(text("netperf_udp_64k.txt"))
    assert [65507, 1400] == [told(GENERATOR, run).datagram for run in runs]
    lost, some = (result(GENERATOR, run) for run in runs)
    assert (0.0, 1.0) == (lost.total_received, lost.lost_ratio)
    assert (5659.09e6, 5717.88e6, 1 - 5052798 / 5105293) == pytest.approx(
        (some.total_received, some.total_sent, some.lost_ratio)
    )


def test_transactions_tell_of_no_rate() -> None:
    """The text is known all the same."""
    assert (True, ()) == (GENERATOR.recognizes(TRANSACTIONS), GENERATOR.runs(TRANSACTIONS))


@pytest.mark.parametrize("said", ["", "netperf was slow", "THROUGHPUT was 3", *map(text, ("nuttcp_10g.txt",))])
def test_other_texts(said: str) -> None:
    """They are none of its."""
    assert (False, ()) == (GENERATOR.recognizes(said), GENERATOR.runs(said))
