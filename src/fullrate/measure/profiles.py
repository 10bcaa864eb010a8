"""Which tests `measure` makes, by profile or as they are asked for, and which comes next. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from fullrate.measure.search import next_rate, tried_of
from fullrate.records.ends import ONE_WAY, Direction, End
from fullrate.records.errors import UsageError
from fullrate.records.measurement import Measurement
from fullrate.records.numbers import Profile
from fullrate.records.recording import Promise
from fullrate.records.run import Run
from fullrate.records.trial import TrialKind, TrialSpec
from fullrate.records.units import BitsPerSecond, Bytes, parse_rate

OUT, BACK = ONE_WAY
_PROBE, _SECOND = "probe", "python"
_FLOWS = 8  # that fill what one does not
_MOST_PROCESSES = 16
_SCALE = (1, 2, 4, 8, 16)  # flows
_LARGE_WRITE: Bytes = 1024 * 1024  # 1.2 to 1.4 times as much as the usual 128 KiB where a CPU is the limit
_SMALL: Bytes = 64  # payload of a small datagram
SOAK_SECONDS = 60  # of one test, unless the user bounds it
_REQUESTS_FOR, _TRY_FOR, _DISK_FOR = 5, 2, 3  # seconds of one test
_HOLES_FOR = 15  # where sizes vanish without a word, each is tried several times
SOAK_ROUNDS = 30  # of both ways: an hour
_DIFFERS = 0.02  # the program's rate from the kernel's
_ASSUMED: BitsPerSecond = 1e9  # of a link of which nothing is known


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What the tests are made for: the CPUs that programs are best kept on, datagrams that fit, and who is there."""

    near_cpus: tuple[int, ...] = ()
    far_cpus: tuple[int, ...] = ()
    datagram: Bytes | None = None
    buffer: Bytes | None = None  # the largest that both kernels allow a socket of UDP
    one_sided: bool = False  # only a server of somebody else's is at the far end

    @property
    def processes(self) -> int:
        """How many pairs of programs both ends have CPUs for; 1 where that is not known."""
        return max(1, min(len(self.near_cpus), len(self.far_cpus), _MOST_PROCESSES))


def profile_tests(profile: Profile, promise: Promise, site: Site) -> tuple[TrialSpec, ...]:
    """The tests of a profile; to a server of somebody else's only those that it can serve."""
    one = TrialSpec(kind=TrialKind.BULK, direction=OUT, max_seconds=promise.max_seconds, rate=promise.max_rate)
    tests = (_bounded(test, promise) for test in _PROFILES[profile](one, site))
    return tuple(test for test in tests if not site.one_sided or _served(test))


def _bounded(test: TrialSpec, promise: Promise) -> TrialSpec:
    """The test with no more than the user lets be sent, its load included, and no longer than a test may take."""
    sends = test.kind is TrialKind.BULK or test.load is not None
    rates = [rate for rate in (test.rate, promise.max_rate) if rate is not None]
    return replace(
        test,
        rate=min(rates, default=None) if sends else test.rate,
        max_seconds=min(test.max_seconds, promise.max_seconds),
    )


def _served(test: TrialSpec) -> bool:
    return test.usual and test.protocol == "tcp"


def _quick(one: TrialSpec, _: Site) -> list[TrialSpec]:
    return _each_way(one)


def _full(one: TrialSpec, site: Site) -> list[TrialSpec]:
    return [
        *_each_way(one),
        *_each_way(_spread(replace(one, streams=_FLOWS), site)),
        replace(one, direction=Direction.BOTH),
        _requests(),
        *(replace(_requests(), load=way) for way in ONE_WAY),
        *_searches(site.datagram, site),
        _path_mtu(),
        *(replace(one, within=end) for end in End),
    ]


def _scaling(one: TrialSpec, site: Site) -> list[TrialSpec]:
    return [test for flows in _SCALE for test in _each_way(_spread(replace(one, streams=flows), site))]


def _soak(one: TrialSpec, _: Site) -> list[TrialSpec]:
    return _each_way(replace(one, whole=True))


def _pps(_: TrialSpec, site: Site) -> list[TrialSpec]:
    return [*_each_way(_udp(_SMALL, site)), *_searches(_SMALL, site)]


def _latency(_: TrialSpec, __: Site) -> list[TrialSpec]:
    loaded = [replace(_requests(), load=way) for way in (*ONE_WAY, Direction.BOTH)]
    return [_requests(), replace(_requests(), protocol="udp"), *loaded]


