"""Every packet of this tunnel is copied through a program, and the program fills a CPU.

A tun or tap device hands its packets to the program that opened it, a read and a write each (Documentation/networking/
tuntap.rst); OpenVPN, userspace WireGuard and most mesh VPNs work so.
"""

from fullrate.checks._common import clear, measured, not_applicable, problem, saw
from fullrate.checks._cores import Core, at_ease, cost, limit, of_both
from fullrate.checks._count_glance import copying
from fullrate.checks._tunnels import tunnel_program, user_tunnel
from fullrate.checks._work import Work
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "userspace-tunnel"


def diagnose(view: View) -> Finding:
    """Whether the program behind a tunnel fills a CPU of either end."""
    return of_both(view, _side)


def _side(view: View, trial: Trial, end: EndView) -> Finding:
    tunnel = user_tunnel(end)
    if tunnel is None:
        return not_applicable(CAUSE, f"{end.interface} is no tun or tap device", end=end.end)
    core = limit(view, trial, end)
    if core is None:
        return at_ease(CAUSE, view, trial, end)
    evidence = [core.evidence, saw(end.source_of(tunnel), f"{tunnel.subject} kind", tunnel.kind), measured(trial)]
    program = tunnel_program(view, trial, end, core)
    if program is None:
        return clear(CAUSE, f"no program behind {tunnel.subject} fills CPU {core.cpu}", evidence, end=end.end)
    return _problem(view, trial, end, core, program, evidence)


def _problem(  # noqa: PLR0913, PLR0917 - what the finding is made of
    view: View, trial: Trial, end: EndView, core: Core, program: Work, evidence: list[Evidence]
) -> Finding:
    evidence.append(saw(program.source, f"thread {program.tid} {program.name}", f"about {program.share:.0%} of a CPU"))
    return problem(
        CAUSE,
        f"{program.name} copies every packet of {end.interface}, and CPU {core.cpu} is full",
        evidence,
        end=end.end,
        subject=end.interface or "",
        confidence=Confidence.MEDIUM,
        costs_bps=cost(view, trial, core),
    )


def glance(view: View) -> Finding | None:
    """A busy VPN program, on a screen of top."""
    return copying(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
