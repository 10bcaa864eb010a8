"""Which tests a profile makes, how words say one, and in which order they come."""

from dataclasses import replace

import pytest

from fullrate.measure.parts import flows_of
from fullrate.measure.profiles import Site, disk_tests, next_test, parse_test, profile_tests
from fullrate.records.codec import decode_run
from fullrate.records.ends import Direction, End
from fullrate.records.errors import UsageError
from fullrate.records.measurement import EndLoad, Measurement
from fullrate.records.numbers import Profile
from fullrate.records.recording import Promise
from fullrate.records.run import Run
from fullrate.records.trial import Estimate, TrialKind, TrialSpec
from iperf3_recorded import FIXTURES

OUT, BACK, BOTH = Direction.NEAR_TO_FAR, Direction.FAR_TO_NEAR, Direction.BOTH
PROMISE, SITE = Promise(), Site(near_cpus=(1, 2, 3), far_cpus=(4, 5), datagram=1472)
TCP = TrialSpec(kind=TrialKind.BULK, direction=OUT)
RUN = replace(decode_run((FIXTURES.parent / "runs/full.json").read_bytes()), measurements=())


# --- profiles


@pytest.mark.parametrize("profile", list(Profile))
def test_every_profile_goes_both_ways(profile: Profile) -> None:
    """None is empty, and each test is made once a round."""
    tests = profile_tests(profile, PROMISE, SITE)
    assert len(set(tests)) == len(tests) > 0
    if profile is not Profile.LATENCY:
        assert {OUT, BACK} <= {one.direction for one in tests}


def test_quick_is_what_a_verdict_needs() -> None:
    """One flow each way."""
    assert (TCP, replace(TCP, direction=BACK)) == profile_tests(Profile.QUICK, PROMISE, SITE)


def test_full_leaves_nothing_out() -> None:
    """All kinds, both ways at once, under load, within each host, the search for the capacity of UDP."""
    tests = profile_tests(Profile.FULL, PROMISE, SITE)
    assert {TrialKind.BULK, TrialKind.LATENCY, TrialKind.PATH_MTU} == {one.kind for one in tests}
    assert {None, End.NEAR, End.FAR} == {one.within for one in tests}
    assert {None, OUT, BACK} == {one.load for one in tests}
    assert BOTH in {one.direction for one in tests}
    assert {1472} == {one.datagram for one in tests if one.search}


def test_processes_are_kept_on_the_best_cpus() -> None:
    """As many as both ends have CPUs for."""
    many = profile_tests(Profile.HUNDRED_G, PROMISE, SITE)[0]
    assert (2, 2, (1, 2), (4, 5)) == (many.processes, many.streams, many.near_cpus, many.far_cpus)
    alone = profile_tests(Profile.HUNDRED_G, PROMISE, Site())[0]
    assert (1, (), ()) == (alone.processes, alone.near_cpus, alone.far_cpus)


def test_scaling_doubles_the_flows() -> None:
    """On as many CPUs as there are."""
    tests = [one for one in profile_tests(Profile.SCALING, PROMISE, SITE) if one.direction is OUT]
    assert [(1, 1), (2, 2), (4, 2), (8, 2), (16, 2)] == [(one.streams, one.processes) for one in tests]


def test_a_server_of_somebody_elses_is_sent_what_it_can_take() -> None:
    """No program of ours is there."""
    tests = profile_tests(Profile.FULL, PROMISE, replace(SITE, one_sided=True))
    assert (TCP, replace(TCP, direction=BACK)) == tests


def test_what_the_user_bounds_is_bounded() -> None:
    """The rate and the length of the longest test."""
    bound = replace(PROMISE, max_rate=5e8, max_seconds=7)
    assert {(5e8, 7)} == {(one.rate, one.max_seconds) for one in profile_tests(Profile.QUICK, bound, SITE)}


@pytest.mark.parametrize("profile", list(Profile))
def test_no_test_sends_more_than_the_user_allows(profile: Profile) -> None:
    """Nor does its load, nor a search; none takes longer than a test may."""
    bound = replace(PROMISE, max_rate=5e8, max_seconds=3)
    tests = profile_tests(profile, bound, SITE)
    flows = [flows for test in tests for flows in flows_of(test) if flows.kind is TrialKind.BULK]
    assert {5e8} >= {one.rate for one in flows}
    assert max(test.max_seconds for test in tests) <= 3


def test_words_do_not_ask_for_more_than_the_user_allows() -> None:
    """A search begins no higher either."""
    bound = replace(PROMISE, max_rate=5e8)
    asked = [
        parse_test(words, bound, SITE).rate for words in ("tcp", "udp,rate=1G", "udp,rate=1M", "requests,load=out")
    ]
    assert [5e8, 5e8, 1e6, 5e8] == asked
    search = parse_test("udp-capacity", bound, SITE)
    found = next_test(replace(bound, tests=(search,)), RUN, [], {(OUT, 1472): 957e6})
    assert 5e8 == (found.rate if found else None)


