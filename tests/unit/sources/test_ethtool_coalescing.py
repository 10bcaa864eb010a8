"""The parser of `ethtool -c`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.ethtool import Coalescing
from fullrate.records.leaf import Scope
from fullrate.sources.ethtool_coalescing import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("ethtool -c eth9")
GENERATIONS = pytest.mark.parametrize("generation", ["debian12", "debian13"])


def coalescing(payload: bytes) -> Coalescing:
    """The one fact of a reply."""
    (fact,) = parse(ASKED, payload)
    return fact


@GENERATIONS
def test_values_not_available_are_left_out(generation: str) -> None:
    """An igb has two parameters and nothing adaptive."""
    expected = Coalescing(subject="eth3", parameters={"rx-usecs": 3, "tx-usecs": 3})
    assert expected == coalescing(recorded(f"{generation}/igb/ethtool_c.txt"))


def test_virtio_parameters() -> None:
    """Zero is a value, n/a is none."""
    expected = {"rx-usecs": 0, "rx-frames": 1, "tx-usecs": 0, "tx-frames": 1}
    assert expected == coalescing(recorded("debian12/virtio_net/ethtool_c.txt")).parameters


def test_each_adaptive_switch_for_itself() -> None:
    """The newer virtio driver has adaptive receive, off, and no adaptive transmit."""
    found = coalescing(recorded("debian13/virtio_net/ethtool_c.txt"))
    assert (False, None) == (found.adaptive_rx, found.adaptive_tx)


def test_adaptive_on() -> None:
    """mlx5's own default is read from a grepped paste."""
    paste = b"# ethtool -c eth9 | grep -E 'Adaptive|usecs:'\nAdaptive RX: on  TX: off\nrx-usecs:\t32\nrx-frames:\t64\n"
    expected = Coalescing(
        subject="eth9", adaptive_rx=True, adaptive_tx=False, parameters={"rx-usecs": 32, "rx-frames": 64}
    )
    assert expected == coalescing(paste)


@pytest.mark.parametrize(("generation", "count"), [("debian12", 22), ("debian13", 25)])
def test_every_parameter_is_kept(generation: str, count: int) -> None:
    """The netdevsim driver has all of them; the newer ethtool knows three more."""
    found = coalescing(recorded(f"{generation}/netdevsim/ethtool_c.txt")).parameters
    assert count == len(found)


def test_new_parameters_are_kept_by_their_names() -> None:
    """A parameter is kept without being known."""
    assert 0 == coalescing(recorded("debian13/netdevsim/ethtool_c.txt")).parameters["tx-aggr-time-usecs"]


def test_cqe_mode_has_its_json_names() -> None:
    """The two switches on one line are two parameters."""
    found = coalescing(b"CQE mode RX: on  TX: off\n").parameters
    assert {"cqe-mode-rx": 1, "cqe-mode-tx": 0} == found


def test_truncated_text_is_refused() -> None:
    """A line cut within its name is an error."""
    with pytest.raises(FormatError):
        coalescing(recorded("debian12/igb/ethtool_c.txt")[:142])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"Coalesce parameters for eth9:\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What is not of ethtool -c raises FormatError."""
    with pytest.raises(FormatError):
        coalescing(payload)


def test_each_link_is_asked() -> None:
    """One request a link under test."""
    assert (query("ethtool", "-c", "eth0"),) == SOURCE.requests(Scope(links=("eth0",)))


def test_own_request_is_answered_and_no_other() -> None:
    """Only -c is its own."""
    assert [True, False] == [SOURCE.answers(ran(command)) for command in ("ethtool -c eth9", "ethtool -C eth9")]
