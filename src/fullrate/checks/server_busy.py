"""No test server can be had: every port of the range is taken, or the server is running somebody else's test.

iperf3 runs one test at a time on a port, and answers a second client with "the server is busy".
"""

from fullrate.checks._common import clear, not_applicable, problem, saw
from fullrate.records.facts.net import ListeningSocket
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import EngineFailure, Trial
from fullrate.records.view import View

CAUSE = "server-busy"
_TAKEN = {EngineFailure.BUSY, EngineFailure.PORT_IN_USE}


def diagnose(view: View) -> Finding:
    """Whether no test could run for want of a free server."""
    tried = [trial for trial in view.trials if trial.spec.sends]
    if not tried:
        return not_applicable(CAUSE, "no test was tried yet") if view.trials else _untried(view)
    taken = [trial for trial in tried if trial.engine is not None and trial.engine.failure in _TAKEN]
    if not taken or any(trial.throughput is not None for trial in tried):
        return clear(CAUSE, "a free server port was found", [_attempt(tried[-1])])
    ports = sorted({trial.port for trial in taken if trial.port is not None})
    holders = _holders(view, taken)
    return problem(
        CAUSE,
        f"no test server can be started: every port from {ports[0]} to {ports[-1]} is taken",
        [*map(_attempt, taken[-2:]), *_evidence(holders)],
        end=taken[0].spec.server,
        subject=f"TCP ports {ports[0]} to {ports[-1]}",
        confidence=Confidence.HIGH,
        remedies=(_remedy(taken[0], ports, holders),),
    )


def _untried(view: View) -> Finding:
    view.trial()  # raises Missing, which asks for the first test
    return not_applicable(CAUSE, "no test was tried")


def _attempt(trial: Trial) -> Evidence:
    return saw(f"trial/{trial.id}", f"port {trial.port} on {trial.spec.server}", trial.failure or "free")


def _holders(view: View, taken: list[Trial]) -> list[ListeningSocket]:
    ports = {trial.port for trial in taken}
    return [socket for socket in view.end(taken[0].spec.server).all(ListeningSocket) if socket.port in ports]


def _evidence(holders: list[ListeningSocket]) -> list[Evidence]:
    return [
        saw("run ss -tlnpH", socket.subject, f"{socket.process or 'another user'} pid {socket.pid or '?'}")
        for socket in holders[:4]
    ]


def _remedy(trial: Trial, ports: list[int], holders: list[ListeningSocket]) -> Remedy:
    pids = sorted({socket.pid for socket in holders if socket.pid is not None})
    stop = tuple(f"kill {pid}" for pid in pids[:4])
    return Remedy(
        knob="process",
        subject=f"TCP ports {ports[0]} to {ports[-1]}",
        value="free",
        end=trial.spec.server,
        commands=(f"fullrate check ... --port {ports[-1] + 1}-{ports[-1] + 10}", *stop),
        undo=(),
        note="use other ports first; end a server only if nobody needs it",
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per_direction=False)
