"""The source setting_owners."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.processor import SettingOwners
from fullrate.records.leaf import Scope
from fullrate.sources.setting_owners import SOURCE
from proc_fixtures import GARBAGE, PASTED, parsed

NONE = b"2 kthreadd\n"
SEVERAL = b"2 kthreadd\n412 NetworkManager\n530 irqbalance\n611 systemd-network\n"


def test_running_owners() -> None:
    """By their full names, though the kernel cuts them."""
    expected = ("NetworkManager", "irqbalance", "systemd-networkd")
    assert SettingOwners(names=expected) == parsed(SOURCE, SEVERAL, SettingOwners)[""]


def test_no_owner_runs() -> None:
    """The kernel's own thread shows that the list was read."""
    assert SettingOwners(names=()) == parsed(SOURCE, NONE, SettingOwners)[""]


def test_two_processes_of_one_owner() -> None:
    """It counts once."""
    assert ("tuned",) == parsed(SOURCE, b"5 tuned\n6 tuned\n", SettingOwners)[""].names


@pytest.mark.parametrize("payload", [b"kthreadd\n", b"2 bash\n", SEVERAL[:16], GARBAGE, b""])
def test_other_bytes_are_refused(payload: bytes) -> None:
    """No number, none of the names, a cut line, garbage and nothing lack the form."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_one_request_for_all() -> None:
    """One pattern with every name, the one that always runs among them."""
    (request,) = SOURCE.requests(Scope())
    assert request.key.startswith("run pgrep -l -x 'kthreadd|irqbalance|tuned|")


def test_list_is_recognized() -> None:
    """By the thread that is always there."""
    assert SOURCE.recognizes(SEVERAL.decode())
