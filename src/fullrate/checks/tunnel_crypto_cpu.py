"""Encrypting or decrypting the tunnel's packets fills a CPU.

WireGuard works in kworkers called wg-crypt-IFNAME (drivers/net/wireguard/device.c), IPsec in the softirq of the CPU
that got the packet, one for each security association (net/xfrm/xfrm_input.c).
"""

from fullrate.checks._common import measured, not_applicable, problem, saw
from fullrate.checks._cores import Core, at_ease, cost, limit, of_both
from fullrate.checks._count_glance import encrypting
from fullrate.checks._tunnels import crypto_link
from fullrate.records.facts.link import Link
from fullrate.records.facts.processor import RunningThread
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "tunnel-crypto-cpu"
_WORKERS = "wg-crypt-"
_BUSY = 1.0  # s of CPU time of all workers together: below the resolution of the list it is nothing


def diagnose(view: View) -> Finding:
    """Whether the encryption of this path fills a CPU of either end."""
    return of_both(view, _side)


def _side(view: View, trial: Trial, end: EndView) -> Finding:
    tunnel = crypto_link(end)
    if tunnel is None:
        return not_applicable(CAUSE, f"{end.interface} is no encrypting tunnel", end=end.end)
    core = limit(view, trial, end)
    if core is None:
        return at_ease(CAUSE, view, trial, end)
    return _problem(view, trial, end, core, tunnel)


def _problem(view: View, trial: Trial, end: EndView, core: Core, tunnel: Link) -> Finding:
    evidence = [core.evidence, saw(end.source_of(tunnel), f"{tunnel.subject} kind", tunnel.kind), measured(trial)]
    spent = _workers(view, trial, end)
    if spent >= _BUSY:
        evidence.append(saw("run ps", f"{_WORKERS}{tunnel.subject} workers", f"+{spent:.0f} s of CPU time"))
    return problem(
        CAUSE,
        f"the packets of {tunnel.subject} ({tunnel.kind}) are encrypted on CPU {core.cpu}, which is full",
        evidence,
        end=end.end,
        subject=tunnel.subject,
        confidence=Confidence.HIGH if spent >= _BUSY else Confidence.MEDIUM,
        costs_bps=cost(view, trial, core),
    )


def _workers(view: View, trial: Trial, end: EndView) -> float:
    """CPU time of the kworkers that encrypt; only a second sign, so an unread list is none."""
    deltas = view.window(trial, end).deltas(RunningThread)
    return sum(delta.after.seconds - delta.before.seconds for delta in deltas if _WORKERS in delta.after.name)


def glance(view: View) -> Finding | None:
    """Busy workers that encrypt, on a screen of top."""
    return encrypting(view, CAUSE)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, glance=glance)
