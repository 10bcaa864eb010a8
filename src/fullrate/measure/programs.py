"""The traffic programs of a trial: servers that listen before clients connect, clients, their ends."""

from contextlib import ExitStack

from fullrate.host.protocol import Clock, Command, Process, ProcessState
from fullrate.measure.attempt import Attempt
from fullrate.measure.parts import Part
from fullrate.records.evidence import Status, query
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Endpoint, Launch
from fullrate.records.recording import ProgramOutput
from fullrate.records.units import Seconds

_LISTEN_WITHIN: Seconds = 3.0  # iperf3 listens within 60 ms of its start; a slow board needs longer
_UNSEEN_LISTEN: Seconds = 0.5  # given to a server whose socket cannot be looked for
_ENDS: Seconds = 1.0  # by itself after SIGINT; then it is killed
_CLEANS_UP: Seconds = 10.0  # the same of one that removes its file first, which a slow disk holds up
_CLOSE_WITHIN: Seconds = 2.0  # the server's own end after its client's
_LOADED: Seconds = 1.0  # the load's slow start is over before requests are timed under it


def start(attempt: Attempt, stack: ExitStack) -> bool:
    """Start every pair of programs, the measured ones last; False when a server did not come to listen."""
    parts = attempt.parts
    serving = () if attempt.bench.server else [one for one in parts if not attempt.generators[one.number].alone]
    if not all(_start_server(attempt, part, stack) for part in serving):
        return False
    ahead = parts[1:] if attempt.spec.load is not None else ()
    for part in ahead:
        _start(attempt, part, "client", stack)
    if ahead:
        attempt.bench.clock.sleep(_LOADED)
    for part in parts[: len(parts) - len(ahead)]:
        _start(attempt, part, "client", stack)
    return True


def _start_server(attempt: Attempt, part: Part, stack: ExitStack) -> bool:
    """Whether the server listens; if it ended instead, its output says why."""
    server = _start(attempt, part, "server", stack)
    clock = attempt.bench.clock
    until = clock.now() + _LISTEN_WITHIN
    while clock.now() < until:
        if server.poll().exit_code is not None:
            return False
        listens = _listens(attempt, part, server)
        if listens is None:
            clock.sleep(_UNSEEN_LISTEN)
            return server.poll().exit_code is None
        if listens:
            return True
        clock.sleep(0.02)
    attempt.failure = f"the server did not listen on port {attempt.port(part)} within {_LISTEN_WITHIN:g} s"
    return False


def _listens(attempt: Attempt, part: Part, server: Process) -> bool | None:
    """Whether this very program listens, not one that held the port before; None where `ss` cannot tell."""
    probe = query("ss", "-tlnpH", f"sport = :{attempt.port(part)}")
    reply = attempt.party(part.spec.server).host.ask([probe])[0]
    return f"pid={server.pid},".encode() in reply.payload if reply.status is Status.OK else None


def _start(attempt: Attempt, part: Part, role: str, stack: ExitStack) -> Process:
    launch = _launch(attempt, part, role)
    process = attempt.party(attempt.end_of(part, role)).host.launch(Command(argv=launch.argv, deadline=launch.deadline))
    attempt.programs[part.number, role] = process
    stack.callback(_end, attempt, part, role, launch)
    return process


def _launch(attempt: Attempt, part: Part, role: str) -> Launch:
    bench, generator = attempt.bench, attempt.generators[part.number]
    end = attempt.end_of(part, role)
    endpoint = Endpoint(
        server_address=bench.server.address if bench.server else attempt.party(part.spec.server).address,
        client_address=attempt.party(part.spec.server.other).address,
        port=attempt.port(part),
        connect_within=attempt.connect_within,
        server_output=bench.server is not None and bench.server.output,
    )
    build = generator.server if role == "server" else generator.client
    version = bench.versions.get((attempt.spec.within or end, generator.program))
    launch = build(part.spec, endpoint, version or ProgramVersion(subject=generator.program, version=""))
    return _kept_on(launch, part.cpus[end])


def _kept_on(launch: Launch, cpu: int | None) -> Launch:
    """The program on one CPU: taskset(1), also busybox's, sets the affinity and becomes the program, with its pid."""
    if cpu is None:
        return launch
    return Launch(argv=("taskset", "-c", str(cpu), *launch.argv), deadline=launch.deadline)


def _end(attempt: Attempt, part: Part, role: str, launch: Launch) -> None:
    """Keep the program's output; the client ends first, then the server by itself, or by us."""
    process = attempt.programs[part.number, role]
    state = process.poll()
    if role == "server" and _served(attempt, part):
        state = _await_end(attempt.bench.clock, process, within=_CLOSE_WITHIN)
    stopped = state.exit_code is None
    if stopped:
        state = process.stop(grace=_CLEANS_UP if attempt.generators[part.number].alone else _ENDS)
    generator = attempt.generators[part.number].id
    attempt.outputs.append(
        ProgramOutput(
            role=role,
            end=attempt.spec.within or attempt.end_of(part, role),
            argv=launch.argv,
            stdout=state.stdout,
            stderr=state.stderr,
            exit_code=state.exit_code,
            stopped=stopped,
            pid=state.pid,
            started=state.started,
            part=part.number,
            generator="" if generator == attempt.generators[0].id else generator,
        )
    )


def _served(attempt: Attempt, part: Part) -> bool:
    """Whether the client reached the server, which then ends by itself."""
    told = tuple(one for one in attempt.outputs if one.part == part.number)
    return bool(told) and attempt.generators[part.number].read(part.spec, told).failure is None


def _await_end(clock: Clock, process: Process, *, within: Seconds) -> ProcessState:
    until = clock.now() + within
    state = process.poll()
    while state.exit_code is None and clock.now() < until:
        clock.sleep(0.05)
        state = process.poll()
    return state
