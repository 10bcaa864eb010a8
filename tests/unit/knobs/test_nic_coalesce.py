"""The knob nic.coalesce."""

import pytest

from fullrate.checks import coalescing_too_high, coalescing_too_low
from fullrate.knobs._ethtool import ask
from fullrate.knobs.nic_coalesce import KNOB
from fullrate.records.evidence import Reply, Status, change
from tool_output import recorded
from unit.checks.build import found
from unit.checks.nic import overrun
from unit.checks.scenes_nic import delayed, unmoderated
from unit.knobs.machine import BAD_LINKS, GENERATIONS, LINK, read, refused, setting, shown, unreadable, wanted

USECS = setting("nic.coalesce.rx_usecs", "50")
TAP = "debian12/recorded/ethtool_c_tap.txt"
# Forms of which no machine at hand has one: both switches at once.
ADAPTIVE = b"Coalesce parameters for eth3:\nAdaptive RX: on  TX: off\nrx-usecs:\t8\nrx-frames:\t128\n\n"


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize(
    ("driver", "word", "expected"),
    [
        ("igb", "rx_usecs", "3"),
        ("igb", "rx_frames", None),
        ("igb", "adaptive_rx", None),
        ("virtio_net", "rx_usecs", "0"),
        ("virtio_net", "tx_frames", "1"),
        ("virtio_net", "tx_frames_irq", None),
        ("netdevsim", "adaptive_rx", "off"),
        ("netdevsim", "adaptive_tx", "off"),
    ],
)
def test_moderation_is_read(generation: str, driver: str, word: str, expected: str | None) -> None:
    """Each by its own row; `n/a` is no value."""
    text = recorded(f"{generation}/{driver}/ethtool_c.txt")
    assert expected == read(KNOB, setting(f"nic.coalesce.{word}", ""), text)


def test_the_switches_stand_in_one_row() -> None:
    """And are not confused."""
    words = ("adaptive_rx", "adaptive_tx", "rx_usecs", "rx_frames")
    assert ["on", "off", "8", "128"] == [read(KNOB, setting(f"nic.coalesce.{word}", ""), ADAPTIVE) for word in words]


@pytest.mark.parametrize(
    ("word", "value", "argv"),
    [
        ("rx_usecs", "50", ("rx-usecs", "50")),
        ("tx_frames_irq", "9", ("tx-frames-irq", "9")),
        ("adaptive_rx", "on", ("adaptive-rx", "on")),
    ],
)
def test_ethtool_spells_it_with_dashes(word: str, value: str, argv: tuple[str, ...]) -> None:
    """`ethtool -C`."""
    writing = KNOB.write(setting(f"nic.coalesce.{word}", value), {})
    assert (change("ethtool", "-C", "eth3", *argv), value) == (writing.action, writing.expect)


@pytest.mark.parametrize(
    ("path", "word", "value", "reason"),
    [
        ("debian12/igb/ethtool_c.txt", "rx_usecs", "0", ""),
        ("debian12/igb/ethtool_c.txt", "rx_usecs", "4294967295", ""),
        (
            "debian12/igb/ethtool_c.txt",
            "rx_usecs",
            "4294967296",
            "nic.coalesce.rx_usecs of eth3 can be 0 to 4294967295, not 4294967296",
        ),
        ("debian12/igb/ethtool_c.txt", "rx_usecs", "on", "nic.coalesce.rx_usecs takes a whole number, not 'on'"),
        ("debian12/igb/ethtool_c.txt", "rx_frames", "8", "the driver of eth3 has no nic.coalesce.rx_frames"),
        ("debian13/igb/ethtool_c.txt", "adaptive_rx", "on", "the driver of eth3 has no nic.coalesce.adaptive_rx"),
        (TAP, "rx_frames", "8", ""),
        (TAP, "rx_usecs", "8", "the driver of eth3 has no nic.coalesce.rx_usecs"),
        ("debian13/netdevsim/ethtool_c.txt", "adaptive_tx", "on", ""),
        (
            "debian13/netdevsim/ethtool_c.txt",
            "adaptive_tx",
            "1",
            "nic.coalesce.adaptive_tx is on or off, not '1'",
        ),
    ],
)
def test_limits(path: str, word: str, value: str, reason: str) -> None:
    """What the driver shows can be set."""
    assert reason == refused(KNOB, setting(f"nic.coalesce.{word}", value), shown(ask(LINK, "-c"), path))


@pytest.mark.parametrize("link", BAD_LINKS)
def test_no_link_no_moderation(link: str) -> None:
    """No command is made of what is no name."""
    assert f"{link!r} is no name of a link" == unreadable(KNOB, setting("nic.coalesce.rx_usecs", "1", link))


def test_the_remedies_of_both_checks() -> None:
    """Late interrupts, and too many."""
    expected = [("nic.coalesce.rx_usecs", "enp3s0", "50")]
    assert expected == wanted(found(coalescing_too_high.CHECK, delayed(overrun())))
    assert expected == wanted(found(coalescing_too_low.CHECK, unmoderated()))


def test_what_the_driver_has_is_watched() -> None:
    """A NIC may set one time with another."""
    replies = shown(KNOB.survey(LINK)[0], "debian12/igb/ethtool_c.txt")
    assert (USECS.knob, "nic.coalesce.tx_usecs") == tuple(one.knob for one in KNOB.shown(LINK, replies))
    assert () == KNOB.shown(LINK, {})


def test_what_the_driver_moves_by_itself_is_not_watched() -> None:
    """With adaptive moderation on, a time that differs a moment later is nobody's change."""
    answers = {ask(LINK, "-c").key: Reply(request=ask(LINK, "-c"), status=Status.OK, payload=ADAPTIVE)}
    expected = ("nic.coalesce.adaptive_rx", "nic.coalesce.adaptive_tx")
    assert expected == tuple(one.knob for one in KNOB.shown(LINK, answers))


def test_the_switches_come_first() -> None:
    """A driver that sets the times itself would set them again."""
    words = ("rx_usecs", "adaptive_rx")
    assert ["adaptive_rx", "rx_usecs"] == sorted(
        words, key=lambda word: KNOB.order(setting(f"nic.coalesce.{word}", ""))
    )
