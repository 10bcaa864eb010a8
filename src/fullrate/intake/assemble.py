"""Parts to a recording: replies in moments of two ends, outputs of traffic programs in trials, an account of all."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from fullrate.intake.account import given_of
from fullrate.intake.claim import UNNAMED, Claim, Readers, Unclaimed, facts_of
from fullrate.intake.commands import PROGRAMS
from fullrate.intake.outputs import Told, addresses, trials_of
from fullrate.intake.places import in_order, main_link, placed, subject_of
from fullrate.intake.trees import trees
from fullrate.records.ends import End
from fullrate.records.evidence import DumpSockets, ListGlob, Reply, Request, Status
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.ethtool import DriverInfo, LinkMode
from fullrate.records.facts.kernel_log import KernelMessage
from fullrate.records.facts.link import Address, Link, Route
from fullrate.records.facts.wifi import WifiLink
from fullrate.records.leaf import Scope, Source
from fullrate.records.part import LeftOut, Part
from fullrate.records.recording import EndRecord, Moment, Recording, TrialRecord
from fullrate.records.target import server_name
from fullrate.records.trial import IDLE

_NAMES = {End.NEAR: "the host", End.FAR: "the other host"}
_NAMING = (DriverInfo, LinkMode, WifiLink, KernelMessage)  # facts that name their link, whatever was asked
_ONE_AT_A_TIME = {"active-backup", "broadcast"}  # bonds that carry what one member does
_UNSEEN = "the-other-end"  # of a test's two: somebody answered there, who is not told


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorted:
    """The parts by who reads them; `unused`: of a sosreport, how many nobody does."""

    claims: tuple[Claim, ...]
    unclaimed: tuple[Unclaimed, ...]
    unused: int = 0


def _ends(claims: Sequence[Claim], sources: Sequence[Source]) -> dict[End, EndRecord]:
    return {end: record for end in End if (record := _end(end, claims, sources)) is not None}


def recording_of(
    parts: Sequence[Part],
    left_out: Sequence[LeftOut],
    frame: Recording,
    readers: Readers,
    *,
    idle: int | None = None,
) -> Recording:
    """The recording that the parts make; `frame` has its id, its time and the promise.

    `idle`: how many files of sosreports were passed over; None where there is no sosreport.
    """
    sos = idle is not None
    found = [one for part in parts for one in readers.claims(part, only_named=sos and _says_enough(part))]
    programs = {one.part for one in found if isinstance(one, Claim) and one.generator}
    places = placed([one.part for one in found], programs)
    here = [replace(one, part=part) for one, part in zip(found, places.parts, strict=True)]
    pile = _with_trees(_piled(here, sos=sos), readers.sources)
    claims = in_order(_about_links(pile.claims, readers))
    trials = trials_of(claims, near_serves=places.near_serves)
    return replace(
        frame,
        ends=_joined(_ends(claims, readers.sources), trials, claims, readers.sources),
        trials=_with_windows([told.record for told in trials], claims),
        given=given_of(claims, pile.unclaimed, left_out, pile.unused + (idle or 0), trials),
    )


def _says_enough(part: Part) -> bool:
    """Whether a name of a sosreport tells that nobody reads it: of a program we know other options may be read."""
    known = part.command is not None and part.command[0] in PROGRAMS
    return _is_named(part) and not known


def _is_named(part: Part) -> bool:
    return part.path is not None or part.command is not None


def _piled(found: Iterable[Claim | Unclaimed], *, sos: bool) -> Sorted:
    every = tuple(found)
    return Sorted(
        claims=tuple(one for one in every if isinstance(one, Claim)),
        unclaimed=tuple(one for one in every if isinstance(one, Unclaimed)),
        unused=sum(isinstance(one, Unclaimed) and _is_named(one.part) for one in every) if sos else 0,
    )


def _with_trees(pile: Sorted, sources: Sequence[Source]) -> Sorted:
    """The small files that nobody reads by themselves, together with others of their end and moment."""
    groups: dict[tuple[End | None, str | None], list[Part]] = {}
    for one in pile.unclaimed:
        groups.setdefault((one.part.end, one.part.moment), []).append(one.part)
    claims: list[Claim] = []
    used: set[Part] = set()
    for group in groups.values():
        made, taken = trees(group, sources)
        claims += made
        used |= taken
    left = tuple(one for one in pile.unclaimed if one.part not in used)
    listed = tuple(one for one in left if not (pile.unused and _is_named(one.part)))
    return Sorted(claims=(*pile.claims, *claims), unclaimed=listed, unused=len(left) - len(listed))


def _about_links(claims: Sequence[Claim], readers: Readers) -> tuple[Claim, ...]:
    """The claims, those that name no link being about the end's main one."""
    main = {end: main_link(map(subject_of, _of(claims, end))) for end in End}
    return tuple(_about(one, main[one.part.end or End.NEAR], readers) for one in claims)


