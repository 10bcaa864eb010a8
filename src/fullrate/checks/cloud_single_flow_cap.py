"""A cloud provider's limit for each flow: one flow stops flat at a known figure, several together go far beyond.

Which providers have one is told by the driver of their adapter. Nothing on the hosts may hold that flow back, and the
proof is a test with several flows.
"""

from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, rate, saw, without_tcp
from fullrate.checks._flows import MORE, PROVIDERS, SEVERAL, free, gained, provider_limit
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.view import View

CAUSE = "cloud-single-flow-cap"


def diagnose(view: View) -> Finding:
    """Whether the provider's limit per flow caps this direction."""
    if without_tcp(view):
        return not_applicable(CAUSE, "only UDP was sent: one TCP flow was not compared with several")
    driver = view.sender.need(DriverInfo, view.sender.interface)
    if driver.driver not in PROVIDERS:
        return not_applicable(CAUSE, f"no provider with a limit per flow is known for the driver {driver.driver}")
    one = view.trial()
    evidence = [saw(view.sender.source_of(driver), "driver", driver.driver), measured(one)]
    reached = provider_limit(view, one)
    if reached is None or is_full(view, one):
        return clear(CAUSE, "one flow does not stop at the provider's figure", evidence)
    if not one.steady or not free(view, one):
        return clear(CAUSE, "something on the hosts holds the flow back", evidence)
    several = view.trial(streams=SEVERAL)
    evidence.append(measured(several))
    if rate(several) < MORE * rate(one):
        return clear(CAUSE, f"{SEVERAL} flows carry no more than one", evidence)
    return problem(
        CAUSE,
        f"the provider lets one flow have {reached / 1e9:.0f} Gbit/s; {SEVERAL} flows carry more",
        evidence,
        subject="path",
        confidence=Confidence.MEDIUM,
        costs_bps=min(view.ceiling - rate(one), gained(view, one, several)),
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC)
