"""The verbs as library functions; the only module that wires the stages together.

The live run and the replay of a bundle share `replay`: a verdict is a pure function of the recording.
"""

import functools
import os
import platform
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from dataclasses import replace as changed
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict, Unpack

from fullrate import registry, runs
from fullrate.applying import FOLDER, unsettled
from fullrate.asking import held_back, next_ask
from fullrate.bundle import is_bundle, read_bundle
from fullrate.diagnose.numbers import only_numbers
from fullrate.doctor import examine
from fullrate.host.protocol import Host
from fullrate.keeping import keep, see_output
from fullrate.measure.profiles import SOAK_ROUNDS, SOAK_SECONDS, disk_tests, next_test, parse_test, profile_tests
from fullrate.opening import host_named, job_between, job_of_one, open_host
from fullrate.pairing import Wish
from fullrate.records.doctor import Checkup
from fullrate.records.ends import End
from fullrate.records.errors import TargetError, UsageError
from fullrate.records.finding import Ask
from fullrate.records.news import finished, news
from fullrate.records.numbers import Profile, Wanted
from fullrate.records.progress import Progress, Silence
from fullrate.records.recording import STOPPED, EndRecord, Promise, Recording
from fullrate.records.run import Run
from fullrate.records.target import LOCAL, PLAIN, Access, Target, TargetKind, parse_target
from fullrate.records.unfinished import Interrupted, NotWritten
from fullrate.records.units import BitsPerSecond
from fullrate.replaying import bar_of, replay, udp_tops
from fullrate.session import Session
from fullrate.version import __version__
from fullrate.visit import Job

Confirm = Callable[[str], bool]
_GENERATORS = ("iperf3", "probe", "fio", "python")  # in the order in which they are preferred
# Traffic to a server of somebody else's is load on their machine; the ports beside its own are none of ours to try.
_SERVER_PROMISE = Promise(ports=(5201,), max_seconds=10)


class MeasureOptions(TypedDict, total=False):
    """What `measure` hands on to `check`."""

    near: str | None
    access: Access
    interface: str | None
    bind: str | None
    family: int | None
    link_speed: BitsPerSecond | None
    ports: tuple[int, ...] | None
    allow_load: bool
    max_rate: BitsPerSecond | None
    max_seconds: int | None
    udp: BitsPerSecond | None
    output: Path | None
    redact: bool
    progress: Progress | None
    confirm: Confirm


def check(  # noqa: PLR0913 - the options of the verb, all keywords
    target: str,
    *,
    near: str | None = None,
    access: Access = PLAIN,
    interface: str | None = None,
    bind: str | None = None,
    family: int | None = None,
    link_speed: BitsPerSecond | None = None,
    ports: tuple[int, ...] | None = None,
    allow_load: bool = False,
    max_rate: BitsPerSecond | None = None,
    max_seconds: int | None = None,
    udp: BitsPerSecond | None = None,
    output: Path | None = None,
    redact: bool = False,
    numbers: Wanted | None = None,
    progress: Progress | None = None,
    confirm: Confirm = lambda _: False,
) -> Run:
    """Whether the link between two hosts is full, and if not, why.

    `numbers`: only measure, these tests. `access`: how hosts over SSH are used. `udp`: test with UDP at this rate, not
    with TCP. `redact`: other names and addresses in `output`, the same diagnosis.

    Sends test traffic; changes no setting. The bundle of the run is kept, in `output` too when given. Ports and seconds
    that are not given are those of the target's kind. Raises UsageError on a wrong target, Interrupted on Ctrl-C,
    RefusedError when another command is at work in the lab; a host that cannot be reached gives an undecided run that
    says so.
    """
    see_output(output, redact=redact)
    far = parse_target(target, access)
    usual = _SERVER_PROMISE if far.kind is TargetKind.SERVER else Promise()
    promise = changed(
        usual,
        link_speed=link_speed,
        ports=ports or far.ports or usual.ports,
        allow_load=allow_load,
        max_rate=max_rate,
        max_seconds=max_seconds or _longest(numbers, usual),
        udp=udp,
        profile=numbers.profile if numbers else "",
        repeat=numbers.repeat if numbers else 1,
    )
    with _alone(far, "measure" if numbers else "check"):
        job = job_between(far, near, promise, Wish(interface=interface, bind=bind, family=family), access)
        session = _session(job, progress or Silence())
        work = functools.partial(_measure, session, confirm, numbers)
        return _carry_out(session, work, output, redact=redact, numbers=numbers is not None)


def _longest(numbers: Wanted | None, usual: Promise) -> int:
    """How long a single test may take where the user does not say."""
    return SOAK_SECONDS if numbers is not None and numbers.profile == Profile.SOAK else usual.max_seconds