def _hundred(one: TrialSpec, site: Site) -> list[TrialSpec]:
    many = _spread(replace(one, streams=site.processes, write=_LARGE_WRITE), site)
    return [
        *_each_way(many),
        *_each_way(replace(many, skip_copy=True)),
        replace(many, direction=Direction.BOTH),
        *(replace(one, within=end) for end in End),
    ]


_PROFILES: Mapping[Profile, Callable[[TrialSpec, Site], list[TrialSpec]]] = {
    Profile.QUICK: _quick,
    Profile.FULL: _full,
    Profile.SCALING: _scaling,
    Profile.SOAK: _soak,
    Profile.PPS: _pps,
    Profile.LATENCY: _latency,
    Profile.HUNDRED_G: _hundred,
}


def _each_way(spec: TrialSpec) -> list[TrialSpec]:
    return [replace(spec, direction=way) for way in ONE_WAY]


def _spread(spec: TrialSpec, site: Site) -> TrialSpec:
    """The flows dealt out to as many processes as there are CPUs for, each kept on one."""
    count = min(site.processes, spec.streams)
    if count == 1:
        return spec
    return replace(spec, processes=count, near_cpus=site.near_cpus[:count], far_cpus=site.far_cpus[:count])


def _requests() -> TrialSpec:
    return TrialSpec(kind=TrialKind.LATENCY, direction=OUT, max_seconds=_REQUESTS_FOR)


def _udp(datagram: Bytes | None, site: Site) -> TrialSpec:
    """UDP as fast as it goes, by the probe: its loss is exact, and no call for each datagram is in its way."""
    return TrialSpec(
        kind=TrialKind.BULK,
        direction=OUT,
        protocol="udp",
        program=_PROBE,
        datagram=datagram,
        buffer=site.buffer,
        max_seconds=_REQUESTS_FOR,
    )


def _searches(datagram: Bytes | None, site: Site) -> list[TrialSpec]:
    return _each_way(replace(_udp(datagram, site), max_seconds=_TRY_FOR, whole=True, search=True))


def _path_mtu() -> TrialSpec:
    return TrialSpec(kind=TrialKind.PATH_MTU, direction=OUT, protocol="udp", max_seconds=_HOLES_FOR)


def disk_tests(text: str) -> tuple[TrialSpec, ...]:
    """To a disk and from it: `/srv` is a folder of the far end, `near:/srv` one of the near end. Raises UsageError."""
    end, _, path = text.rpartition(":")
    if end not in {"", *End} or not path.startswith("/"):
        raise UsageError(f"{text!r} names no folder: write /srv for one of the target, near:/srv for one of this end")
    within = End(end or End.FAR)
    return tuple(
        TrialSpec(kind=TrialKind.DISK, direction=way, within=within, path=path, max_seconds=_DISK_FOR)
        for way in ONE_WAY
    )


# --- a test in words


_KINDS = ("tcp", "udp", "udp-capacity", "requests", "udp-requests", "path-mtu")
_WAYS = {"out": OUT, "back": BACK, "both": Direction.BOTH}
_SIZE = re.compile(r"(\d{1,9})([KMG]?)")
_FACTORS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}
_FORM = f"write it like tcp,streams=8,way=back; it begins with {', '.join(_KINDS)}"


def parse_test(text: str, promise: Promise, site: Site) -> TrialSpec:
    """The test that words say: a kind and options, `tcp,streams=8,processes=4,write=1M`. Raises UsageError."""
    kind, *options = text.split(",")
    if kind not in _KINDS:
        raise UsageError(f"{text!r} is no test: {_FORM}")
    spec = _of_kind(kind, promise, site)
    for option in options:
        name, _, value = option.partition("=")
        try:
            spec = _OPTIONS[name](spec, value, site)
        except (KeyError, ValueError) as wrong:
            raise UsageError(f"{option!r} is no option of a test: {', '.join(_OPTIONS)}") from wrong
    return replace(_bounded(spec, promise), max_seconds=spec.max_seconds)


def _of_kind(kind: str, promise: Promise, site: Site) -> TrialSpec:
    bulk = TrialSpec(kind=TrialKind.BULK, direction=OUT, max_seconds=promise.max_seconds, rate=promise.max_rate)
    return {
        "tcp": bulk,
        "udp": replace(_udp(site.datagram, site), max_seconds=bulk.max_seconds, rate=bulk.rate),
        "udp-capacity": _searches(site.datagram, site)[0],
        "requests": _requests(),
        "udp-requests": replace(_requests(), protocol="udp"),
        "path-mtu": _path_mtu(),
    }[kind]


