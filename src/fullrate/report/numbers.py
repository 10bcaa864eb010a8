"""What `measure` measured as tables: rates, answer times, capacities, comparisons, conditions."""

from collections.abc import Sequence

from fullrate.records.ends import Direction, End
from fullrate.records.measurement import EndLoad, LatencyReport, Measurement
from fullrate.records.numbers import Capacity, Comparison, Numbers
from fullrate.records.run import Run
from fullrate.records.trial import TrialKind
from fullrate.records.units import MEGABIT, MILLISECONDS, BitsPerSecond, Seconds
from fullrate.report.layout import Cell, Line, Style, paragraph, row
from fullrate.report.wording import host_name, way
from fullrate.report.words import count, half_width, rate, share

_FIGURE, _SPREAD, _RUNS, _CPU, _TIME = 13, 8, 4, 6, 8  # columns
_PERCENTILES = ("p50", "p90", "p99", "p99.9", "max")
_NOTABLE = 0.03  # of the rate
_OTHER_CLOCK = 1.1  # times the lowest
_GIGAHERTZ = 1e9
_DISTURBED = 0.02  # of a CPU, stolen by the hypervisor
_WHY_ABOVE = (
    "more than the link can carry: the speed that is shown or stated is not the path's"
    " (a virtual link's label, another link, both ends on one machine)"
)
_FULL_CPU = "a CPU was full: what else the machine does moves this rate"
_SKIPPED = "the receiver did not read the payload: what the path carries, no program's rate"


def number_lines(run: Run, width: int) -> list[list[Line]]:
    """The sections of a measurement; none of a run of another verb."""
    if run.numbers is None:
        return []
    rates = [one for one in run.measurements if one.kind == TrialKind.BULK and not one.search]
    answers = [one for one in run.measurements if one.kind == TrialKind.LATENCY]
    return [
        _rates(run, rates, width),
        _answers(run, answers, width),
        _found(run, run.numbers, width),
        _compared(run, run.numbers.comparisons, width),
        _conditions(run, run.numbers, width),
    ]


def named(run: Run, found: Measurement) -> str:
    """What a measurement is of, in a few words."""
    flows = count(found.streams, "flow") if found.kind == TrialKind.BULK else "requests"
    where = f"within {host_name(run, found.within)}" if found.within else way(run, found.direction)
    beside = {"the other way": "both ways at once", "requests": "beside requests"}.get(found.beside, "")
    return ", ".join(filter(None, (f"{flows} {where}", *_options(found), beside, _load(run, found))))


def _options(found: Measurement) -> list[str]:
    """What is special about a test."""
    return [
        found.protocol if found.protocol != "tcp" else "",
        f"of {found.processes} processes" if found.processes > 1 else "",
        f"writes of {found.write_bytes:,} bytes" if found.write_bytes else "",
        f"{found.datagram_bytes}-byte datagrams" if found.kind == TrialKind.BULK and found.datagram_bytes else "",
        found.asked_congestion_control or "",
        _placed(found),
        "unread" if found.skip_copy else "",
    ]


def _placed(found: Measurement) -> str:
    """The CPUs that the processes were kept on, near and far."""
    if not found.near_cpus and not found.far_cpus:
        return ""
    near, far = (",".join(map(str, cpus)) or "any" for cpus in (found.near_cpus, found.far_cpus))
    return f"on CPUs {near}" if near == far else f"on CPUs {near} and {far}"


def _load(run: Run, found: Measurement) -> str:
    if found.load is None:
        return ""
    return "loaded both ways" if found.load is Direction.BOTH else f"loaded {way(run, found.load)}"


def _rates(run: Run, found: Sequence[Measurement], width: int) -> list[Line]:
    if not found:
        return []
    shared = _one_kernel(run)
    heads = ("rate", "+-", "runs", *(("CPUs",) if shared else ("near", "far")))
    lines = row(_cells("Measured", heads, width), style=Style.HEADING)
    for one in found:
        lines += row(_cells(named(run, one), _row(one, shared=shared), width))
        lines += [line for text in _remarks(one) for line in paragraph(text, width, first="    ", rest="    ")]
    if any(one.loads for one in found):
        where = "of the one machine" if shared else "of each end"
        lines += paragraph(f"CPUs {where} that a Gbit/s takes, all that runs there included", width, style=Style.QUIET)
    return lines


