"""Every recorded text of the physical side is recognised by its own source, and by no other of all."""

from pathlib import Path

import pytest

from fullrate.records.leaf import Scope, Source
from fullrate.registry import sources
from fullrate.sources import dmesg, ethtool_eee, ethtool_fec, ethtool_module, ethtool_pause, sysfs_carrier
from tool_output import FIXTURES, recorded

MODULES = (dmesg, ethtool_eee, ethtool_fec, ethtool_module, ethtool_pause, sysfs_carrier)
MINE: tuple[Source, ...] = tuple(module.SOURCE for module in MODULES)
# The beginning of a fixture's name tells the command that printed it.
OWNERS = {
    "dmesg": "dmesg",
    "ethtool_show_eee": "ethtool_eee",
    "ethtool_I_show_fec": "ethtool_fec",
    "ethtool_show_fec": "ethtool_fec",
    "ethtool_m": "ethtool_module",
    "ethtool_I_a": "ethtool_pause",
    "sysfs_carrier": "sysfs_carrier",
}
PASTED = sorted(
    (f"phy/{file.name}", owner)
    for start, owner in OWNERS.items()
    for file in Path(FIXTURES, "phy").glob(f"{start}*.txt")
)
PASTED += [
    (f"{generation}/{driver}/{name}.txt", "ethtool_pause")
    for generation in ("debian12", "debian13")
    for driver in ("igb", "e1000e", "e1000")
    for name in ("ethtool_a", "ethtool_I_a")
]
# every other recorded text; what is named like one of ours may be one
FOREIGN = sorted(
    str(file.relative_to(FIXTURES))
    for folder in ("debian12", "debian13", "recorded")
    for file in Path(FIXTURES, folder).rglob("*.txt")
    if not file.name.startswith((*OWNERS, "ethtool_a"))
)


def claimants(text: str, among: tuple[Source, ...]) -> list[str]:
    """The sources that take a text for their own."""
    return [source.id for source in among if source.recognizes(text)]


@pytest.mark.parametrize(("path", "owner"), PASTED)
def test_one_source_of_all_claims_it(path: str, owner: str) -> None:
    """A pasted answer finds its parser."""
    assert [owner] == claimants(recorded(path).decode(), sources())


@pytest.mark.parametrize(("path", "owner"), PASTED)
def test_prompt_above_changes_nothing(path: str, owner: str) -> None:
    """People paste the command with its answer."""
    assert [owner] == claimants("root@nas:~# the command\n" + recorded(path).decode(), sources())


def test_other_fixtures_are_not_theirs() -> None:
    """No recorded answer of another command is claimed."""
    claimed = {path: claimants(recorded(path).decode(errors="replace"), MINE) for path in FOREIGN}
    assert {} == {path: names for path, names in claimed.items() if names}


@pytest.mark.parametrize("source", MINE, ids=lambda source: source.id)
def test_every_request_has_one_owner(source: Source) -> None:
    """The reply goes to the source that asked, and to no other."""
    requests = source.requests(Scope(links=("eth0",)))
    assert [[source.id]] == [[other.id for other in sources() if other.answers(request)] for request in requests]


@pytest.mark.parametrize("text", ["", "\n", "hello", "[]", "{}", "<html></html>", "[  5] 0.00-1.00 sec"])
def test_anything_else_is_nobodys(text: str) -> None:
    """What has no form is not claimed."""
    assert [] == claimants(text, MINE)
