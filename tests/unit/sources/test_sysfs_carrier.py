"""The parser of a link's carrier in sysfs."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.facts.phy import Carrier
from fullrate.records.leaf import Scope
from fullrate.sources.sysfs_carrier import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = SOURCE.requests(Scope(links=("eth0",)))[0]


def test_own_command_is_read_whole() -> None:
    """Every field of the answer of grep."""
    expected = Carrier(subject="eth0", changes=2, up_count=1, down_count=1, crc_errors=0, frame_errors=0, collisions=0)
    assert (expected,) == parse(ASKED, recorded("phy/sysfs_carrier_linux-6.18.txt"))


@pytest.mark.parametrize(
    ("path", "link"), [("debian12/igb", "eth3"), ("debian13/igb", "eth3"), ("debian12/veth", "veth0")]
)
def test_lines_among_others_are_found(path: str, link: str) -> None:
    """A listing of all of sysfs holds the same lines, with a blank behind the colon."""
    (fact,) = parse(ASKED, recorded(f"{path}/sysfs_net.txt"))
    assert (link, 2, 1) == (fact.subject, fact.changes, fact.down_count)


def test_each_field_has_its_own_file() -> None:
    """Distinct numbers end where they belong."""
    files = (
        *("carrier_changes", "carrier_up_count", "carrier_down_count"),
        *("statistics/rx_crc_errors", "statistics/rx_frame_errors", "statistics/collisions"),
    )
    text = "".join(f"/sys/class/net/eth0/{file}:{value}\n" for value, file in enumerate(files, start=11))
    (fact,) = parse(ASKED, text.encode())
    assert (11, 12, 13, 14, 15, 16) == (
        *(fact.changes, fact.up_count, fact.down_count),
        *(fact.crc_errors, fact.frame_errors, fact.collisions),
    )


def test_old_kernel_has_fewer_files() -> None:
    """Before 4.16 there was carrier_changes alone."""
    (fact,) = parse(ASKED, b"/sys/class/net/eth0/carrier_changes:4\n/sys/class/net/eth0/statistics/rx_crc_errors:9\n")
    assert (4, None, None, 9) == (fact.changes, fact.up_count, fact.down_count, fact.crc_errors)


def test_several_links_are_several_facts() -> None:
    """A paste over all links."""
    text = b"/sys/class/net/eth0/carrier_changes:4\n/sys/class/net/eth1/carrier_changes:7\n"
    assert [("eth0", 4), ("eth1", 7)] == [(fact.subject, fact.changes) for fact in parse(ASKED, text)]


@pytest.mark.parametrize("end", [10, 30, 36])
def test_truncated_text_is_refused(end: int) -> None:
    """A line cut in its name or before its number is an error."""
    with pytest.raises(FormatError):
        parse(ASKED, recorded("phy/sysfs_carrier_linux-6.18.txt")[:end])


@pytest.mark.parametrize(
    "payload", [*GARBAGE, b"", b"/sys/class/net/eth0/carrier_up_count:1\n", b"/sys/class/net/eth0/carrier_changes:x\n"]
)
def test_other_text_is_refused(payload: bytes) -> None:
    """What does not count changes raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_one_request_for_several_links() -> None:
    """All files of all links are read by one grep."""
    (request,) = SOURCE.requests(Scope(links=("eth0", "eth1")))
    assert request.key.startswith("run grep -H '' /sys/class/net/eth0/carrier_changes /sys/class/net/eth0/carrier_up")
    assert request.key.endswith("/sys/class/net/eth1/statistics/collisions")


def test_a_link_that_went_away_takes_no_other_along() -> None:
    """What is left of it is no carrier; the other's is read."""
    rest = b"/sys/class/net/eth1/statistics/rx_crc_errors:3\n"
    assert ["eth0"] == [one.subject for one in parse(ASKED, b"/sys/class/net/eth0/carrier_changes:2\n" + rest)]


def test_own_request_is_answered_and_no_other() -> None:
    """Other greps and files are not its own."""
    others = (ran("grep -H '' /sys/fs/cgroup/a/cpu.max"), ReadFile(path="/sys/class/net/eth0/carrier_changes"))
    assert [True, False, False] == [SOURCE.answers(request) for request in (ASKED, *others)]


def test_it_is_read_before_and_after_a_trial() -> None:
    """Carrier changes are counters."""
    assert SOURCE.moving