def _cells(what: str, figures: Sequence[str], width: int) -> list[Cell]:
    widths = (_FIGURE, _SPREAD, _RUNS, *[_CPU] * (len(figures) - 3))
    room = width - sum(widths) - 2 * len(widths)
    cells = [Cell(text=text, width=size, right=True) for text, size in zip(figures, widths, strict=True)]
    return [Cell(text=what, width=room), *cells]


def _row(found: Measurement, *, shared: bool) -> tuple[str, ...]:
    estimate = found.throughput_bps
    loads = (found.near_load,) if shared else (found.near_load, found.far_load)
    if estimate is None:
        return ("none", "", "", *("" for _ in loads))
    used = (_per_gigabit(load, estimate.median) for load in loads)
    return (rate(estimate.median), half_width(estimate) if estimate.median else "", str(estimate.n), *used)


def _per_gigabit(load: EndLoad | None, bps: float) -> str:
    return "" if load is None or bps <= 0 else f"{1000 * MEGABIT * load.busy / bps:.2f}"


def _one_kernel(run: Run) -> bool:
    """Whether both ends run on one machine, whose CPUs they share."""
    known = {report.boot_id for report in run.ends.values()}
    return len(run.ends) == len(End) and len(known) == 1 and None not in known


def _remarks(found: Measurement) -> list[str]:
    """What a reader must know of one row."""
    if found.throughput_bps is None:
        return [found.failure or "no rate was measured"]
    said = [
        _WHY_ABOVE if found.is_above else "",
        _SKIPPED if found.skip_copy else "",
        *_busy(found),
        *_datagrams(found),
        _others(found.other_bps, found.throughput_bps.median),
        _course(found),
        *found.warnings,
    ]
    return list(dict.fromkeys(filter(None, said)))


def _busy(found: Measurement) -> list[str]:
    """A CPU that was full while the link was not, what a hypervisor took, clocks that differed, and heat."""
    return [_FULL_CPU if found.is_cpu_bound else "", _stolen(found.loads), _clocks(found.loads), _heat(found.loads)]


def _datagrams(found: Measurement) -> list[str]:
    """How many of UDP's arrived, and where others were lost."""
    return [
        f"{share(found.lost_ratio)} of the datagrams lost" if found.lost_ratio else "",
        f"the receiver's kernel dropped {found.socket_drops:,} at full sockets" if found.socket_drops else "",
        f"{found.packets_per_second:,.0f} datagrams a second arrived" if found.packets_per_second else "",
    ]


def _others(other: BitsPerSecond | None, mine: BitsPerSecond) -> str:
    return f"the link carried {rate(other)} of other traffic meanwhile" if other and other >= _NOTABLE * mine else ""


def _stolen(loads: Sequence[EndLoad]) -> str:
    most = max((load.steal for load in loads), default=0.0)
    return f"the hypervisor gave {most:.2f} CPUs to others meanwhile" if most >= _DISTURBED else ""


def _clocks(loads: Sequence[EndLoad]) -> str:
    """The busiest CPU's clock, where an end's trials differ so much that the rate of a full CPU would."""
    for load in loads:
        low, high = min(load.clocks_hz, default=0.0), max(load.clocks_hz, default=0.0)
        if high > _OTHER_CLOCK * low:
            return f"the busiest CPU ran at {low / _GIGAHERTZ:.1f} to {high / _GIGAHERTZ:.1f} GHz"
    return ""


def _heat(loads: Sequence[EndLoad]) -> str:
    most = max((load.heat_events for load in loads), default=0)
    return f"a CPU was slowed down for heat {count(most, 'time')}" if most else ""


def _course(found: Measurement) -> str:
    """Dips, and the drift of many runs."""
    dips = f"{count(found.dips, 'second')} below 90 % of the median" if found.dips else ""
    drift = "" if found.drift is None else f"the last third was {_percent(found.drift)} than the first"
    return "; ".join(filter(None, (dips, drift)))


def _percent(difference: float) -> str:
    return f"{abs(difference):.1%} {'faster' if difference > 0 else 'slower'}".replace("%", " %")


