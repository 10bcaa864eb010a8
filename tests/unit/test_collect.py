"""What is asked of a host, and what becomes of each way to answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from fullrate import registry
from fullrate.collect import ask_new, ask_processes, cgroup_chain, counters, legacy_tables, read, read_one, wanted
from fullrate.host.fake import FakeHost
from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, ReadFile, Reply, Request, Status
from fullrate.records.facts.base import Fact
from fullrate.records.facts.cpu import ProcessCgroup
from fullrate.records.facts.net import FilterTables, ProgramVersion
from fullrate.records.leaf import Scope, Source, always, for_each_link, no_requests
from fullrate.records.snapshot import Snapshot
from fullrate.sources.boot_id import SOURCE as BOOT_ID
from unit.checks.build import snapshot

A, B = ReadFile(path="/a"), ReadFile(path="/b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Word(Fact):
    """A made-up fact."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Other(Fact):
    """Another kind."""


def words(_: Request, payload: bytes) -> tuple[Fact, ...]:
    """A fact for each word; `bad` is none."""
    found = payload.decode().split()
    if "bad" in found:
        raise FormatError("a bad word")
    return tuple(Word(text=word) for word in found)


def source(
    name: str = "words",
    *requests: Request,
    parse: Callable[[Request, bytes], tuple[Fact, ...]] = words,
    sampled: int | None = None,
    moving: bool = False,
) -> Source:
    """A source that answers for its requests, and asks for them always."""
    return Source(
        id=name,
        facts=(Word,),
        requests=always(*requests),
        answers=lambda request: request in requests,
        recognizes=lambda _: False,
        parse=parse,
        sampled=sampled,
        moving=moving,
    )


WORDS = source("words", A)


def reply(status: Status = Status.OK, payload: bytes = b"", *, request: Request = A, error: str = "") -> Reply:
    """An answer that came at second 12."""
    return Reply(request=request, status=status, payload=payload, error=error, finished=12.0)


def texts(snapshot: Snapshot) -> list[str]:
    """The words read."""
    return [fact.text for fact in snapshot.all(Word)]


def reasons(snapshot: Snapshot) -> list[str]:
    """Why something was not read."""
    return [gap.reason for gap in snapshot.gaps]


def ok(request: Request) -> Reply:
    """The request's key as its answer."""
    return Reply(request=request, status=Status.OK, payload=request.key.encode())


def test_an_answer_becomes_facts() -> None:
    """In their order, and nothing is missing."""
    snapshot = read([reply(payload=b"one two")], [WORDS])
    assert (["one", "two"], []) == (texts(snapshot), reasons(snapshot))


def test_a_fact_knows_its_time_and_request() -> None:
    """When the answer was complete, and what was asked."""
    (seen,) = read([reply(payload=b"one")], [WORDS]).observations
    assert (12.0, "read /a") == (seen.taken_at, seen.source)


def test_later_answers_stand_last() -> None:
    """So the newest fact is found first."""
    snapshot = read([reply(payload=b"old"), reply(payload=b"new")], [WORDS])
    found = snapshot.find(Word)
    assert found is not None
    assert "new" == found.text


def test_an_answer_nobody_reads_is_left_out() -> None:
    """Neither fact nor gap."""
    assert Snapshot() == read([reply(request=B, payload=b"x")], [WORDS])


def test_two_sources_may_read_one_answer() -> None:
    """Each gives its facts."""
    assert ["x", "x"] == texts(read([reply(payload=b"x")], [WORDS, source("again", A)]))


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (Status.ABSENT, "not there"),
        (Status.DENIED, "needs root"),
        (Status.UNSUPPORTED, "not supported by this kernel, driver or tool"),
        (Status.TIMED_OUT, "no answer in time"),
        (Status.NOT_RECORDED, "not in the recording"),
        (Status.FAILED, "failed"),
    ],
)
def test_every_way_not_to_answer_is_a_gap(status: Status, reason: str) -> None:
    """With its own reason, the source and the request."""
    (gap,) = read([reply(status)], [WORDS]).gaps
    assert ("words", "read /a", status, reason) == (gap.wanted, gap.tried, gap.status, gap.reason)


