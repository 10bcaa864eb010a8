"""Parts to a recording."""

import pytest

from fullrate.intake.assemble import recording_of
from fullrate.records.ends import End
from fullrate.records.evidence import Status
from fullrate.records.part import LeftOut, Part
from fullrate.records.recording import Promise, Recording
from fullrate.records.trial import IDLE
from unit.intake.build import INTERRUPTS, MORE_STATS, RUN, SERVED, SETTINGS, STATS, part, readers, traffic

FRAME = Recording(id="X", started_at="now", tool_version="0", promise=Promise(), ends={})
BEFORE, AFTER = part(STATS, "a", moment="before"), part(MORE_STATS, "b", moment="after")


def made(*parts: Part, sos: bool = False) -> Recording:
    """The recording of some parts."""
    left = [LeftOut(name="core", why="no text")]
    return recording_of(parts, left, FRAME, readers(traffic()), idle=0 if sos else None)


def keys(recording: Recording, end: End = End.NEAR) -> list[str]:
    """What an end answered."""
    replies = [reply for moment in recording.ends[end].moments for reply in moment.replies]
    return [reply.request.key for reply in replies if reply.status is Status.OK]


def test_each_part_is_a_reply() -> None:
    """Of the one host, about the link that its title names."""
    found = made(part(SETTINGS), part(INTERRUPTS))
    assert ["run ethtool IFNAME", "read /proc/interrupts"] == keys(found)
    assert "eth0" == found.ends[End.NEAR].interface


def test_what_names_no_link_is_about_the_main_one() -> None:
    """Counters without a name beside settings of eth0 are eth0's."""
    assert "run ethtool -S eth0" in keys(made(part(SETTINGS), part(STATS)))


def test_a_link_that_nothing_names_has_a_placeholder() -> None:
    """As manual pages write it: nobody is told to change a link that was made up."""
    assert "IFNAME" == made(part(STATS)).ends[End.NEAR].interface


def test_a_link_that_only_a_log_names() -> None:
    """The kernel's own lines say which."""
    text = "[    9.211047] bcmgenet fd580000.ethernet eth0: Link is Down\n"
    recording = made(Part(name="dmesg.txt", text=text, command=("dmesg",)))
    assert "eth0" == recording.ends[End.NEAR].interface


def test_links_that_are_listed_need_no_placeholder() -> None:
    """All of them are looked at."""
    head = "1: lo: <LOOPBACK,UP> mtu 65536 qdisc noqueue state UNKNOWN mode DEFAULT group default qlen 1000"
    assert made(part(f"{head}\n    link/loopback x\n", command=("ip", "link"))).ends[End.NEAR].interface is None


def test_nothing_understood_can_be_asked_for() -> None:
    """The one host there is answers nothing yet."""
    found = made(part("My link is slow"))
    statuses = {reply.status for moment in found.ends[End.NEAR].moments for reply in moment.replies}
    assert {Status.NOT_RECORDED} == statuses


def test_what_was_not_given_is_not_recorded() -> None:
    """So that a check can ask for it; what was given is not asked for again."""
    moment = made(part(SETTINGS)).ends[End.NEAR].moments[0]
    missing = [reply.request.key for reply in moment.replies if reply.status is Status.NOT_RECORDED]
    assert ("run ethtool -S eth0" in missing, "run ethtool eth0" in missing) == (True, False)


def test_a_test_has_two_ends() -> None:
    """Of which the one that nobody looked at is only a server."""
    found = made(part(RUN), part(STATS))
    assert {End.NEAR: "the host", End.FAR: "iperf3://192.0.2.2"} == {
        end: record.target for end, record in found.ends.items()
    }
    assert "192.0.2.1" == found.ends[End.NEAR].address


def test_a_server_without_an_address() -> None:
    """Somebody answered; who is not told."""
    assert "iperf3://the-other-end" == made(part("port 5201")).ends[End.FAR].target


def test_two_hosts() -> None:
    """Each with what its prompt stands above."""
    found = made(part(STATS, host="a"), part(INTERRUPTS, host="b"))
    assert {End.NEAR: "a", End.FAR: "b"} == {end: record.target for end, record in found.ends.items()}


def test_a_client_of_which_only_the_test_is_known() -> None:
    """It is called as its prompt does, and everything can be asked of it."""
    found = made(part(STATS, host="nas"), part(RUN, host="laptop"))
    assert {End.NEAR: "laptop", End.FAR: "nas"} == {end: record.target for end, record in found.ends.items()}


def test_before_and_after_go_with_the_one_test() -> None:
    """They are its moments."""
    trial = made(BEFORE, part(RUN), AFTER).trials[0]
    assert ["before", "after"] == [moment.name for moment in trial.moments]


def test_before_and_after_without_a_test_are_a_look() -> None:
    """Nothing is known to have been sent."""
    assert [IDLE] == [trial.spec for trial in made(BEFORE, AFTER).trials]


def test_before_alone_is_no_window() -> None:
    """A difference needs both."""
    assert () == made(BEFORE).trials


def test_the_newest_reading_comes_last() -> None:
    """Facts of one kind are found from the end."""
    moment = made(AFTER, BEFORE).ends[End.NEAR].moments[0]
    assert MORE_STATS.encode() == [reply.payload for reply in moment.replies if reply.payload][-1]


