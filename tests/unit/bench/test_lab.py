"""What the bench makes: a shaper as the practice network's, and an end on every path."""

import os
import signal

import pytest
from bench._lab import ends_orderly, shape


def test_the_shaper_fills_a_wire() -> None:
    """1514 of the 1538 bytes of a full frame are counted by tbf; the bucket holds two superframes at least."""
    assert ("tbf", "rate", "984395319bit", "burst", "131072", "limit", "4000000") == shape(1e9)


def test_a_fast_shaper_has_a_bucket_of_a_millisecond() -> None:
    """10 Gbit/s are 1.23 MB in a millisecond."""
    assert "1230494" in shape(1e10)


def test_sigterm_ends_it_in_order() -> None:
    """What stands in finally runs; a second SIGTERM does not disturb that, and afterwards all is as before."""
    before, tidied = signal.getsignal(signal.SIGTERM), []

    def work() -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)
            tidied.append(True)

    with pytest.raises(SystemExit) as ended, ends_orderly():
        work()
    assert (143, [True], before) == (ended.value.code, tidied, signal.getsignal(signal.SIGTERM))
