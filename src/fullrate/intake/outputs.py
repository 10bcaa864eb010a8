"""Outputs of traffic programs to trials: which end printed each, which two are of one test, who the ends are."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fullrate.intake.claim import Claim, printed
from fullrate.intake.places import serves
from fullrate.records.ends import Direction, End
from fullrate.records.leaf import Generator
from fullrate.records.part import Part
from fullrate.records.recording import ProgramOutput, TrialRecord
from fullrate.records.trial import TrialSpec

_TURNED = {Direction.NEAR_TO_FAR: Direction.FAR_TO_NEAR, Direction.FAR_TO_NEAR: Direction.NEAR_TO_FAR}
_MEETING = re.compile(r"local (?P<own>[\w.:%-]{2,60}) port \d+ connected (?:to|with) (?P<other>[\w.:%-]{2,60}) port")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A trial as outputs tell of it, and the parts they stood in."""

    record: TrialRecord
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """One run that an output tells of, and which role printed it."""

    part: Part
    generator: Generator
    text: str  # what it printed of this run
    spec: TrialSpec
    role: str


def trials_of(claims: Iterable[Claim], *, near_serves: bool) -> tuple[Told, ...]:
    """The trials that outputs tell of, in order; what both ends printed of one test is one trial."""
    runs = [run for claim in claims for run in _runs(claim, near_serves=near_serves)]
    groups: list[list[_Run]] = []
    for run in runs:
        partner = next((group for group in groups if _of_one_test(group, run)), None)
        if partner is None:
            groups.append([run])
        else:
            partner.append(run)
    return tuple(_told(f"t{number}", group) for number, group in enumerate(groups, 1))


def _runs(claim: Claim, *, near_serves: bool) -> Iterator[_Run]:
    part, generator = claim.part, claim.generator
    for text in () if generator is None else generator.runs(printed(part)):
        spec = None if generator is None else generator.told(text)
        if spec is not None and generator is not None:
            turned = replace(spec, near_serves=True, direction=_TURNED.get(spec.direction, spec.direction))
            yield _Run(
                part=part,
                generator=generator,
                text=text,
                spec=turned if near_serves else spec,
                role="server" if serves(part) else "client",
            )


def _of_one_test(group: Sequence[_Run], run: _Run) -> bool:
    first = group[0]
    alike = (first.spec.direction, first.spec.protocol) == (run.spec.direction, run.spec.protocol)
    same = first.generator is run.generator and first.part.moment == run.part.moment
    return alike and same and len(group) == 1 and {first.role, run.role} == {"client", "server"}


def _told(name: str, group: Sequence[_Run]) -> Told:
    client = next((run for run in group if run.role == "client"), group[0])
    return Told(
        record=TrialRecord(
            id=name,
            spec=client.spec,
            generator=client.generator.id,
            outputs=tuple(map(_output, group)),
        ),
        parts=tuple(run.part for run in group),
    )


def _output(run: _Run) -> ProgramOutput:
    server = run.spec.server
    return ProgramOutput(
        role=run.role,
        end=server if run.role == "server" else server.other,
        argv=run.part.command or (),
        stdout=run.text.encode(),
        exit_code=0,
    )


def addresses(trials: Iterable[Told]) -> dict[End, str]:
    """The addresses of the ends, as the first output that names both tells."""
    for output in (output for told in trials for output in told.record.outputs):
        met = _MEETING.search(output.stdout.decode())
        if met is not None:
            return {output.end: met["own"], output.end.other: met["other"]}
    return {}