def test_an_answer_that_was_cut_is_not_read() -> None:
    """Its beginning has the right form; what the rest would have said must not pass for absent."""
    snapshot = read([reply(Status.FAILED, b"one two", error="output cut at 10000000 bytes")], [WORDS])
    assert ([], ["failed: output cut at 10000000 bytes"]) == (texts(snapshot), reasons(snapshot))


def test_an_answer_is_read_once() -> None:
    """A live run is diagnosed after every answer; the earlier ones stay as they are."""
    parsed: list[bytes] = []

    def note(_: Request, payload: bytes) -> tuple[Fact, ...]:
        parsed.append(payload)
        return ()

    counting = source("counting", A, parse=note)
    for _ in range(3):
        read([reply(payload=b"seen before")], [counting])
    assert [b"seen before"] == parsed


def test_every_status_has_its_reason() -> None:
    """A new status must not pass for a failure without a word."""
    found = [reasons(read([reply(status)], [WORDS])) for status in Status if status is not Status.OK]
    assert len(found) == len({tuple(reason) for reason in found})


def test_the_first_line_of_the_error_is_told() -> None:
    """What the tool said on stderr explains more than the status."""
    snapshot = read([reply(Status.FAILED, error=" No such device\nusage: ...\n")], [WORDS])
    assert ["failed: No such device"] == reasons(snapshot)


def test_an_empty_answer_is_no_gap() -> None:
    """The file was read; it holds nothing."""
    assert Snapshot() == read([reply()], [WORDS])


def test_a_failed_command_that_printed_is_read() -> None:
    """A tool may print what it knows and then fail: the facts count, and are no gap."""
    snapshot = read([reply(Status.FAILED, b"half", error="x")], [WORDS])
    assert (["half"], []) == (texts(snapshot), reasons(snapshot))


def test_a_failed_command_that_printed_nothing_of_use_is_a_gap() -> None:
    """Its own words say why."""
    assert ["failed: x"] == reasons(read([reply(Status.FAILED, b" \n", error="x")], [WORDS]))


@pytest.mark.parametrize(
    ("said", "status"), [("no stats available\n", Status.UNSUPPORTED), ("Cannot get stats: I/O error\n", Status.FAILED)]
)
def test_driver_without_counters_is_not_a_failure(said: str, status: Status) -> None:
    """A VLAN and a bond have none; what went wrong otherwise did."""
    asked = QueryCommand(argv=("ethtool", "-S", "bond0"))
    reply = Reply(request=asked, status=Status.FAILED, error=said, exit_code=94)
    assert [status] == [gap.status for gap in read_one(reply, source("files", asked)).gaps]


def test_grep_that_finds_none_of_its_files_is_not_a_failure() -> None:
    """Exit 2 and no word: a virtual link has none of a PCI device's files."""
    asked = QueryCommand(argv=("grep", "-sH", "", "/sys/class/net/veth0/device/uevent"))
    nothing = Reply(request=asked, status=Status.FAILED, exit_code=2)
    assert [Status.ABSENT] == [gap.status for gap in read_one(nothing, source("files", asked)).gaps]


@pytest.mark.parametrize("status", [Status.TIMED_OUT, Status.DENIED])
def test_half_an_answer_is_not_read(status: Status) -> None:
    """What was cut off or refused is a gap, whatever came before."""
    snapshot = read([reply(status, b"half")], [WORDS])
    assert ([], 1) == (texts(snapshot), len(snapshot.gaps))


def test_an_answer_of_another_form_is_a_gap() -> None:
    """The reason is the source's."""
    assert ["unreadable: a bad word"] == reasons(read([reply(payload=b"bad")], [WORDS]))


def test_a_failed_answer_of_another_form_is_one_gap() -> None:
    """Not two: it says both how it failed and why what was printed cannot be read."""
    assert ["failed: x; unreadable: a bad word"] == reasons(read([reply(Status.FAILED, b"bad", error="x")], [WORDS]))


def test_a_reason_is_short() -> None:
    """A parser may quote what it cannot read, and that may be a megabyte."""

    def quote(_: Request, payload: bytes) -> tuple[Fact, ...]:
        raise FormatError(payload.decode())

    (reason,) = reasons(read([reply(payload=b"x" * 1_000_000)], [source("quote", A, parse=quote)]))
    assert f"unreadable: {'x' * 288} ..." == reason