def _size(text: str) -> Bytes:
    found = _SIZE.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return int(found[1]) * _FACTORS[found[2]]


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= _MOST:
        raise ValueError(text)
    return number


def _pinned(spec: TrialSpec, value: str, site: Site) -> TrialSpec:
    if value != "auto":
        raise ValueError(value)
    return replace(spec, near_cpus=site.near_cpus[: spec.processes], far_cpus=site.far_cpus[: spec.processes])


_MOST = 3600  # seconds, streams
_OPTIONS: Mapping[str, Callable[[TrialSpec, str, Site], TrialSpec]] = {
    "streams": lambda spec, value, _: replace(spec, streams=_count(value)),
    "processes": lambda spec, value, _: replace(
        spec, processes=_count(value), streams=max(spec.streams, _count(value))
    ),
    "pin": _pinned,
    "way": lambda spec, value, _: replace(spec, direction=_WAYS[value]),
    "load": lambda spec, value, _: replace(spec, load=_WAYS[value]),
    "within": lambda spec, value, _: replace(spec, within=End(value)),
    "rate": lambda spec, value, _: replace(spec, rate=parse_rate(value)),
    "write": lambda spec, value, _: replace(spec, write=_size(value)),
    "datagram": lambda spec, value, _: replace(spec, datagram=_size(value)),
    "buffer": lambda spec, value, _: replace(spec, buffer=_size(value)),
    "cc": lambda spec, value, _: replace(spec, congestion_control=value),
    "seconds": lambda spec, value, _: replace(spec, max_seconds=_count(value), whole=True),
    "skip-copy": lambda spec, _, __: replace(spec, skip_copy=True),
    "program": lambda spec, value, _: replace(spec, program=value),
}


# --- what comes next


def next_test(
    promise: Promise, run: Run, made: Sequence[TrialSpec], tops: Mapping[tuple[Direction, Bytes | None], BitsPerSecond]
) -> TrialSpec | None:
    """The next test, `made` being those that were: each round the other way round, for a drift to hit all alike.

    `tops`: the most that a link carries of UDP with datagrams of a size. None: all is measured.
    """
    wanted: dict[TrialSpec, int] = {}
    for number in range(promise.repeat):
        for test in promise.tests if number % 2 == 0 else reversed(promise.tests):
            wanted[test] = wanted.get(test, 0) + 1
            found = _search(test, run, tops) if test.search else test if made.count(test) < wanted[test] else None
            if found is not None:
                return found
    return _again(promise, run, made)


def _search(
    test: TrialSpec, run: Run, tops: Mapping[tuple[Direction, Bytes | None], BitsPerSecond]
) -> TrialSpec | None:
    """The test at the next rate of its search."""
    mine = [one for one in run.measurements if (one.direction, one.datagram_bytes) == (test.direction, test.datagram)]
    best = max((one.throughput_bps.median for one in run.measurements if one.throughput_bps), default=_ASSUMED)
    rate = next_rate(tried_of(mine), min(tops.get((test.direction, test.datagram), best), test.rate or float("inf")))
    return None if rate is None else replace(test, rate=rate)


def _again(promise: Promise, run: Run, made: Sequence[TrialSpec]) -> TrialSpec | None:
    """A second run where a CPU was full, for neighbours come in spells; another program where the rate cannot be."""
    for test in promise.tests:
        found = _measured(run, test)
        if found is None or found.throughput_bps is None or test.search:
            continue
        again = _repeated(test, found)
        if again is not None and made.count(again) < (2 if again == test else 1):
            return again
    return None


def _repeated(test: TrialSpec, found: Measurement) -> TrialSpec | None:
    """The test that makes sure of a doubtful rate; None where nothing is doubtful."""
    if found.is_cpu_bound:
        return test
    other = test.usual and test.protocol == "tcp" and _is_suspect(found)
    return replace(test, program=_SECOND) if other else None


def _measured(run: Run, test: TrialSpec) -> Measurement | None:
    """The measurement of a test that has one direction."""

    def alike(one: Measurement) -> bool:
        own = (one.kind, one.direction, one.protocol, one.streams, one.processes, one.write_bytes)
        company = (one.skip_copy, one.within, one.asked_congestion_control, one.beside)
        said = (test.kind, test.direction, test.protocol, test.streams, test.processes, test.write)
        return own == said and company == (test.skip_copy, test.within, test.congestion_control, "")

    return next((one for one in run.measurements if alike(one)), None)


def _is_suspect(found: Measurement) -> bool:
    """Whether the rate is more than the link can carry, or program and kernel disagree."""
    return found.is_above or abs(found.engine_difference or 0.0) > _DIFFERS
