"""`check` without a target: one host's links, without traffic."""

import functools
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from bundled import Stage, golden
from fullrate import workflow
from fullrate.bundle import read_bundle
from fullrate.records.ends import End
from fullrate.records.errors import UsageError
from fullrate.records.evidence import Reply, Status, query
from fullrate.records.facts.link import Link, links_to_look_at, without_classes, without_device
from fullrate.records.run import Run, State
from fullrate.records.target import Target
from fullrate.replaying import replay
from fullrate.report import render
from fullrate.session import LOOK_SECONDS, Session


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Stage:
    """The near host of the healthy practice network."""
    stage = Stage(golden("healthy")[0])

    def open_(target: Target) -> object:
        return stage.hosts[End(target.name)]

    monkeypatch.setattr(workflow, "open_host", open_)
    monkeypatch.setattr(workflow, "Session", functools.partial(Session, clock=stage.clock))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return stage


def look(**options: object) -> Run:
    """A look at the near host."""
    return workflow.look("netns:near", **options)  # type: ignore[arg-type]


def test_nothing_is_sent(stage: Stage) -> None:
    """No program is started."""
    run = look()
    assert (State.NOT_MEASURED, (), []) == (run.verdict.state, run.measurements, stage.hosts[End.NEAR].launched)


def test_counters_are_watched_for_five_seconds(stage: Stage) -> None:
    """Errors that come once a second are seen."""
    look()
    assert stage.clock.now() >= LOOK_SECONDS


@pytest.mark.usefixtures("stage")
def test_only_links_and_the_host_itself_are_judged() -> None:
    """Nothing is said of directions, for there is no path."""
    assert {None} == {finding.direction for finding in look().findings}


@pytest.mark.usefixtures("stage")
def test_the_links_stand_in_the_report() -> None:
    """With their settings."""
    assert "wire0" in render(look())


@pytest.mark.usefixtures("stage")
def test_a_link_that_is_not_there_is_refused() -> None:
    """With the names there are."""
    with pytest.raises(UsageError, match=r"there is no link eth9; there are .*wire0"):
        look(interface="eth9")


@pytest.mark.usefixtures("stage")
def test_the_bundle_replays(tmp_path: Path) -> None:
    """The replay law holds without a far end too."""
    run = look(output=tmp_path / "look.fullrate")
    recording, stored = read_bundle(tmp_path / "look.fullrate")
    assert stored is not None
    assert run.findings == replay(recording).findings


def links(**kinds: str | None) -> tuple[Link, ...]:
    """Links of these kinds."""
    return tuple(Link(subject=name, ifindex=1, mtu=1500, operstate="UP", kind=kind) for name, kind in kinds.items())


def test_physical_links_are_looked_at() -> None:
    """Bridges and veth pairs stand above or beside them."""
    assert ("eth0", "eth1") == links_to_look_at(links(lo=None, eth0=None, br0="bridge", eth1=None))


def test_a_host_without_physical_links_shows_the_others() -> None:
    """A container has veth links only."""
    assert ("veth0",) == links_to_look_at(links(lo=None, veth0="veth"))


def test_no_driver_stands_behind_what_the_kernel_makes() -> None:
    """A stacked link hands questions on to the one below, so it is asked."""
    found = without_device(links(eth0=None, veth0="veth", br0="bridge", vl0="vlan", bond0="bond", dum0="dummy"))
    assert {"veth0", "br0", "dum0"} == found


def test_a_device_whose_kind_is_odd_is_asked() -> None:
    """What has a device has a driver."""
    (link,) = links(veth0="veth")
    assert frozenset() == without_device([replace(link, parent_device="0000:01:00.0")])


def test_a_link_without_a_queue_has_no_classes() -> None:
    """Any other qdisc may have some."""
    plain, shaped = links(veth0="veth", veth1="veth")
    found = without_classes([replace(plain, qdisc="noqueue"), replace(shaped, qdisc="htb")])
    assert {"veth0"} == found


def asked(stage: Stage) -> set[str]:
    """What was asked of the near host."""
    return {request.key for request in stage.near.asked}


def crowd(stage: Stage, number: int) -> None:
    """Give the near host so many veth links in place of its own."""
    request = query("ip", "-json", "-details", "-statistics", "link", "show")
    common = {"mtu": 1500, "operstate": "UP", "qdisc": "noqueue", "linkinfo": {"info_kind": "veth"}}
    rows = [{"ifindex": index, "ifname": f"v{index}", **common} for index in range(1, number + 1)]
    stage.near.answers(Reply(request=request, status=Status.OK, payload=msgspec.json.encode(rows)))


def test_of_a_few_virtual_links_all_is_asked(stage: Stage) -> None:
    """A container's one link is looked at closely."""
    crowd(stage, 4)
    look()
    assert {"run ethtool -k v4", "run tc -s -json class show dev v4"} <= asked(stage)


def test_of_many_virtual_links_only_what_has_an_answer(stage: Stage) -> None:
    """Two hundred containers are no two hundred times twenty programs."""
    crowd(stage, 5)
    look()
    about_one = [key for key in asked(stage) if key.startswith("run ") and key.rpartition(" ")[2] in {"v1", "v5"}]
    assert ([], True) == (about_one, "run tc -s -json qdisc show" in asked(stage))