def look(  # noqa: PLR0913 - the options of the verb, nearly all keywords
    near: str | None = None,
    *,
    access: Access = PLAIN,
    interface: str | None = None,
    output: Path | None = None,
    redact: bool = False,
    progress: Progress | None = None,
) -> Run:
    """What is wrong with the links of one host as far as it shows without traffic: settings, and 5 s of counters.

    Every physical link, or the one named. Errors as `check`.
    """
    see_output(output, redact=redact)
    job = job_of_one(near, access, Wish(interface=interface))
    session = _session(job, progress or Silence())
    return _carry_out(session, session.look, output, redact=redact)


def measure(
    target: str,
    *,
    profile: str = Profile.QUICK,
    tests: Sequence[str] = (),
    disks: Sequence[str] = (),
    repeat: int | None = None,
    **options: Unpack[MeasureOptions],
) -> Run:
    """Only the numbers, without a look for causes: the tests of a profile, or those named (`tcp,streams=8`).

    `disks`: folders whose disk is tested too, `/srv` of the target or `near:/srv`. Each test is made `repeat` times, in
    turn with the others (once, of `soak` 30 times); with three rounds or more later ones are compared with the first.
    The kept bundle holds all that was read meanwhile, so `diagnose` can still say why. Other options and errors as
    `check`.
    """
    if profile not in set(Profile):
        raise UsageError(f"{profile!r} is no profile: {', '.join(Profile)}")
    kind = Profile(profile)
    rounds = repeat or (SOAK_ROUNDS if kind is Profile.SOAK and not tests else 1)
    wanted = Wanted(profile="" if tests else kind, tests=tuple(tests), disks=tuple(disks), repeat=rounds)
    try:
        return only_numbers(check(target, **options, numbers=wanted))
    except (Interrupted, NotWritten) as cut:
        cut.run = only_numbers(cut.run)
        raise


def doctor(target: str | None = None, *, access: Access = PLAIN) -> Checkup:
    """What this machine, or TARGET, lets fullrate see and do. Raises UsageError, TargetError."""
    found = job_of_one(target, access, Wish()).targets[End.NEAR]
    host = open_host(found)
    try:
        return examine(host, found.text, python=None if found.kind is TargetKind.SSH else platform.python_version())
    finally:
        host.close()


def collect(  # noqa: PLR0913 - the same
    target: str | None = None,
    *,
    near: str | None = None,
    access: Access = PLAIN,
    output: Path | None = None,
    redact: bool = False,
    progress: Progress | None = None,
) -> Run:
    """The facts of this host, and of TARGET when given, without traffic. `redact` and errors as `check`."""
    see_output(output, redact=redact)
    if target is None:
        job = job_of_one(near, access, Wish())
    else:
        job = job_between(host_named(target, access), near, Promise(), Wish(), access)
    session = _session(job, progress or Silence())
    return _carry_out(session, lambda: session.note_if(session.only_read), output, redact=redact)


def diagnose(  # noqa: PLR0913 - the options of the verb, all keywords
    paths: Sequence[Path] = (),
    *,
    near: Sequence[Path] = (),
    far: Sequence[Path] = (),
    before: Sequence[Path] = (),
    after: Sequence[Path] = (),
    link_speed: BitsPerSecond | None = None,
) -> Run:
    """The diagnosis of a kept bundle, or of outputs in folders, archives and texts; `-` is the standard input.

    `near`, `far`, `before` and `after` say what cannot be seen from those named there. Raises UsageError, BundleError.
    """
    from fullrate.intake import given, said

    named = said(paths, near=near, far=far, before=before, after=after)
    if len(named) == len(paths) == 1 and is_bundle(paths[0]):
        recording, _ = read_bundle(paths[0])
    else:
        now = datetime.now(UTC)
        recording = given(
            named, sys.stdin.buffer, run_id=runs.new_id(now), started_at=now.isoformat(timespec="milliseconds")
        )
    promise = recording.promise
    return replay(changed(recording, promise=changed(promise, link_speed=link_speed or promise.link_speed)))


def _alone(far: Target, verb: str) -> AbstractContextManager[None]:
    """What keeps other commands out of the practice network meanwhile; elsewhere nothing. Raises RefusedError."""
    if far.kind is not TargetKind.LAB:
        return nullcontext()
    from fullrate.lab import alone

    return alone(f"{verb} {far.text}")


def _session(job: Job, progress: Progress) -> Session:
    now = datetime.now(UTC)
    recording = Recording(
        id=runs.new_id(now),
        started_at=now.isoformat(timespec="milliseconds"),
        tool_version=__version__,
        promise=job.promise,
        ends={end: EndRecord(target=target.text) for end, target in job.targets.items()},
    )
    return Session(
        job=job,
        recording=recording,
        sources=registry.sources(),
        generators=tuple(map(registry.launched, _GENERATORS)),
        progress=progress,
    )


