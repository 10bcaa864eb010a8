"""The open hosts of a job: reaching and reading them, and where a trial is tried."""

import threading

import pytest

from bundled import Stage, golden
from fullrate.host.protocol import Host
from fullrate.measure.trial import TrialLost
from fullrate.pairing import Wish
from fullrate.records.ends import End
from fullrate.records.errors import TargetError, UsageError
from fullrate.records.evidence import QueryCommand, ReadFile, Status, query
from fullrate.records.facts.link import Link
from fullrate.records.finding import Ask
from fullrate.records.target import Target, TargetKind
from fullrate.records.trial import IDLE
from fullrate.session import Session
from session_fakes import collected, opened, session
from trial_fakes import Ticks


@pytest.fixture
def stage() -> Stage:
    """The healthy practice network."""
    return Stage(golden("healthy")[0])


def moments(found: Session, end: End) -> list[str]:
    """The moments of one end so far."""
    return [moment.name for moment in found.recording.ends[end].moments]


def test_both_hosts_are_opened() -> None:
    """Each target is reached once."""
    reached: list[str] = []
    stage, found = Stage(golden("healthy")[0]), session()

    def open_(one: Target) -> Host:
        reached.append(one.text)
        return stage.hosts[End(one.name)]

    found.open(open_)
    assert ["netns:far", "netns:near"] == sorted(reached)
    assert set(End) == set(found.hosts)


def test_an_unreachable_end_is_recorded_with_the_reason(stage: Stage) -> None:
    """The other end is there all the same."""
    found = session()

    def open_(one: Target) -> Host:
        if one.name == End.FAR:
            raise TargetError("far: no route to host")
        return stage.near

    found.open(open_)
    assert ("", "far: no route to host") == tuple(found.recording.ends[end].unreachable for end in End)
    assert [End.NEAR] == list(found.hosts)


def test_an_unreachable_end_does_not_keep_the_other_from_being_read(stage: Stage) -> None:
    """Its facts are there; a test is not possible."""
    found = session()
    found.hosts = {End.NEAR: stage.near}
    found.collect()
    assert found.snapshot(End.NEAR).all(Link)
    assert (False, 0) == (found.can_test(), len(moments(found, End.FAR)))


def test_without_any_host_nothing_is_read() -> None:
    """Nor is a step announced."""
    found, progress = session(), Ticks()
    found.progress = progress
    found.collect()
    assert [] == progress.phases


def test_a_wrong_target_is_the_users_error() -> None:
    """It is not recorded as an unreachable host."""

    def open_(_: Target) -> Host:
        raise UsageError("no such namespace")

    with pytest.raises(UsageError, match="no such namespace"):
        session().open(open_)


def test_a_host_that_answers_after_ctrl_c_is_closed(stage: Stage) -> None:
    """Opening went on in the background; nothing stays open."""
    found = session()
    asked, go = threading.Event(), threading.Event()

    def open_(one: Target) -> Host:
        if one.name == End.FAR:
            asked.set()
            go.wait(5)
        return stage.hosts[End(one.name)]

    opening = threading.Thread(target=found.open, args=(open_,))
    opening.start()
    asked.wait(5)
    found.close()
    go.set()
    opening.join(5)
    assert stage.far.closed


def test_closing_closes_both(stage: Stage) -> None:
    """And a second time does nothing."""
    found = opened(stage)
    found.close()
    found.close()
    assert (True, True, {}) == (stage.near.closed, stage.far.closed, found.hosts)


def test_what_is_asked_is_told(stage: Stage) -> None:
    """The person sees which hosts are reached and read, in the order named."""
    found, progress = session(), Ticks()
    found.progress = progress
    found.open(lambda one: stage.hosts[End(one.name)])
    found.collect()
    assert ["reaching netns:near and netns:far", "reading the near host and the far host"] == progress.phases


def test_collecting_settles_on_two_links_and_addresses(stage: Stage) -> None:
    """As the hosts' routing says."""
    ends = collected(stage).recording.ends
    known = golden("healthy")[0].ends
    assert [(known[end].interface, known[end].address) for end in End] == [
        (ends[end].interface, ends[end].address) for end in End
    ]