def test_a_source_that_breaks_is_a_gap_and_the_run_goes_on() -> None:
    """One broken parser does not take the others' facts along."""

    def broken(_: Request, __: bytes) -> tuple[Fact, ...]:
        raise ValueError("oops")

    snapshot = read([reply(payload=b"one")], [source("broken", A, parse=broken), WORDS])
    assert (["one"], ["unreadable: ValueError: oops"]) == (texts(snapshot), reasons(snapshot))
    assert "broken" == snapshot.gaps[0].wanted


def test_one_answer_can_be_read_alone() -> None:
    """As the whole is."""
    assert read([reply(payload=b"x")], [WORDS]) == read_one(reply(payload=b"x"), WORDS)


def test_a_real_source_reads_its_file() -> None:
    """The boot id, as the kernel prints it."""
    payload = b"0d0a1f8e-7a5c-4d7e-9c50-0b6f7c2d1e11\n"
    snapshot = read([reply(payload=payload, request=ReadFile(path="/proc/sys/kernel/random/boot_id"))], [BOOT_ID])
    assert 1 == len(snapshot.observations)


def test_each_request_is_wanted_once() -> None:
    """Two sources may read the same file."""
    assert (A, B) == wanted([source("one", A, B), source("two", B, A)], Scope())


def test_what_has_no_subject_is_not_wanted() -> None:
    """Without a link under test nothing about links is asked."""
    by_link = Source(
        id="by_link",
        facts=(Word,),
        requests=for_each_link(lambda name: ReadFile(path=f"/{name}")),
        answers=lambda _: False,
        recognizes=lambda _: False,
        parse=words,
    )
    assert ((), (ReadFile(path="/eth0"),)) == (wanted([by_link], Scope()), wanted([by_link], Scope(links=("eth0",))))


def test_known_answers_are_not_asked_again() -> None:
    """Only what is new goes to the host."""
    host = FakeHost(ok)
    replies = ask_new(host, [source("one", A, B)], Scope(), known=[reply()])
    assert ([B], [B]) == (host.asked, [one.request for one in replies])


def test_even_a_refused_answer_is_known() -> None:
    """Asking a second time would not change it."""
    host = FakeHost(ok)
    ask_new(host, [WORDS], Scope(), known=[reply(Status.DENIED)])
    assert [] == host.asked


def test_a_command_is_known_whatever_its_patience() -> None:
    """The timeout is no part of a request."""
    host = FakeHost(ok)
    patient, hasty = QueryCommand(argv=("x",), timeout=9.0), QueryCommand(argv=("x",), timeout=1.0)
    ask_new(host, [source("one", patient)], Scope(), known=[reply(request=hasty)])
    assert [] == host.asked


def test_counters_move_and_are_not_sampled() -> None:
    """What the sampler reads, and what stands still, is not asked before and after."""
    still, sampled, moving = source("still"), source("sampled", sampled=10, moving=True), source("moving", moving=True)
    assert (moving,) == counters([still, sampled, moving])


def cgroup(path: str, version: int = 2) -> ProcessCgroup:
    """The cgroup of one process."""
    return ProcessCgroup(subject="7", version=version, path=path)


@pytest.mark.parametrize("version", [1, 2])
def test_a_cgroup_comes_with_all_above_it(version: int) -> None:
    """A limit on any of them holds; the deepest comes first."""
    expected = ((version, "/a/b/c"), (version, "/a/b"), (version, "/a"))
    assert expected == cgroup_chain([cgroup("/a/b/c", version)])


def test_the_root_is_its_own_chain() -> None:
    """There is nothing above it."""
    assert ((2, "/"),) == cgroup_chain([cgroup("/")])


def test_shared_cgroups_are_named_once() -> None:
    """Two processes of one slice."""
    assert ((2, "/s/a"), (2, "/s"), (2, "/s/b")) == cgroup_chain([cgroup("/s/a"), cgroup("/s/b")])


def test_the_versions_do_not_mix() -> None:
    """The same path is another cgroup in the other hierarchy."""
    assert ((1, "/s"), (2, "/s")) == cgroup_chain([cgroup("/s", 1), cgroup("/s", 2)])