def _about(claim: Claim, link: str | None, readers: Readers) -> Claim:
    if link in {None, UNNAMED} or subject_of(claim) != UNNAMED:
        return claim
    again = readers.claim(replace(claim.part, link=link))
    return again if isinstance(again, Claim) else claim


def _of(claims: Iterable[Claim], end: End) -> list[Claim]:
    return [one for one in claims if one.part.end is end]


def _end(end: End, claims: Sequence[Claim], sources: Sequence[Source]) -> EndRecord | None:
    """The host at one end as its parts show it; None when none is of it."""
    own = _logs_once([one for one in _of(claims, end) if one.source is not None])
    if not own:
        return None
    link = _link(own)
    replies = tuple(_reply(one) for one in sorted(own, key=lambda one: one.part.moment == "after"))
    return EndRecord(
        target=_name(end, claims),
        moments=(Moment(name="collect", end=end, replies=replies + _not_given(own, sources, _askable(link))),),
        interface=link or (None if _list_links(own) else UNNAMED),
        address="",
    )


def _logs_once(claims: Sequence[Claim]) -> list[Claim]:
    """The claims without a kernel log that another one holds: sosreports have it with two kinds of times."""
    held: list[Counter[tuple[str, str]]] = []
    kept: list[Claim] = []
    for one, told in sorted(((one, _logged(one)) for one in claims), key=lambda pair: -pair[1].total()):
        if not told or not any(told <= other for other in held):
            kept.append(one)
            held += [told] if told else []
    return [one for one in claims if one in kept]


def _logged(claim: Claim) -> Counter[tuple[str, str]]:
    """The kernel's messages in a part that was read once, however it tells their times."""
    found = () if claim.part.moment else facts_of(claim)
    return Counter((fact.event, fact.text) for fact in found if isinstance(fact, KernelMessage))


def _askable(link: str | None) -> str:
    """What to ask about: of a device that the log names by its place on a bus, with a `:`, no link is known."""
    return UNNAMED if link is None or ":" in link else link


def _link(claims: Sequence[Claim]) -> str | None:
    """The link that most parts are about, or name; UNNAMED where they are about one that none names."""
    named = (name for one in claims for name in (subject_of(one), one.part.link) if name)
    asked = main_link(named, likely=_default(claims))
    bond = _bond(claims, asked)
    if bond is not None:
        return bond
    if asked not in {None, UNNAMED}:
        return asked
    return main_link(fact.subject for one in claims for fact in facts_of(one) if isinstance(fact, _NAMING)) or asked


def _bond(claims: Sequence[Claim], asked: str | None) -> str | None:
    """The bond of which a listing shows the members, when nothing else is asked about: one of them is not the way."""
    for facts in map(facts_of, claims):
        bond = next((one for one in facts if isinstance(one, Bond) and one.mode not in _ONE_AT_A_TIME), None)
        members = {one.subject for one in facts if isinstance(one, LinkMode)}
        if bond is not None and len(members) > 1 and asked in {None, UNNAMED, *members}:
            return bond.subject or UNNAMED
    return None


