"""The knob net.rps_cpus."""

import re

import pytest

from fullrate.checks.rps_single_cpu import CHECK
from fullrate.knobs._cpus import ONLINE
from fullrate.knobs.net_rps_cpus import KNOB
from fullrate.records.evidence import ListGlob, ReadFile, Status, WriteFile
from fullrate.records.setting import CannotSetError
from unit.checks.build import found
from unit.checks.nic import held, job
from unit.checks.scenes_nic import steered
from unit.knobs.machine import (
    BAD_LINKS,
    LINK,
    answers,
    back,
    failed,
    named_by,
    read,
    refused,
    setting,
    unreadable,
    wanted,
)

FILE = "/sys/class/net/eth3/queues/rx-0/rps_cpus"
QUEUE = setting("net.rps_cpus", "f", "eth3/rx-0")
FILES = ListGlob(pattern="/sys/class/net/eth3/queues/rx-*/rps_cpus")
TWO = answers((FILES, f"{FILE}\n/sys/class/net/eth3/queues/rx-1/rps_cpus\n"))


@pytest.mark.parametrize("text", ["f", "0", "00000000,0000000f", "ffff,ffffffff", "0000,00000000,00000000,80000000"])
def test_the_mask_is_read(text: str) -> None:
    """As many digits as the kernel can have CPUs: of 4, 48 and 112."""
    assert text == read(KNOB, QUEUE, f"{text}\n")
    assert ReadFile(path=FILE) == KNOB.reading(QUEUE).request


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("f", ["f", "0f", "0000000f", "00000000,0000000f", "0000,00000000,0000000f"]),
        ("F", ["f"]),
        ("0", ["0", "00000000,00000000"]),
        ("00000000,00000000", ["0", "0000,00000000"]),
        ("1,00000000", ["1,00000000", "0001,00000000", "00000000,00000001,00000000"]),
        ("80000000", ["80000000", "0,80000000"]),
        ("ffff,ffffffff", ["ffff,ffffffff", "00000000,0000ffff,ffffffff"]),
    ],
)
def test_what_the_kernel_shows_of_it(value: str, shown: list[str]) -> None:
    """However many CPUs it can have."""
    writing = KNOB.write(setting("net.rps_cpus", value, "eth3/rx-0"), {})
    assert WriteFile(path=FILE, content=value) == writing.action
    assert shown == [text for text in shown if re.fullmatch(writing.expect, text)]


@pytest.mark.parametrize(
    ("value", "other"), [("f", "1f"), ("f", "f0"), ("0", "1"), ("1,00000000", "1"), ("f", "f,00000000"), ("1", "01,1")]
)
def test_another_mask_is_another(value: str, other: str) -> None:
    """No digit may be passed over."""
    assert not re.fullmatch(KNOB.write(setting("net.rps_cpus", value, "eth3/rx-0"), {}).expect, other)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("ff", ""),
        ("0", ""),
        ("1ff", "CPU 8 is not online: those that are, are 0-7"),
        ("ffff", "CPU 8-15 is not online: those that are, are 0-7"),
        ("1,00000000", "CPU 32 is not online: those that are, are 0-7"),
        ("0x1", "'0x1' is no mask: write it like f or 00000000,0000000f"),
        ("1,0", "'1,0' is no mask: write it like f or 00000000,0000000f"),
        ("123456789", "'123456789' is no mask: write it like f or 00000000,0000000f"),
        ("", "'' is no mask: write it like f or 00000000,0000000f"),
        ("0-3", "'0-3' is no mask: write it like f or 00000000,0000000f"),
    ],
)
def test_limits(value: str, reason: str) -> None:
    """The kernel keeps of a mask only what is online (store_rps_map)."""
    assert reason == refused(KNOB, setting("net.rps_cpus", value, "eth3/rx-0"), answers((ONLINE, "0-7\n")))


def test_a_host_of_many_cpus() -> None:
    """The list of what is online is not cut."""
    assert "" == refused(KNOB, setting("net.rps_cpus", "ffff,ffffffff", "eth3/rx-0"), answers((ONLINE, "0-47\n")))


def test_a_mask_with_a_cpu_that_went_cannot_be_written_again() -> None:
    """The kernel would leave it out."""
    with pytest.raises(CannotSetError, match="CPU 3 is not online"):
        back(KNOB, QUEUE, answers((ONLINE, "0-2\n")))


@pytest.mark.parametrize(
    "subject", ["eth3", "eth3/", "eth3/tx-0", "eth3/rx-", "eth3/rx-0/x", "eth3/../x", "rx-0", "eth3/rx-٣"]
)
def test_what_is_no_queue(subject: str) -> None:
    """A link alone is spread over its queues before."""
    assert f"{subject!r} is no receive queue: write it like eth0/rx-0" == unreadable(
        KNOB, setting("net.rps_cpus", "f", subject)
    )


@pytest.mark.parametrize("link", [link for link in BAD_LINKS if "/" not in link])
def test_no_link_no_queue(link: str) -> None:
    """No path is made of what is no name."""
    assert f"{link!r} is no name of a link" == unreadable(KNOB, setting("net.rps_cpus", "f", f"{link}/rx-0"))
    with pytest.raises(CannotSetError, match="is no name of a link"):
        KNOB.survey(link)


def test_a_link_is_spread_over_its_queues() -> None:
    """Each gets the mask."""
    spread = KNOB.spread(setting("net.rps_cpus", "f"), TWO)
    assert [("eth3/rx-0", "f"), ("eth3/rx-1", "f")] == [(one.subject, one.value) for one in spread]
    assert (QUEUE,) == KNOB.spread(QUEUE, {})


def test_a_link_without_queues() -> None:
    """There is nothing to spread it over."""
    for replies in ({}, failed(FILES, "ENOENT", Status.ABSENT), answers((FILES, ""))):
        with pytest.raises(CannotSetError, match="eth3 has no queue with rps_cpus"):
            KNOB.spread(setting("net.rps_cpus", "f"), replies)


def test_every_queue_is_watched() -> None:
    """A queue that goes and comes again has lost its mask."""
    assert ["eth3/rx-0", "eth3/rx-1"] == [one.subject for one in KNOB.shown(LINK, TWO)]
    assert () == KNOB.shown(LINK, {})


def test_the_remedy_steers_every_queue() -> None:
    """The same mask for each."""
    expected = [("net.rps_cpus", f"enp3s0/rx-{number}", "3") for number in range(4)]
    assert expected == wanted(found(CHECK, held(steered(job(), 0))))


def test_owners() -> None:
    """systemd.link(5) has ReceivePacketSteeringCPUMask."""
    owners = KNOB.owners(QUEUE)
    path = "/etc/systemd/network/10-eth3.link\n"
    assert (["systemd-networkd"], []) == (named_by(owners, path, path), named_by(owners, path, ""))
