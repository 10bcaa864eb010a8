"""A pasted text cut into its runs, and told from the other generation's."""

import pytest

from fullrate.generators._runs import generation, runs_of
from iperf_pasted import names, text

ROW = "[  5]   0.00-60.00  sec   129 GBytes  18.4 Gbits/sec                  receiver\n"


@pytest.mark.parametrize("name", names("iperf3_text"))
def test_the_third_generation(name: str) -> None:
    """Every output of iperf3 is known as one."""
    assert 3 == generation(text(name))


@pytest.mark.parametrize("name", names("iperf_text"))
def test_the_second_generation(name: str) -> None:
    """Every output of iperf 2 is known as one."""
    assert 2 == generation(text(name))


@pytest.mark.parametrize("said", ["", "use iperf3 to test it", "Download: 44.24 Mbit/s", "MemTotal: 1 kB\n"])
def test_neither(said: str) -> None:
    """A name alone is no output."""
    assert generation(said) is None


def test_the_rows_alone_tell() -> None:
    """By the decimals of their times."""
    assert (3, 2) == (generation(ROW), generation("[  3]  0.0-10.0 sec  1.09 GBytes   935 Mbits/sec\n"))


def test_one_run_is_one_text() -> None:
    """Nothing of it is lost."""
    assert (text("macos.txt"),) == runs_of(text("macos.txt"))


def test_commands_begin_runs() -> None:
    """Two commands, two runs."""
    assert ["-b 10M", "-b 30M"] == [run.partition("-u ")[2][:6] for run in runs_of(text("two_tails_udp.txt"))]


def test_a_table_after_the_totals_begins_a_run() -> None:
    """Pasted without commands."""
    header = "[ ID] Interval           Transfer     Bitrate         Retr\n"
    assert [header + ROW] * 2 == list(runs_of((header + ROW) * 2))


def test_a_server_log_holds_many_runs() -> None:
    """Each accepted connection begins one; of --bidir there are two."""
    assert 11 == len(runs_of(text("3.12_server.txt")))


def test_both_directions_are_two_runs() -> None:
    """What the client sends comes first; the other rows are gone."""
    forward, backward = runs_of(text("3.12_bidir_2flow.txt"))
    assert ("RX-C" not in forward, "TX-C" not in backward) == (True, True)


def test_an_error_ends_a_run() -> None:
    """The next try is another one."""
    said = "iperf3: error - the server is busy\nConnecting to host nas, port 5201\n" + ROW
    assert 2 == len(runs_of(said))
