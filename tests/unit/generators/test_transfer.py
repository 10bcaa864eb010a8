"""Copies of files: what their texts tell."""

import pytest

from fullrate.generators.transfer import GENERATOR
from fullrate.records.ends import Direction
from iperf_pasted import result, text, told

WGET = text("wget_dm9601.txt")
CURL = "100  512M  100  512M    0     0  10.7M      0  0:00:47  0:00:47 --:--:-- 11.1M\n"
UPLOAD = "100  512M    0     0  100  512M      0  10.7M  0:00:47  0:00:47 --:--:-- 11.1M\n"
RSYNC = "sent 1,074,000,123 bytes  received 35 bytes  70,340,012.33 bytes/sec\n"
SCP = "big.iso                                      100% 1024MB  11.2MB/s   01:31\n"
FROM, TO = f"$ scp nas:/big.iso .\n{SCP}", f"$ scp -C big.iso me@nas:\n{SCP}"
MEGA = 8 * 1024**2
IN, OUT = Direction.FAR_TO_NEAR, Direction.NEAR_TO_FAR


@pytest.mark.parametrize(
    ("said", "rate", "way"),
    [
        (WGET, 5.08 * MEGA, IN),
        (CURL, 10.7 * MEGA, IN),
        (UPLOAD, 10.7 * MEGA, OUT),
        (RSYNC, 8 * 70_340_012.33, OUT),
        (FROM, 11.2 * MEGA, IN),
        (TO, 11.2 * MEGA, OUT),
    ],
)
def test_each_program(said: str, rate: float, way: Direction) -> None:
    """Its rate and which way the file went."""
    (run,) = GENERATOR.runs(said)
    assert rate == pytest.approx(result(GENERATOR, run).total_received)
    assert way is told(GENERATOR, run).direction


def test_it_is_weak() -> None:
    """A reader is told."""
    assert "tells little of this link" in result(GENERATOR, WGET).warnings[0]


@pytest.mark.parametrize(
    "said",
    [
        "",
        SCP,
        WGET.replace("3989078016", "19890780"),
        WGET.replace("5.08 MB", "5.08 GB"),
        "3989078016 bytes (4.0 GB) copied, 385.982 s, 10.3 MB/s\n",
        text("nuttcp_10g.txt"),
    ],
)
def test_what_tells_nothing(said: str) -> None:
    """A direction nobody shows, a small file, one that a cache took, a disk's rate."""
    assert (False, ()) == (GENERATOR.recognizes(said), GENERATOR.runs(said))


def test_a_line_among_many_is_not_the_texts_owner() -> None:
    """Somebody else may read the rest."""
    assert not GENERATOR.recognizes(WGET + 40 * "eth0 is up\n")