def _carry_out(
    session: Session, work: Callable[[], None], output: Path | None, *, redact: bool, numbers: bool = False
) -> Run:
    """The final document of a job, its bundle kept. Raises Interrupted with it when the user stopped the work."""
    stopped = _drive(session, work)
    try:
        run = keep(session.recording, output, redact=redact)
    except NotWritten as error:
        session.tell([finished(_told(error.run, numbers=numbers), stopped=stopped)])
        raise
    session.tell([finished(_told(run, numbers=numbers), stopped=stopped)])
    if stopped:
        raise Interrupted(run)
    return run


def _told(run: Run, *, numbers: bool) -> Run:
    """What is told of a run meanwhile; `numbers`: no cause, for none is looked for."""
    return only_numbers(run) if numbers else run


def _drive(session: Session, work: Callable[[], None]) -> bool:
    """Open, collect, do the work, close on every path: whether the user stopped it. What was gathered survives that."""
    try:
        session.open(open_host)
        _tell_unsettled(session)
        session.collect()
        work()
    except TargetError as error:
        session.note(str(error))
    except KeyboardInterrupt:
        session.note(STOPPED)
        return True
    finally:
        session.close()
    return False


def _tell_unsettled(session: Session) -> None:
    """Note which changes of ours on the hosts wait to be kept, or were left by a run that did not end in order."""
    for end, host in session.hosts.items():
        with suppress(TargetError):  # a host that is lost is told of where it is read
            session.note_if(_unsettled(session.job.targets[end].text, host))


def _unsettled(target: str, host: Host) -> str:
    names = unsettled(host, folder=os.environ.get(FOLDER, ""))
    where = "" if target == LOCAL.text else f" {target}"
    if not names:
        return ""
    return (
        f"on {target} a change of fullrate's is in place and neither kept nor put back ({', '.join(names)}): see "
        f"`fullrate changes{where}`; what a crash left is put back by `fullrate recover{where}`"
    )


@dataclass(slots=True, kw_only=True)
class _Consent:
    """Whether to send on a link that is in use: by option, or as the user says when asked, once."""

    allowed: bool
    ask: Confirm
    asked: bool = False

    def given_now(self, session: Session, run: Run) -> bool:
        """Whether the user has just agreed."""
        loaded = held_back(run, session.asked)
        if loaded is None or self.allowed or self.asked:
            return False
        self.asked = True
        self.allowed = self.ask(f"{loaded.summary}. Send test traffic all the same?")
        return self.allowed


def _measure(session: Session, confirm: Confirm, wanted: Wanted | None) -> None:
    """Ask and measure until the verdict stands.

    Of `wanted` numbers only the link at rest is asked for; with UDP of a rate the verdict's own tests are all.
    """
    if not session.can_test():
        session.give_up(session.only_read)
        return
    if wanted is not None and session.job.promise.udp is None:
        _plan(session, wanted)
    consent = _Consent(allowed=session.job.promise.allow_load, ask=confirm)
    told: Run | None = None
    while True:
        run, known = replay(session.recording), told
        told = _told(run, numbers=wanted is not None)
        session.tell(news(known, told))
        if consent.given_now(session, run):
            session.allow_load()
            continue
        ask = _next(session, run, allowed=consent.allowed, numbers=wanted is not None)
        if ask is None:
            return
        session.answer(ask, bar_of(session.recording))


def _next(session: Session, run: Run, *, allowed: bool, numbers: bool) -> Ask | None:
    """The next question; where tests are wanted, those take the place of the verdict's own."""
    ask = next_ask(run, session.asked, allow_load=allowed, numbers=numbers)
    sends = ask is None or (ask.trial is not None and ask.trial.sends)
    if not session.recording.promise.tests or not sends:
        return ask
    return None if held_back(run, session.asked) and not allowed else _next_of(session, run)


def _plan(session: Session, wanted: Wanted) -> None:
    """Keep in the recording which tests are wanted, for these two ends. Raises UsageError."""
    promise, site = session.job.promise, session.site()
    named = tuple(parse_test(text, promise, site) for text in wanted.tests)
    disks = (test for text in wanted.disks for test in disk_tests(text))
    tests = (*(named or profile_tests(Profile(wanted.profile), promise, site)), *disks)
    session.plan(tests)


def _next_of(session: Session, run: Run) -> Ask | None:
    """The next of the tests that are wanted."""
    promise = session.recording.promise
    made = [ask.trial for ask in session.asked if ask.trial is not None]
    tops = udp_tops(session.recording, {test.datagram for test in promise.tests if test.search})
    spec = next_test(promise, run, made, tops)
    return None if spec is None else Ask(text=f"measure: {spec.label}", trial=spec)
