"""A real sosreport, in part: what its files are taken for, and of whom."""

import io
from pathlib import Path

import pytest

from fullrate.intake import given
from fullrate.records.ends import End
from fullrate.records.evidence import Reply, Status
from fullrate.records.part import Given, Said
from fullrate.records.recording import Recording

FOLDER = Path(__file__).parents[2] / "fixtures" / "sosreport"


@pytest.fixture(scope="module")
def recording() -> Recording:
    """What is made of it."""
    return given([Said(path=str(FOLDER))], io.BytesIO(), run_id="X", started_at="now")


def account(recording: Recording) -> Given:
    """How it was understood."""
    assert recording.given is not None
    return recording.given


def reply(recording: Recording, key: str) -> Reply:
    """What was said to a request."""
    replies = recording.ends[End.NEAR].moments[0].replies
    return next(one for one in replies if one.request.key == key)


def test_it_is_of_one_host_whatever_its_name(recording: Recording) -> None:
    """Words of the folder's name are the host's, not what says which end it is."""
    assert [(End.NEAR, "nfs-server", "enp1s0")] == [
        (end, record.target, record.interface) for end, record in recording.ends.items()
    ]


@pytest.mark.parametrize("name", ["dev", "netstat", "snmp", "softnet_stat", "sockstat"])
def test_the_files_below_the_number_of_a_process_are_the_hosts(recording: Recording, name: str) -> None:
    """A link leads there from /proc/net, which no archive follows."""
    assert Status.OK is reply(recording, f"read /proc/net/{name}").status


@pytest.mark.parametrize("option", ["-g", "-a", "-c"])
def test_what_the_driver_does_not_offer_is_no_riddle(recording: Recording, option: str) -> None:
    """It was asked and refused, so nobody asks again."""
    assert Status.UNSUPPORTED is reply(recording, f"run ethtool {option} enp1s0").status


def test_routes_of_every_kind_are_read(recording: Recording) -> None:
    """Those of multicast, too, which a table of all routes holds."""
    assert Status.OK is reply(recording, "run ip route show table all").status


def test_all_else_is_counted_and_not_listed(recording: Recording) -> None:
    """What sos writes about itself, what is empty, what is no text and what nobody reads."""
    found = account(recording)
    # version.txt, environment, sos_reports/sos.txt; etc/environment, anycast6: empty; rt_acct: no text; nobody reads
    # etc/sysctl.conf, sos_commands/host/hostname and ip_maddr_show.
    assert (9, ["README.md"], []) == (
        found.unused,
        [one.name for one in found.readings if one.reader is None],
        [one.name for one in found.left_out],
    )