def _default(claims: Sequence[Claim]) -> str | None:
    """The link that the default route leads out by, on a host all of whose links are listed; None where none does."""
    routes = (fact for one in claims for fact in facts_of(one) if isinstance(fact, Route) and fact.subject == "default")
    return next((route.ifname for route in routes), None) if _list_links(claims) else None


def _list_links(claims: Iterable[Claim]) -> bool:
    """Whether some part tells which links there are."""
    return any(isinstance(fact, Link) for one in claims for fact in facts_of(one))


def _near_unread(claims: Iterable[Claim], sources: Sequence[Source]) -> EndRecord:
    """The near end when nothing was given of it, so that it can be asked about."""
    moment = Moment(name="collect", end=End.NEAR, replies=_not_given((), sources, UNNAMED))
    return EndRecord(target=_name(End.NEAR, claims), moments=(moment,), interface=UNNAMED, address="")


def _name(end: End, claims: Iterable[Claim]) -> str:
    """What to call an end: as its prompt does."""
    return next((one.part.host for one in _of(claims, end) if one.part.host), _NAMES[end])


def _reply(claim: Claim) -> Reply:
    request = claim.request
    if request is None:
        raise ValueError(f"{claim.part.name}: a traffic program's output answers no request")
    if claim.refused:
        return Reply(request=request, status=Status.UNSUPPORTED, error=claim.part.text.strip())
    return Reply(request=request, status=Status.OK, payload=claim.part.text.encode(), exit_code=0)


def _not_given(own: Iterable[Claim], sources: Iterable[Source], link: str) -> tuple[Reply, ...]:
    """What else could have been asked: of sources that nothing was given for, so that it can be asked for."""
    known = {one.source.id for one in own if one.source}
    wanted = (one for source in sources if source.id not in known for one in source.requests(Scope(links=(link,))))
    return tuple(Reply(request=one, status=Status.NOT_RECORDED) for one in dict.fromkeys(wanted) if _typed(one))


def _typed(request: Request) -> bool:
    """Whether a person can type it."""
    return not isinstance(request, DumpSockets | ListGlob)


def _joined(
    ends: Mapping[End, EndRecord], trials: Sequence[Told], claims: Sequence[Claim], sources: Sequence[Source]
) -> dict[End, EndRecord]:
    """The ends; with a test there are two, of which one may not have been looked at."""
    if ends and not trials:
        return dict(ends)
    met = addresses(trials)
    both = {End.NEAR: ends.get(End.NEAR) or _near_unread(claims, sources)}
    if trials:
        both[End.FAR] = ends.get(End.FAR) or EndRecord(target=_server(met.get(End.FAR)))
    return {end: _met(record, met.get(end, ""), _of(claims, end)) for end, record in both.items()}


def _met(record: EndRecord, address: str, claims: Iterable[Claim]) -> EndRecord:
    """The end with its address in the test, by the link that has it where no other is named."""
    facts = (fact for one in claims for fact in facts_of(one) if isinstance(fact, Address))
    link = next((fact.subject for fact in facts if fact.address == address), None)
    named = record.interface not in {None, UNNAMED}
    return replace(record, address=address, interface=record.interface if named or link is None else link)


def _server(address: str | None) -> str:
    found = f"iperf3://[{address}]" if address and ":" in address else f"iperf3://{address}"
    return found if address and server_name(found) else f"iperf3://{_UNSEEN}"


def _with_windows(trials: Sequence[TrialRecord], claims: Iterable[Claim]) -> tuple[TrialRecord, ...]:
    """What was read before and after goes with the one test there is; else it was a look at the link."""
    timed = [one for one in claims if one.source is not None and one.part.moment and one.part.end]
    moments = tuple(
        Moment(name=name, end=end, replies=replies)
        for name in ("before", "after")
        for end in End
        if (replies := tuple(_reply(one) for one in _of(timed, end) if one.part.moment == name))
    )
    if {moment.name for moment in moments} != {"before", "after"}:
        return tuple(trials)
    if len(trials) == 1:
        return (replace(trials[0], moments=moments),)
    return (*trials, TrialRecord(id=f"t{len(trials) + 1}", spec=IDLE, generator="", moments=moments))
