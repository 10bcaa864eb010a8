"""No test server can be had: every port of the range is taken, or the server is running somebody else's test.

iperf3 runs one test at a time on a port, and answers a second client with "the server is busy".
"""

from fullrate.checks._common import clear, not_applicable, problem, saw, unknown
from fullrate.checks._tries import NO_PROGRAM, failures, port_words, tries
from fullrate.records.ends import End
from fullrate.records.facts.net import ListeningSocket
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.trial import EngineFailure, Trial
from fullrate.records.view import EndView, View

CAUSE = "server-busy"
_TAKEN = {EngineFailure.BUSY, EngineFailure.PORT_IN_USE}
_HIGHEST_PORT = 65535


def diagnose(view: View) -> Finding:
    """Whether no test could run for want of a free server."""
    tried = tries(view)
    served = [trial for trial in tried if trial.throughput is not None or trial.blocked]
    if served:
        return clear(CAUSE, "a free server port was found", [_attempt(served[-1])])
    taken = [trial for trial in tried if failures([trial]) <= _TAKEN and failures([trial])]
    if taken:
        return _problem(view, taken)
    if failures(tried) and failures(tried) <= NO_PROGRAM:
        return not_applicable(CAUSE, "no test server was started: the traffic program cannot run")
    return unknown(CAUSE, "the tests failed for another reason", [_attempt(tried[-1])])


def _problem(view: View, taken: list[Trial]) -> Finding:
    end, ports = view.end(taken[-1].spec.server), {trial.port for trial in taken if trial.port is not None}
    holders = [socket for socket in end.all(ListeningSocket) if socket.port in ports]
    where = end.target or f"the {end.end} end"
    return problem(
        CAUSE,
        f"no test server can be had on {where}: {port_words(ports)} taken",
        [*map(_attempt, taken[-2:]), *(_holder(end, socket) for socket in holders[:4])],
        end=end.end,
        subject=port_words(ports),
        confidence=Confidence.HIGH,
        remedies=_remedies(view, ports),
    )


def _attempt(trial: Trial) -> Evidence:
    return saw(f"trial/{trial.id}", f"port {trial.port} on {trial.spec.server}", trial.failure or "free")


def _holder(end: EndView, socket: ListeningSocket) -> Evidence:
    who = f"{socket.process or 'a program'} pid {socket.pid or 'not shown without root'}"
    return saw(end.source_of(socket), socket.subject, who)


def _remedies(view: View, ports: set[int]) -> tuple[Remedy, ...]:
    """The next free range; ending somebody's server has no undo, so that is left to a person.

    On a host that is not ours nobody listens on other ports: there only a later time helps.
    """
    if not view.end(End.FAR).seen:
        return ()
    first = max({*ports, *view.promise.ports}) + 1
    last = first + len(view.promise.ports) - 1
    if last > _HIGHEST_PORT:
        return ()
    wanted = f"{first}-{last}" if last > first else str(first)
    return (
        Remedy(
            knob="test.port",
            subject=port_words(ports),
            value=wanted,
            end=None,
            commands=(f"fullrate check {view.end(End.FAR).target} --port {wanted}",),
            undo=(),
            note="changes nothing; end the program that holds a port only if nobody needs it",
        ),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.RUN)