def _answers(run: Run, found: Sequence[Measurement], width: int) -> list[Line]:
    if not found:
        return []
    room = width - len(_PERCENTILES) * (_TIME + 2)
    lines = row(_times("Answer times", _PERCENTILES, room), style=Style.HEADING)
    for one in found:
        figures = _quantiles(one.latency) if one.latency else ("none", *[""] * (len(_PERCENTILES) - 1))
        lines += row(_times(named(run, one), figures, room))
        lines += paragraph(one.failure, width, first="    ", rest="    ") if one.failure else []
    return lines


def _times(what: str, figures: Sequence[str], room: int) -> list[Cell]:
    return [Cell(text=what, width=room), *(Cell(text=text, width=_TIME, right=True) for text in figures)]


def _quantiles(found: LatencyReport) -> tuple[str, ...]:
    times = (found.p50_seconds, found.p90_seconds, found.p99_seconds, found.p999_seconds, found.max_seconds)
    return tuple(map(_time, times))


def _time(seconds: Seconds) -> str:
    micros = seconds * MILLISECONDS * 1000
    if micros < 1000:  # noqa: PLR2004 - a millisecond
        return f"{micros:.0f} us" if micros >= 10 else f"{micros:.1f} us"  # noqa: PLR2004 - two digits
    return f"{micros / 1000:.2f} ms"


def _found(run: Run, numbers: Numbers, width: int) -> list[Line]:
    texts = [_capacity(run, one) for one in numbers.capacities]
    texts += [_path_mtu(run, one) for one in run.measurements if one.kind == TrialKind.PATH_MTU]
    disks = (_disk(run, one) for one in run.measurements if one.kind == TrialKind.DISK)
    texts += dict.fromkeys(disks)  # both ways fail alike
    return [line for text in texts for line in paragraph(text, width, rest="  ")]


def _disk(run: Run, found: Measurement) -> str:
    """What a disk does one way, and whether it is slower than what the network carried."""
    words, bps = ("reads", found.disk_read_bps) if found.disk_read_bps is not None else ("writes", found.disk_write_bps)
    head = f"Disk of {found.disk_path} on {host_name(run, found.within or End.FAR)}"
    if bps is None:
        return f"{head}: {found.failure or 'not tested'}"
    carried = (one.throughput_bps.median for one in run.measurements if one.counts and one.throughput_bps)
    best = max(carried, default=0.0)
    told = f"{head}: {words} {rate(bps)}"
    return f"{told}, slower than the network's {rate(best)}" if bps < best else told


def _capacity(run: Run, found: Capacity) -> str:
    size = f" in {found.datagram_bytes}-byte datagrams" if found.datagram_bytes else ""
    head = f"UDP {way(run, found.direction)}{size}"
    lossy = "" if found.lossy_bps is None else f"; some of {rate(found.lossy_bps)} is lost"
    if found.loss_free_bps is None:
        return f"{head}: no rate that was tried arrives without loss{lossy}"
    packets = f", {found.packets_per_second:,.0f} a second" if found.packets_per_second else ""
    return (
        f"{head}: {rate(found.loss_free_bps)}{packets} arrive without loss{lossy} ({count(found.tried, 'rate')} tried)"
    )


def _path_mtu(run: Run, found: Measurement) -> str:
    size = f"{found.path_mtu_bytes} bytes" if found.path_mtu_bytes else found.failure or "not known"
    return f"Path MTU {way(run, found.direction)}: {size}"


def _compared(run: Run, found: Sequence[Comparison], width: int) -> list[Line]:
    by_id = {one.id: one for one in run.measurements}
    lines = paragraph("Compared, run by run", width, style=Style.HEADING) if found else []
    for one in found:
        names = f"{named(run, by_id[one.other])} against {named(run, by_id[one.base])}"
        bounds = f"{one.ratio:.3f} times ({one.ci_low:.3f} to {one.ci_high:.3f}, {count(one.pairs, 'pair')})"
        lines += paragraph(f"{names}: {bounds}: {one.outcome}", width, first="  ", rest="    ")
    return lines


def _conditions(run: Run, numbers: Numbers, width: int) -> list[Line]:
    lines: list[Line] = []
    for end in (None, *End):
        texts = [f"{one.name} {one.value}" for one in numbers.conditions if one.end is end]
        head = "" if end is None else f"{host_name(run, end)}: "
        lines += paragraph(f"{head}{', '.join(texts)}", width, first="  ", rest="    ") if texts else []
    return [*paragraph("Measured with", width, style=Style.HEADING), *lines] if lines else []