def test_a_host_that_only_served() -> None:
    """Is the near end, and the client somebody else."""
    found = made(part(STATS), part(SERVED))
    assert (True, "iperf3://192.0.2.1") == (found.trials[0].spec.near_serves, found.ends[End.FAR].target)


def test_the_account_tells_of_every_part() -> None:
    """Who read it, as what, of which end and link; what nobody read, and why; what was left out."""
    given = made(part(STATS, "s"), part("hello", "z"), part(RUN, "r")).given
    assert given is not None
    assert [("r", "traffic", "trial/t1", None), ("s", "ethtool_statistics", "run ethtool -S IFNAME", "IFNAME")] == [
        (one.name, one.reader, one.key, one.link) for one in given.readings if one.reader
    ]
    assert [("z", "hello", 5, "no source knows this text")] == [
        (one.name, one.first, one.size, one.why) for one in given.readings if not one.reader
    ]
    assert ["core"] == [one.name for one in given.left_out]


def test_files_of_a_sosreport_that_nobody_reads_are_counted() -> None:
    """They are thousands; listing them hides the rest."""
    found = made(part("x", path="/etc/motd"), part(INTERRUPTS, path="/proc/interrupts"), sos=True).given
    assert found is not None
    assert (1, ["interrupts"]) == (found.unused, [one.reader for one in found.readings])


def test_other_options_of_a_known_program_are_looked_at() -> None:
    """What sos asked may be worded otherwise than what we ask."""
    found = made(part(STATS, command=("ethtool", "--all")), sos=True).given
    assert found is not None
    assert ["ethtool_statistics"] == [one.reader for one in found.readings]


def test_small_files_are_put_together() -> None:
    """Those that one source reads as a whole."""
    path = "/sys/class/net/eth0/queues/rx-0/rps_cpus"
    found = made(part("1\n", path=path))
    assert found.given is not None
    assert ["queue_cpus"] == [one.reader for one in found.given.readings]


def test_a_radio_names_its_link() -> None:
    """Of outputs that were asked about no link the one that they name is meant."""
    text = 'wlan0     IEEE 802.11  ESSID:"x"\n          Bit Rate=13 Mb/s   Tx-Power=31 dBm\n'
    assert "wlan0" == made(part(text)).ends[End.NEAR].interface


def test_a_log_that_is_there_twice_counts_once() -> None:
    """`dmesg` and `dmesg -T` are one log; what only one of them holds is kept."""
    down, up = ("{}e1000e 0000:00:1f.6 eno1: NIC Link is Down\n", "{}e1000e 0000:00:1f.6 eno1: NIC Link is Up\n")
    plain = part(down.format("[    8.499279] ") + down.format("[   28.499279] "), "a", command=("dmesg",))
    dated = part(down.format("[Mon Nov 30 10:00:08 2026] "), "b", command=("dmesg", "-T"))
    other = part(up.format("[Mon Nov 30 10:00:09 2026] "), "c", command=("dmesg", "-T"))
    read = [one.request.key for one in made(dated, plain, other).ends[End.NEAR].moments[0].replies if one.payload]
    assert ["run dmesg", "run dmesg -T"] == read


def test_two_sosreports_are_two_hosts() -> None:
    """The first is the near one."""
    found = made(*(part(INTERRUPTS, name, path="/proc/interrupts", host=name) for name in ("b", "a")), sos=True)
    assert {End.NEAR: "b", End.FAR: "a"} == {end: record.target for end, record in found.ends.items()}


def test_a_place_on_a_bus_is_no_link_to_ask_about() -> None:
    """`ethtool 0000:01:00.0` is no command."""
    narrow = (
        "[    1.000001] ixgbe 0000:01:00.0: 4.000 Gb/s available PCIe bandwidth, limited by 5.0 GT/s PCIe x1 link\n"
    )
    replies = made(part(narrow)).ends[End.NEAR].moments[0].replies
    assert "run ethtool IFNAME" in [one.request.key for one in replies]


@pytest.mark.parametrize(("more", "expected"), [(0, "eth1"), (2, "eth0")])
def test_the_main_link_of_a_host_all_of_whose_links_were_asked(more: int, expected: str) -> None:
    """That of the default route, unless much more is told of another one."""
    asked = [
        part(STATS, f"{link}{n}", command=("ethtool", "-S", link), link=link)
        for link, wanted in (("eth0", 1 + more), ("eth1", 1))
        for n in range(wanted)
    ]
    routes = part("default via 192.0.2.1 dev eth1 proto static metric 100\n", "r", command=("ip", "route"))
    link = "1: eth0: <UP> mtu 1500 qdisc mq state UP mode DEFAULT group default qlen 1000\n"
    links = link + "    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n"
    listed = part(links, "l", command=("ip", "link"))
    assert expected == made(*asked, routes, listed).ends[End.NEAR].interface


MEMBERS = "Slave Interface: eth1\nSpeed: 10000 Mbps\nSlave Interface: eth2\nSpeed: 10000 Mbps\n"


@pytest.mark.parametrize(
    ("mode", "link"),
    [("IEEE 802.3ad Dynamic link aggregation", "bond0"), ("fault-tolerance (active-backup)", "eth1")],
)
def test_of_a_bond_no_member_is_the_way(mode: str, link: str) -> None:
    """Unless one carries everything."""
    text = f"Bonding Mode: {mode}\n{MEMBERS}"
    found = made(part(text, path="/proc/net/bonding/bond0", command=("cat", "/proc/net/bonding/bond0")))
    assert link == found.ends[End.NEAR].interface