def asked(stage: Stage, end: End) -> list[str]:
    """What one end was asked."""
    return [request.key for request in stage.hosts[end].asked]


def test_the_far_end_is_asked_for_its_way_back(stage: Stage) -> None:
    """From the tested address, which a rule may look at; the last answer counts."""
    collected(stage)
    back = [key for key in asked(stage, End.FAR) if key.startswith("run ip -json route get")]
    plain = "run ip -json route get 10.77.1.2"
    assert [plain, f"{plain} from 10.77.2.2"] == back


@pytest.mark.parametrize("end", list(End))
def test_the_speed_of_other_links_is_read(stage: Stage, end: End) -> None:
    """And nothing else of them."""
    collected(stage)
    assert ["run ethtool -i cpu0", "run ethtool cpu0"] == [key for key in asked(stage, end) if key.endswith(" cpu0")]


def test_a_path_makes_a_test_possible(stage: Stage) -> None:
    """Before it is known there is nothing to test."""
    found = opened(stage)
    assert not found.can_test()
    found.collect()
    assert found.can_test()


def test_links_are_asked_about_once_they_are_known(stage: Stage) -> None:
    """First what needs no subject, then the routes, then the links under test."""
    found = collected(stage)
    assert ["collect"] * 3 == moments(found, End.NEAR)
    first, routes, last = (
        [reply.request.key for reply in moment.replies] for moment in found.recording.ends[End.NEAR].moments
    )
    assert not any("wire0" in key for key in first)
    assert all(key.startswith("run ip -json route get") for key in routes)
    assert any("wire0" in key for key in last)


def test_no_host_is_asked_the_same_twice(stage: Stage) -> None:
    """Collecting costs each request once."""
    collected(stage)
    keys = [request.key for request in stage.near.asked]
    assert sorted(set(keys)) == sorted(keys)


def test_the_wished_source_address_is_part_of_the_route(stage: Stage) -> None:
    """--bind asks for the route from there."""
    with pytest.raises(TargetError, match="no route"):
        collected(stage, Wish(bind="10.77.1.9"))
    routes = [one.argv[3:] for one in stage.near.asked if isinstance(one, QueryCommand) and one.argv[0] == "ip"]
    assert any(argv[-2:] == ("from", "10.77.1.9") for argv in routes)


def test_an_ssh_host_is_asked_how_it_was_reached(stage: Stage) -> None:
    """The address SSH reached is the likeliest to test."""
    found = session(kind=TargetKind.SSH)
    found.hosts = dict(stage.hosts)
    found.collect()
    assert query("printenv", "SSH_CONNECTION") in stage.far.asked


def test_a_namespace_is_not(stage: Stage) -> None:
    """The variable would be that of our own connection."""
    collected(stage)
    assert query("printenv", "SSH_CONNECTION") not in stage.far.asked


def test_one_end_is_read_alone(stage: Stage) -> None:
    """Without a second target no path is looked for."""
    found = session(ends=[End.NEAR])
    found.hosts = {End.NEAR: stage.near}
    found.collect()
    assert not found.can_test()
    assert found.snapshot(End.NEAR).all(Link)


@pytest.mark.parametrize("end", list(End))
def test_a_host_lost_while_both_are_read_keeps_the_others_answers(stage: Stage, end: End) -> None:
    """The error goes on, the answers are in the recording."""
    found = opened(stage)
    stage.hosts[end].close()
    with pytest.raises(TargetError, match=f"the {end} host is closed"):
        found.collect()
    assert ([], ["collect"]) == (moments(found, end), moments(found, end.other))


def test_an_ask_is_answered_and_kept(stage: Stage) -> None:
    """By the end it names; it counts as asked."""
    found = collected(stage)
    ask = Ask(text="the mounts", end=End.FAR, request=ReadFile(path="/proc/mounts"))
    found.answer(ask, None)
    last = found.recording.ends[End.FAR].moments[-1]
    assert ("ask", [Status.NOT_RECORDED]) == (last.name, [reply.status for reply in last.replies])
    assert [ask] == found.asked


