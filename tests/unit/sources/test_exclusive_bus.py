"""The sources of buses and queues: each fixture has one owner among all sources, and they claim no other fixture."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.leaf import Scope, Source
from fullrate.registry import sources
from proc_fixtures import FIXTURES, PASTED

OURS = (
    *("device_path", "ethtool_flow_hash", "ethtool_rss", "irq_affinity", "link_irqs", "pcie_errors", "queue_cpus"),
    "receive_drops",
)
SOURCES: tuple[Source, ...] = tuple(source for source in sources() if source.id in OURS)
FOLDERS = ("debian12", "debian13", "recorded")


def owner(name: str) -> str | None:
    """The source a fixture belongs to, by its name; None when it is none of ours."""
    if name.startswith("ethtool_x"):
        return "ethtool_rss"
    if name.startswith("ethtool_n_rx_flow_hash"):
        return "ethtool_flow_hash"
    stem = name.removeprefix("grep_").removesuffix(".txt")
    return stem if name.startswith("grep_") and stem in OURS else None


def texts() -> Iterator[Path]:
    """Every recorded text."""
    for folder in FOLDERS:
        yield from sorted(file for file in (FIXTURES / folder).rglob("*.txt") if file.stat().st_size)


OWNED = [str(file.relative_to(FIXTURES)) for file in texts() if owner(file.name)]


@pytest.mark.parametrize("path", OWNED)
def test_one_source_of_all_claims_a_fixture(path: str) -> None:
    """No other source takes it for its own, with the prompt above it neither."""
    text = (FIXTURES / path).read_text()
    expected = [owner(Path(path).name)]
    assert expected == [source.id for source in sources() if source.recognizes(text)]
    assert expected == [source.id for source in sources() if source.recognizes("root@nas:~# command\n" + text)]


def test_no_other_text_is_claimed() -> None:
    """What belongs to others, or to nobody, stays theirs."""
    others = [file for file in texts() if owner(file.name) is None]
    claimed = [
        (file.name, source.id)
        for file in others
        for source in SOURCES
        if source.recognizes(file.read_text(errors="replace"))
    ]
    assert [] == claimed


@pytest.mark.parametrize("path", OWNED)
def test_a_cut_fixture_is_read_or_refused(path: str) -> None:
    """Wherever an answer is cut off: facts of the right kind, or FormatError."""
    (source,) = (source for source in SOURCES if source.id == owner(Path(path).name))
    payload = (FIXTURES / path).read_bytes()
    for part in range(11):
        try:
            facts = source.parse(PASTED, payload[: len(payload) * part // 11])
        except FormatError:
            continue
        assert all(isinstance(fact, source.facts) for fact in facts)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.id)
def test_both_generations_are_recorded(source: Source) -> None:
    """Every source has fixtures of two kernels."""
    assert {"debian12", "debian13"} <= {path.split("/")[0] for path in OWNED if owner(Path(path).name) == source.id}


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.id)
def test_every_request_has_one_owner(source: Source) -> None:
    """The reply to a request goes to the source that asked, and to no other."""
    scope = Scope(links=("eth0",))
    for request in source.requests(scope):
        assert [source.id] == [other.id for other in sources() if other.answers(request)]
