"""What to say of a run, chosen and ordered; how it is laid out is `text`'s business."""

from collections.abc import Iterable
from dataclasses import dataclass

from fullrate.records.causes import CAUSES
from fullrate.records.ends import ONE_WAY, Direction, End
from fullrate.records.evidence import Gap, Status
from fullrate.records.finding import Finding, Judgement
from fullrate.records.measurement import Measurement
from fullrate.records.run import BudgetPart, Criterion, EndReport, PathStage, Run, State, Way
from fullrate.records.units import BitsPerSecond
from fullrate.report.wording import cited, command, host_name, in_names, way
from fullrate.report.words import speed

_FILLED = "link-filled"
_WORTH_SAYING = 0.005  # of the ceiling: an unsteady direction may miss next to nothing
# What tuning guides tell everybody to change, and what support asks for first: to see it cleared spares that.
_SUSPECTS = (
    *("tcp-buffers-too-small", "offload-off", "mtu-blackhole", "netfilter-drop", "path-loss", "duplex-mismatch"),
    *("rx-ring-too-small", "irq-single-cpu", "cpu-governor", "tc-shaper", "congestion-control"),
)
_SAID_BY_A_RATE = {"server-busy", "test-control-port-blocked", "test-tool-mismatch"}
_PLACEHOLDER = "IFNAME"  # of a link that nothing names (intake/claim.py)
_PACKAGES = {
    "ethtool": "ethtool",
    "ip": "iproute2",
    "iperf3": "iperf3",
    "lscpu": "util-linux",
    "lspci": "pciutils",
    "nft": "nftables",
    "nstat": "iproute2",
    "ping": "iputils-ping",
    "python3": "python3",
    "ss": "iproute2",
    "sysctl": "procps",
    "tc": "iproute2",
}
_REASONS = {
    Status.DENIED: "not permitted: run as root",
    Status.UNSUPPORTED: "not offered by this kernel, driver or tool",
    Status.TIMED_OUT: "no answer in time",
    Status.NOT_RECORDED: "not in the recording",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One direction's result; `full` None: it could not be told."""

    direction: Direction
    way: str  # to NAME, from NAME
    full: bool | None
    measured: Measurement | None
    because: tuple[str, ...] = ()  # what besides the rate kept it from being full


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortfall:
    """Where one direction's missing rate goes, the largest part first, the unexplained one last, beside others."""

    way: str
    total: BitsPerSecond
    parts: tuple[BudgetPart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """One direction's path with the stages about which something is known."""

    way: str
    sender: str
    receiver: str
    stages: tuple[PathStage, ...]

    @property
    def has_figures(self) -> bool:
        """Whether a column of it would hold anything, or a stage is the limit."""
        return any(stage.limit or stage.lost_note or _figures(stage) for stage in self.stages if not _is_bare(stage))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is said of its stages."""
        return tuple(stage.note for stage in self.stages if stage.note)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen:
    """Requests to one host, or to both, that failed for one reason."""

    hosts: tuple[str, ...]
    tried: tuple[str, ...]
    why: str


def place(run: Run, end: End | None) -> str:
    """Where a finding acts."""
    return "the path" if end is None else host_name(run, end)


def answers(run: Run) -> tuple[Answer, ...]:
    """What each measured direction gave, the one the verdict is about first."""
    known = {each.direction for each in run.measurements if each.counts} | {
        each.direction for each in run.verdict.criteria
    }
    found = [_answer(run, direction) for direction in ONE_WAY if direction in known]
    return tuple(sorted(found, key=lambda answer: answer.direction is not run.verdict.direction))


def _answer(run: Run, direction: Direction) -> Answer:
    return Answer(
        direction=direction,
        way=way(run, direction),
        full=is_full(run, direction),
        measured=_decisive(run, direction),
        because=tuple(each.observed for each in run.verdict.criteria if _tells_why(each, direction)),
    )


def _tells_why(criterion: Criterion, direction: Direction) -> bool:
    return criterion.direction is direction and criterion.met is False and criterion.name != "throughput"


def is_full(run: Run, direction: Direction) -> bool | None:
    """Whether every criterion of a direction held; None when that could not be told."""
    if run.verdict.state is State.FULL:
        return True
    held = [criterion.met for criterion in run.verdict.criteria if criterion.direction is direction]
    if False in held:
        return False
    return None if None in held or not held else True


def _decisive(run: Run, direction: Direction) -> Measurement | None:
    # The verdict is about one TCP flow; more flows and UDP are there to explain it.
    found = [each for each in run.measurements if each.direction is direction and each.counts]
    found.sort(key=lambda each: (each.throughput_bps is None, each.protocol != "tcp", each.streams))
    return found[0] if found else None


def detours(run: Run) -> tuple[str, ...]:
    """The directions whose packets took other links than those under test, each with the links it took."""
    return tuple(_detour(run, each) for each in run.ways if _is_detour(run, each))


def _is_detour(run: Run, taken: Way) -> bool:
    tested = [run.ends[end].interface if end in run.ends else None for end in _of_way(taken)]
    pairs = zip((taken.sender_link, taken.receiver_link), tested, strict=True)
    return any(link is not None and link != under_test for link, under_test in pairs)


def _detour(run: Run, taken: Way) -> str:
    known = zip((taken.sender_link, taken.receiver_link), _of_way(taken), strict=True)
    links = " and ".join(f"{link} of {host_name(run, end)}" for link, end in known if link is not None)
    rated = "" if taken.speed_bps is None else f" ({speed(taken.speed_bps)})"
    return f"{way(run, taken.direction)} the packets take {links}{rated}, not the links under test"


def _of_way(taken: Way) -> tuple[End, End]:
    return taken.direction.sender, taken.direction.receiver


def ceiling(run: Run) -> BitsPerSecond | None:
    """The goodput the link can carry: the larger of the directions' ceilings."""
    known = [each.ceiling_bps for each in run.measurements if each.ceiling_bps is not None]
    return max(known, default=None)


def datagrams(run: Run) -> Measurement | None:
    """The measurement that tells how UDP was sent; None when the verdict is about TCP."""
    told = (each.measured for each in answers(run))
    return next((each for each in told if each is not None and each.asked_bps is not None), None)


def smaller_link(run: Run) -> BitsPerSecond | None:
    """The speed of the slower of two known links."""
    known = [end.speed_bps for end in run.ends.values() if end.speed_bps is not None]
    return min(known) if len(known) > 1 else None


def shortfalls(run: Run) -> tuple[Shortfall, ...]:
    """The gap budget of every direction that is not full."""
    return tuple(found for answer in answers(run) if not answer.full and (found := _shortfall(run, answer)))


def _shortfall(run: Run, answer: Answer) -> Shortfall | None:
    parts = [part for part in run.budget if part.direction is answer.direction]
    total = sum(part.bps for part in parts)
    parts.sort(key=lambda part: (part.cause is None, -part.bps))
    best = answer.measured.ceiling_bps if answer.measured is not None else None
    worth = total > _WORTH_SAYING * (best or 0.0) and any(part.cause for part in parts)
    return Shortfall(way=answer.way, total=total, parts=tuple(parts)) if worth else None


def strips(run: Run) -> tuple[Strip, ...]:
    """The path of every direction that is not full, as far as something is known of it."""
    ordered = sorted(ONE_WAY, key=lambda direction: direction is not run.verdict.direction)
    found = [_strip(run, each) for each in ordered if not is_full(run, each)]
    return tuple(strip for strip in found if strip.has_figures or any(one.stage != "tool" for one in strip.stages))


def _strip(run: Run, direction: Direction) -> Strip:
    return Strip(
        way=way(run, direction),
        sender=host_name(run, direction.sender),
        receiver=host_name(run, direction.receiver),
        stages=_stages(run, direction),
    )


def _stages(run: Run, direction: Direction) -> tuple[PathStage, ...]:
    return tuple(stage for stage in run.path if stage.direction is direction and _says_something(stage))


def _says_something(stage: PathStage) -> bool:
    return stage.limit or bool(stage.note or stage.lost_note) or _figures(stage)


def _is_bare(stage: PathStage) -> bool:
    """Whether all that is known of the wire is its ceiling, which stands above."""
    return stage.stage == "wire" and not stage.limit and stage.utilisation is None and stage.lost is None


def _figures(stage: PathStage) -> bool:
    return any(value is not None for value in (stage.utilisation, stage.ceiling_bps, stage.lost))


def only_collected(run: Run) -> bool:
    """Whether nothing was to be measured: the facts are the answer."""
    return run.verdict.state is State.NOT_MEASURED and not run.measurements and run.given is None


def is_measured(run: Run) -> bool:
    """Whether it is known what is missing, by which a cause could be priced."""
    return any(one.throughput_bps is not None and one.ceiling_bps is not None for one in run.measurements)


def named_link(report: EndReport) -> str:
    """The link of an end; empty when nothing names it, which is said with a placeholder in commands."""
    return "" if report.interface in {None, _PLACEHOLDER} else str(report.interface)


def is_suspected(run: Run) -> bool:
    """Whether the verdict is open and names a cause, of which a finding speaks and its own sentence does not."""
    found = next((one for one in problems(run) if one.cause == run.verdict.cause), None)
    return run.verdict.state is State.UNDECIDED and found is not None and found.summary != run.verdict.summary


def problems(run: Run) -> tuple[Finding, ...]:
    """The causes that act, in the order of the run; that a link is full is none."""
    return tuple(each for each in run.findings if each.verdict is Judgement.PROBLEM and not says_full(each))


def says_full(finding: Finding) -> bool:
    """Whether a finding is that the link is filled."""
    cause = CAUSES.get(finding.cause)
    return _FILLED in {finding.cause, cause.parent if cause else None}


def cleared(run: Run) -> tuple[str, ...]:
    """The causes that were looked for in every direction and are in none, those most asked about first."""
    other = {each.cause for each in run.findings if each.verdict in {Judgement.PROBLEM, Judgement.UNKNOWN}}
    clear = (each.cause for each in run.findings if each.verdict is Judgement.CLEAR and not says_full(each))
    found = dict.fromkeys(cause for cause in clear if cause not in other | _SAID_BY_A_RATE)
    return tuple(sorted(found, key=lambda cause: _SUSPECTS.index(cause) if cause in _SUSPECTS else len(_SUSPECTS)))


def notes(run: Run) -> tuple[str, ...]:
    """What a reader should know of how it was measured."""
    told = () if run.numbers is not None else run.measurements  # in a table they stand below their row
    warnings = (warning for measurement in told for warning in measurement.warnings)
    full = (each for each in run.findings if each.verdict is Judgement.PROBLEM and says_full(each))
    filled = (_filled(run, each) for each in full if each.summary != run.verdict.summary)
    return (*_unnamed(run), *_both_ways(run, dict.fromkeys((*run.notes, *filled, *warnings))))


def _unnamed(run: Run) -> tuple[str, ...]:
    """What the placeholder stands for, where the text has it."""
    shown = (*run.verdict.ask_for, *(each.summary for each in problems(run)))
    note = f"{_PLACEHOLDER} stands for the link, which nothing that was given names"
    return (note,) if any(_PLACEHOLDER in text for text in shown) else ()


def _both_ways(run: Run, texts: Iterable[str]) -> tuple[str, ...]:
    """The notes with the hosts' names; one that is told of each direction is told once."""
    found: dict[str, list[str]] = {}
    for text in texts:
        found.setdefault(text.replace("from far to near", "from near to far"), []).append(text)
    return tuple(
        in_names(run, alike[0] if len(alike) == 1 else key.replace("from near to far", "both ways"))
        for key, alike in found.items()
    )


def _filled(run: Run, finding: Finding) -> str:
    where = way(run, finding.direction)
    return f"{where}: {finding.summary}" if where else finding.summary


def unseen(run: Run) -> tuple[Unseen, ...]:
    """What could not be read and could be made readable, by host and reason; not what nobody gave."""
    groups: dict[tuple[End, str], list[str]] = {}
    for end, report in run.ends.items():
        for gap in report.gaps:
            if not not_offered(gap) and not (run.given and gap.status is Status.NOT_RECORDED):
                groups.setdefault((end, why_unseen(gap)), []).append(cited(gap.tried))
    alike: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for (end, why), tried in groups.items():
        alike.setdefault((tuple(dict.fromkeys(tried)), why), []).append(host_name(run, end))
    return tuple(Unseen(hosts=tuple(hosts), tried=tried, why=why) for (tried, why), hosts in alike.items())


def not_offered(gap: Gap) -> bool:
    """Whether there is nothing to read: this kernel, driver or tool has no such thing, whoever asks."""
    no_file = gap.status is Status.ABSENT and (not gap.tried.startswith("run ") or gap.tried.startswith("run grep "))
    return no_file or gap.status is Status.UNSUPPORTED


def why_unseen(gap: Gap) -> str:
    """Why something could not be read and what would make it readable."""
    if gap.status is Status.ABSENT and gap.tried.startswith("run "):
        program = command(gap.tried).partition(" ")[0]
        return f"no {program} there: install {_PACKAGES.get(program, program)}"
    if gap.status is Status.ABSENT:
        return "this kernel has no such file"
    return _REASONS.get(gap.status, gap.reason) or str(gap.status)


def expected(run: Run, finding: Finding) -> BitsPerSecond | None:
    """The rate to expect when a finding's cause is gone and nothing else comes in its way; None when not known."""
    measured = None if finding.direction is None else _decisive(run, finding.direction)
    if measured is None or measured.throughput_bps is None or finding.costs_bps <= 0:
        return None
    better = measured.throughput_bps.median + finding.costs_bps
    return better if measured.ceiling_bps is None else min(better, measured.ceiling_bps)