def test_no_cgroup_has_no_chain() -> None:
    """A process that is gone."""
    assert () == cgroup_chain([])


RUNNING = Scope(links=("eth0",), pids=(7,), ports=(5201,))


def processes(answers: dict[str, bytes], sources: Sequence[Source] = registry.sources()) -> tuple[FakeHost, list[str]]:
    """A host asked about its traffic program, and the keys it was asked for."""

    def answer(request: Request) -> Reply:
        payload = answers.get(request.key)
        return Reply(request=request, status=Status.ABSENT if payload is None else Status.OK, payload=payload or b"")

    host = FakeHost(answer)
    replies = ask_processes(host, sources, RUNNING)
    assert [one.request for one in replies] == host.asked
    return host, [request.key for request in host.asked]


def test_the_program_is_asked_about_before_its_cgroups() -> None:
    """Which cgroups there are is learned from the program."""
    keys = processes({"read /proc/7/cgroup": b"0::/s/a\n"})[1]
    quotas = [number for number, key in enumerate(keys) if "cpu.max" in key]
    assert 2 == len(quotas)
    assert keys.index("read /proc/7/cgroup") < min(quotas)


def test_limits_are_asked_for_every_cgroup_above() -> None:
    """Quota and throttling of each."""
    keys = processes({"read /proc/7/cgroup": b"0::/s/a\n"})[1]
    assert {"/sys/fs/cgroup/s/a/cpu.max", "/sys/fs/cgroup/s/cpu.max"} <= set(" ".join(keys).split())


def test_version_1_has_other_files() -> None:
    """The hierarchy of the cpu controller."""
    keys = processes({"read /proc/7/cgroup": b"3:cpu,cpuacct:/s\n"})[1]
    assert any("/sys/fs/cgroup/cpu/s/cpu.cfs_quota_us" in key for key in keys)


def test_a_program_that_is_gone_has_no_limits() -> None:
    """Nothing deeper is asked then."""
    assert not any("cpu.max" in key for key in processes({})[1])


def test_what_is_about_the_link_alone_is_not_asked_again() -> None:
    """Only programs and their sockets are of interest in the middle of a trial."""
    keys = processes({})[1]
    assert "read /proc/7/status" in keys
    assert not any("eth0" in key for key in keys)


def test_nothing_is_asked_twice() -> None:
    """Two rounds, no request in both."""
    keys = processes({"read /proc/7/cgroup": b"0::/s/a\n"})[1]
    assert len(keys) == len(set(keys))


def test_sources_of_other_subjects_are_left_alone() -> None:
    """A source that asks for nothing, or always for the same, has no part in it."""
    host, _ = processes({}, [WORDS, source("none")])
    assert [] == host.asked
    assert () == no_requests(RUNNING)


BOTH = (
    FilterTables(subject="iptables", tables=("mangle", "filter")),
    FilterTables(subject="ip6tables", tables=("raw",)),
)


@pytest.mark.parametrize(
    ("build", "programs"),
    [
        (("nf_tables",), ("iptables-legacy-save", "ip6tables-legacy-save")),
        (("legacy",), ("iptables-save", "ip6tables-save")),
        ((), ("iptables-save", "ip6tables-save")),
    ],
)
def test_program_that_prints_legacy_tables(build: tuple[str, ...], programs: tuple[str, str]) -> None:
    """The plain one only where it is the legacy build: before 1.8 there was no other."""
    version = ProgramVersion(subject="iptables", version="1.8.9", features=build)
    expected = ((programs[0], "mangle"), (programs[0], "filter"), (programs[1], "raw"))
    assert expected == legacy_tables(snapshot((*BOTH, version), 0.0))


def test_unknown_build_is_not_taken_for_the_legacy_one() -> None:
    """The plain program could be the one on nftables, whose rules are no legacy rules."""
    assert "iptables-legacy-save" == legacy_tables(snapshot(BOTH, 0.0))[0][0]


def test_no_tables() -> None:
    """Nothing is printed then."""
    assert () == legacy_tables(snapshot((FilterTables(subject="iptables", tables=()),), 0.0))