def test_an_ask_for_a_person_is_only_remembered(stage: Stage) -> None:
    """What cannot be asked of a host is not asked again."""
    found = collected(stage)
    before = found.recording
    found.answer(Ask(text="state the speed"), None)
    assert (before, 1) == (found.recording, len(found.asked))


def test_a_note_is_part_of_the_recording() -> None:
    """In the order they came."""
    found = session()
    found.note("one")
    found.note("two")
    assert ("one", "two") == found.recording.notes


def test_allowing_load_is_part_of_the_recording() -> None:
    """The replay decides as the live run did."""
    found = session()
    found.allow_load()
    assert found.recording.promise.allow_load


def test_an_idle_look_is_a_trial_without_traffic(stage: Stage) -> None:
    """It is watched for a second; nothing is launched."""
    found = collected(stage)
    found.answer(Ask(text="watch", trial=IDLE), None)
    assert [("t1", "", None)] == [(one.id, one.generator, one.port) for one in found.recording.trials]
    assert ([], []) == (stage.near.launched, stage.far.launched)


def test_an_idle_look_at_a_lost_host_is_kept(stage: Stage) -> None:
    """With the reason; the error goes on."""
    found = collected(stage)
    stage.far.close()
    with pytest.raises(TrialLost):
        found.answer(Ask(text="watch", trial=IDLE), None)
    assert ["the far host is closed: open it again"] == [one.failure for one in found.recording.trials]


def test_legacy_tables_in_use_are_printed(stage: Stage) -> None:
    """By the program of that build; no other table is asked for, which would make the kernel create it."""
    stage.near.know("read /proc/net/ip_tables_names", "filter\n")
    stage.near.know("run iptables -V", "iptables v1.8.9 (nf_tables)\n")
    collected(stage)
    tables = [request for request in stage.near.asked if isinstance(request, QueryCommand) and "-t" in request.argv]
    assert [query("iptables-legacy-save", "-c", "-t", "filter")] == tables


def test_without_legacy_tables_iptables_is_not_run(stage: Stage) -> None:
    """It could load a module."""
    collected(stage)
    assert not any("tables" in request.argv[0] for request in stage.near.asked if isinstance(request, QueryCommand))


def test_legacy_rules_are_read_around_a_look(stage: Stage) -> None:
    """Their counters are compared."""
    stage.near.know("read /proc/net/ip6_tables_names", "mangle\n")
    found = session(ends=[End.NEAR])
    found.hosts, found.clock = {End.NEAR: stage.near}, stage.clock
    found.collect()
    found.look()
    asked = [request.key for request in stage.near.asked]
    assert 3 == asked.count("run ip6tables-legacy-save -c -t mangle")


def test_links_below_the_one_under_test_are_read_too(stage: Stage) -> None:
    """A VLAN has no rings; its parent has."""
    stage.near.know(
        "run ip -json -details -statistics link show",
        '[{"ifindex": 2, "ifname": "eth0", "mtu": 1500, "operstate": "UP"},'
        ' {"ifindex": 3, "ifname": "wire0", "mtu": 1500, "operstate": "UP", "link": "eth0",'
        ' "linkinfo": {"info_kind": "vlan"}}]',
    )
    collected(stage)
    rings = [request.key for request in stage.near.asked if request.key.startswith("run ethtool -g")]
    assert ["run ethtool -g wire0", "run ethtool -g eth0"] == rings


def test_a_block_that_packets_may_be_led_through_is_read_too(stage: Stage) -> None:
    """Its queue may shape what the link under test receives."""
    stage.near.know(
        "run ip -json -details -statistics link show",
        '[{"ifindex": 3, "ifname": "wire0", "mtu": 1500, "operstate": "UP"},'
        ' {"ifindex": 4, "ifname": "ifb0", "mtu": 1500, "operstate": "UNKNOWN", "linkinfo": {"info_kind": "ifb"}}]',
    )
    collected(stage)
    queues = [request.key for request in stage.near.asked if request.key.startswith("run tc -s -json qdisc")]
    assert ["run tc -s -json qdisc show"] == queues
