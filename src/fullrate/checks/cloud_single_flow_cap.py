"""A cloud provider's limit for each flow: one flow stops flat at a known figure, several together go far beyond.

Amazon EC2 gives one flow 5 Gbit/s, and 10 within a cluster placement group (its documentation, "Amazon EC2 instance
network bandwidth"); its adapter is served by the driver ena. Nothing on the hosts may hold that flow back.
"""

from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, rate, saw, without_tcp
from fullrate.checks._flows import MORE, SEVERAL, free, gained
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check
from fullrate.records.units import BitsPerSecond
from fullrate.records.view import View

CAUSE = "cloud-single-flow-cap"
_LIMITS: dict[str, tuple[BitsPerSecond, ...]] = {"ena": (5e9, 10e9)}  # by driver, lowest first
# The provider counts headers and the limit is not sharp: 4.94 Gbit/s was reported of a limit of 5.
_BELOW = 0.10


def diagnose(view: View) -> Finding:
    """Whether the provider's limit per flow caps this direction."""
    if without_tcp(view):
        return not_applicable(CAUSE, "only UDP was sent: one TCP flow was not compared with several")
    driver = view.sender.need(DriverInfo, view.sender.interface)
    limits = _LIMITS.get(driver.driver)
    if limits is None:
        return not_applicable(CAUSE, f"no provider with a limit per flow is known for the driver {driver.driver}")
    one = view.trial()
    evidence = [saw(view.sender.source_of(driver), "driver", driver.driver), measured(one)]
    reached = next((limit for limit in limits if (1 - _BELOW) * limit <= rate(one) <= limit), None)
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


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose)