# --- words


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("tcp", TCP),
        ("tcp,streams=8,way=back", replace(TCP, streams=8, direction=BACK)),
        ("tcp,processes=2,pin=auto", replace(TCP, streams=2, processes=2, near_cpus=(1, 2), far_cpus=(4, 5))),
        ("tcp,write=1M,cc=bbr,skip-copy", replace(TCP, write=1048576, congestion_control="bbr", skip_copy=True)),
        ("tcp,within=far,seconds=3", replace(TCP, within=End.FAR, max_seconds=3, whole=True)),
        ("udp,rate=1G,datagram=64", replace(TCP, protocol="udp", program="probe", rate=1e9, datagram=64)),
        ("requests,load=both", TrialSpec(kind=TrialKind.LATENCY, direction=OUT, max_seconds=5, load=BOTH)),
    ],
)
def test_words(words: str, expected: TrialSpec) -> None:
    """A kind and its options."""
    assert expected == parse_test(words, PROMISE, SITE)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("sctp", "'sctp' is no test: write it like"),
        ("", "'' is no test"),
        ("tcp,flows=8", "'flows=8' is no option of a test: streams, processes"),
        ("tcp,streams=0", "'streams=0' is no option"),
        ("tcp,streams=many", "'streams=many'"),
        ("tcp,way=up", "'way=up'"),
        ("tcp,write=1X", "'write=1X'"),
        ("tcp,pin=7", "'pin=7'"),
        ("tcp,within=moon", "'within=moon'"),
        ("udp,rate=fast", "'rate=fast'"),
    ],
)
def test_wrong_words(words: str, said: str) -> None:
    """Said with what is wrong and what there is."""
    with pytest.raises(UsageError) as caught:
        parse_test(words, PROMISE, SITE)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("/srv", (End.FAR, "/srv")), ("near:/var/x", (End.NEAR, "/var/x")), ("far:/", (End.FAR, "/"))],
)
def test_a_folder_of_one_end(text: str, expected: tuple[End, str]) -> None:
    """The target's unless it says near."""
    found = disk_tests(text)
    assert [(TrialKind.DISK, OUT, expected), (TrialKind.DISK, BACK, expected)] == [
        (one.kind, one.direction, (one.within, one.path)) for one in found
    ]


@pytest.mark.parametrize("text", ["srv", "", "nas:/srv", "near:srv"])
def test_a_wrong_folder(text: str) -> None:
    """A path from the root, of an end that there is."""
    with pytest.raises(UsageError, match="names no folder"):
        disk_tests(text)


# --- what comes next


def made_by(promise: Promise, run: Run = RUN) -> list[TrialSpec]:
    """All tests in their order, when each comes to something."""
    made: list[TrialSpec] = []
    while (spec := next_test(promise, run, made, {})) is not None:
        made.append(spec)
    return made


def test_rounds_go_to_and_fro() -> None:
    """A drift hits all tests alike."""
    one, two = TCP, replace(TCP, streams=8)
    assert [one, two, two, one, one, two] == made_by(replace(PROMISE, tests=(one, two), repeat=3))


def test_nothing_is_wanted() -> None:
    """Nothing comes."""
    assert [] == made_by(PROMISE)


def measured(rate: float = 5e8, **more: object) -> Measurement:
    """What one flow came to, on a link of 1 Gbit/s."""
    found = Measurement(
        id="m1",
        kind="bulk",
        direction=OUT,
        protocol="tcp",
        streams=1,
        trials=("t1",),
        throughput_bps=Estimate(n=1, median=rate, ci_low=rate, ci_high=rate),
        ceiling_bps=941e6,
    )
    return replace(found, **more)  # type: ignore[arg-type]


BUSY = EndLoad(busiest=0.99, busy=1.2, softirq=0.1, steal=0.0)


@pytest.mark.parametrize(
    ("found", "again"),
    [
        (measured(), []),
        (measured(near_load=BUSY), [TCP]),
        (measured(far_load=BUSY), [TCP]),
        (measured(940e6, near_load=BUSY), []),  # the link is full, whatever the CPU does
        (measured(990e6), [replace(TCP, program="python")]),
        (measured(engine_difference=-0.05), [replace(TCP, program="python")]),
    ],
    ids=["sound", "sender's CPU full", "receiver's CPU full", "link full", "more than it can carry", "they disagree"],
)
def test_a_doubtful_rate_is_measured_again(found: Measurement, again: list[TrialSpec]) -> None:
    """Once: a second time, or by another program."""
    assert [TCP, *again] == made_by(replace(PROMISE, tests=(TCP,)), replace(RUN, measurements=(found,)))


def test_a_search_begins_at_what_the_link_carries() -> None:
    """In datagrams of that size; where no speed is known, at the best rate that was seen."""
    search = replace(TCP, protocol="udp", program="probe", search=True, datagram=1472)
    promise = replace(PROMISE, tests=(search,))
    known = next_test(promise, RUN, [], {(OUT, 1472): 957e6})
    seen = next_test(promise, replace(RUN, measurements=(measured(),)), [], {})
    assert (957e6, 5e8) == (known.rate if known else None, seen.rate if seen else None)


def test_a_search_goes_on_from_its_own_rates() -> None:
    """Those of its direction."""
    search = replace(TCP, protocol="udp", program="probe", search=True, datagram=1472)
    lossy = measured(9e8, asked_bps=957e6, lost_ratio=0.1, protocol="udp", datagram_bytes=1472, search=True)
    run = replace(RUN, measurements=(lossy,))
    found = next_test(replace(PROMISE, tests=(search,)), run, [], {(OUT, 1472): 957e6})
    assert found is not None
    assert pytest.approx(0.95 * 9e8) == found.rate
    back = next_test(replace(PROMISE, tests=(replace(search, direction=BACK),)), run, [], {(BACK, 1472): 957e6})
    assert 957e6 == (back.rate if back else None)
