"""The parser of `ethtool IFNAME`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.leaf import Scope
from fullrate.sources.ethtool_link import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

IGB = ran("ethtool eth3")
COPPER = (
    "10baseT/Half",
    "10baseT/Full",
    "100baseT/Half",
    "100baseT/Full",
    "1000baseT/Full",
)
PARTNER = b"""\
Settings for enp2s0:
\tSupported link modes:   1000baseT/Full
\t                        2500baseT/Full
\tAdvertised link modes:  1000baseT/Full
\tLink partner advertised link modes:  100baseT/Full
\t                                     1000baseT/Full
\tLink partner advertised pause frame use: No
\tSpeed: 1000Mb/s
\tDuplex: Half
\tAuto-negotiation: on
\tLink detected: no (No cable)
"""


def mode(payload: bytes, command: str = "ethtool eth3") -> LinkMode:
    """The one fact of a reply."""
    (fact,) = parse(ran(command), payload)
    return fact


@pytest.mark.parametrize("generation", ["debian12", "debian13"])
def test_copper_link_is_read_whole(generation: str) -> None:
    """Every field of a gigabit copper link is taken from the text of both generations."""
    expected = LinkMode(
        subject="eth3",
        speed=1_000_000_000.0,
        duplex="Full",
        autonegotiation=True,
        link_detected=True,
        port="Twisted Pair",
        supported=COPPER,
        advertised=COPPER,
    )
    assert (expected,) == parse(IGB, recorded(f"{generation}/igb/ethtool.txt"))


@pytest.mark.parametrize("generation", ["debian12", "debian13"])
def test_unknown_speed_is_none(generation: str) -> None:
    """A virtual link whose driver says Unknown! has neither speed nor duplex, but a link."""
    found = mode(recorded(f"{generation}/virtio_net/ethtool.txt"))
    assert (None, None, True, "Other") == (found.speed, found.duplex, found.link_detected, found.port)


def test_not_reported_modes_are_empty() -> None:
    """`Not reported` is no link mode."""
    found = mode(recorded("debian12/virtio_net/ethtool.txt"))
    assert ((), (), ()) == (found.supported, found.advertised, found.partner_advertised)


def test_modes_on_several_lines_belong_together() -> None:
    """A list of link modes goes on below its first line."""
    assert ("1000baseT/Full", "10000baseT/Full") == mode(recorded("debian12/vmxnet3/ethtool.txt")).supported


def test_autonegotiation_off_is_false() -> None:
    """A forced link says so."""
    assert mode(recorded("debian12/veth/ethtool.txt")).autonegotiation is False


def test_ten_gigabit_label_is_bits_per_second() -> None:
    """Mb/s are converted."""
    assert 10_000_000_000.0 == mode(recorded("debian13/veth/ethtool.txt")).speed


def test_link_down_is_false() -> None:
    """A bond without members has no link."""
    assert mode(recorded("debian13/bonding/ethtool.txt")).link_detected is False


def test_partner_modes_are_read() -> None:
    """What the link partner offers is kept apart from what this end offers."""
    found = mode(PARTNER)
    assert ("100baseT/Full", "1000baseT/Full") == found.partner_advertised
    assert ("1000baseT/Full",) == found.advertised


def test_reason_behind_a_missing_link_is_no_hindrance() -> None:
    """Newer ethtool says why there is no link."""
    assert mode(PARTNER).link_detected is False


def test_half_duplex_is_as_printed() -> None:
    """Duplex keeps ethtool's word."""
    assert "Half" == mode(PARTNER).duplex


def test_subject_comes_from_the_header() -> None:
    """The text's own name wins over the request's."""
    assert "enp2s0" == mode(PARTNER, "ethtool other").subject


def test_grepped_paste_takes_the_subject_from_the_request() -> None:
    """A pasted line with its prompt is read, about the link asked for."""
    found = mode(b"# ethtool enp2s0f0 | grep Speed\n\tSpeed: 100Mb/s\n", "ethtool enp2s0f0")
    assert ("enp2s0f0", 100_000_000.0) == (found.subject, found.speed)


@pytest.mark.parametrize("end", [20, 200, 540, 550, 556])
def test_truncated_text_is_refused(end: int) -> None:
    """Settings cut before or within the speed are an error, not a link of unknown speed."""
    payload = recorded("debian12/igb/ethtool.txt")
    assert payload.index(b"Mb/s") > end
    with pytest.raises(FormatError):
        parse(IGB, payload[:end])


def test_cut_after_the_partners_modes() -> None:
    """What was offered stands before, in full; the speed is not known."""
    found = mode(recorded("pasted/ethtool_aqr113c.txt"), "ethtool other")
    assert ("10g-1", None, "2500baseT/Full") == (found.subject, found.speed, found.partner_advertised[-1])
    assert "2500baseT/Full" not in found.advertised


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"No data available\n", b"Settings for eth3:\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What is not of ethtool raises FormatError."""
    with pytest.raises(FormatError):
        parse(IGB, payload)


def test_strange_speed_is_refused() -> None:
    """A speed in another unit is not guessed at."""
    with pytest.raises(FormatError, match="1Gb/s"):
        parse(IGB, b"Settings for eth3:\n\tSpeed: 1Gb/s\n\tLink detected: yes\n")


def test_each_link_is_asked() -> None:
    """One request a link under test, none without links."""
    assert (query("ethtool", "eth0"), query("ethtool", "bond0")) == SOURCE.requests(Scope(links=("eth0", "bond0")))
    assert () == SOURCE.requests(Scope())


@pytest.mark.parametrize("command", ["ethtool -k eth0", "ethtool", "ip link", "ethtool -h", "ethtool eth0 eth1"])
def test_other_commands_are_not_its_own(command: str) -> None:
    """Only the plain form with one name is answered."""
    assert not SOURCE.answers(ran(command))


def test_own_request_is_answered() -> None:
    """What it asks, it takes the reply of."""
    assert SOURCE.answers(IGB)


def test_it_is_read_once() -> None:
    """A mode is a setting, not a counter."""
    assert (False, None) == (SOURCE.moving, SOURCE.sampled)


@pytest.mark.parametrize("line", ["ethtool: Speed: 1000Mb/s", "both ends say: Speed: 1000Mb/s"])
def test_a_line_within_a_sentence(line: str) -> None:
    """What stands before it is a person's."""
    (found,) = SOURCE.parse(ran("ethtool eth0"), line.encode())
    assert (1e9, True) == (found.speed, SOURCE.recognizes(line))  # type: ignore[attr-defined]
