"""One file to parts."""

import gzip

from fullrate.intake.members import Member
from fullrate.intake.parts import idle_of_sos, is_sos, parts_of
from fullrate.records.ends import End
from fullrate.records.part import LeftOut, Part, Said
from unit.intake.build import SETTINGS, STATS

SAID = Said(path="x")


def parts(name: str, text: str, said: Said = SAID) -> tuple[Part, ...]:
    """The parts of a text."""
    found = parts_of(Member(name=name, data=text.encode()), said, lambda path: path == "/proc/net/dev")
    assert not isinstance(found, LeftOut)
    return found


def why(name: str, data: bytes) -> str:
    """Why a file is left out."""
    found = parts_of(Member(name=name, data=data), SAID, lambda _: False)
    assert isinstance(found, LeftOut)
    return found.why


def test_the_name_says_what_a_plain_output_is() -> None:
    """Command, link, end and moment."""
    found = parts("ethtool-S_eth0_before_server.txt", STATS)[0]
    assert (("ethtool", "-S", "eth0"), "eth0", End.FAR, "before") == (
        found.command,
        found.link,
        found.end,
        found.moment,
    )


def test_the_prompt_says_more_than_the_name() -> None:
    """A file may hold another command than its name says."""
    found = parts("ethtool-S_eth0.txt", f"root@nas:~# ethtool eth1\n{SETTINGS}")[0]
    assert (("ethtool", "eth1"), "eth1", "nas", "ethtool eth1") == (found.command, found.link, found.host, found.typed)


def test_the_user_says_most() -> None:
    """--far and --before hold whatever the name says."""
    found = parts("x_client_after.txt", STATS, Said(path="x", end=End.FAR, moment="before"))[0]
    assert (End.FAR, "before", True) == (found.end, found.moment, found.said)


def test_a_path_that_is_read_is_chosen() -> None:
    """A flat name's bars may be slashes."""
    assert "/proc/net/dev" == parts("proc_net_dev.txt", "Inter-|")[0].path


def test_a_file_of_a_host_is_not_cut() -> None:
    """Its lines may look like prompts."""
    assert 1 == len(parts("nas/proc/net/dev", "$ ethtool eth0\nx\n$ ethtool eth1\ny\n"))


def test_a_command_that_shows_a_file() -> None:
    """Is that file."""
    assert "/proc/interrupts" == parts("paste.txt", "$ cat /proc/interrupts\n 26: 1 0 PCI-MSI\n")[0].path


def test_commands_that_printed_nothing_are_no_evidence() -> None:
    """There is nothing to read."""
    assert () == parts("paste.txt", "$ ethtool -K eth0 tso off\n$ ethtool -K eth0 gso off\n")


def test_what_is_no_text_is_left_out() -> None:
    """Pictures, archives in archives, empty files; each is said."""
    packed = gzip.compress(b"x" * 5000) + b"\0"
    reasons = [why("a.png", b"\x89PNG\0"), why("a.tar.gz", packed), why("a.txt", b" \n")]
    assert ["no text", "an archive in an archive: name it itself", "empty"] == reasons


def test_a_sosreport_is_known_by_its_folder() -> None:
    """Of outputs that sos names."""
    assert is_sos([Member(name="s/sos_commands/networking/ip_-s_link", data=b"")])
    assert not is_sos([Member(name="ip_link.txt", data=b"")])


def test_only_what_a_sosreport_itself_holds_is_passed_over() -> None:
    """A text that somebody put into its folder, or beside it, is read."""
    output = Member(name="s/sos_commands/kernel/uname_-a", data=b"Linux")
    members = [
        Member(name=name, data=b"x") for name in ("s/version.txt", "s/sos_logs/ui.log", "s/paste.txt", "a/b.txt")
    ]
    assert {"s/version.txt", "s/sos_logs/ui.log"} == idle_of_sos([output, *members])
