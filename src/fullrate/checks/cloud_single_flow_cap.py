"""A cloud provider's limit for each flow: one flow stops flat at a known figure, several together go far beyond.

Which providers have one is told by the driver of their adapter. Nothing on the hosts may hold that flow back, and the
proof is a test with several flows.
"""

from fullrate.checks._common import clear, is_full, measured, not_applicable, problem, rate, saw, without_tcp
from fullrate.checks._flows import MORE, PROVIDERS, SEVERAL, free, gained, provider_limit, reached_limit
from fullrate.checks._glance import again, suspect
from fullrate.checks._told_pairs import outdone_by
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.finding import Confidence, Finding
from fullrate.records.leaf import Check, Per
from fullrate.records.trial import Trial
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


def glance(view: View) -> Finding | None:
    """Two tests that somebody showed: one flow at the provider's figure, and several that carry clearly more."""
    driver = view.here.want(DriverInfo, view.here.interface)
    if driver is None or (limits := PROVIDERS.get(driver.driver)) is None:
        return None
    found = outdone_by(
        view, lambda one, other: _is_one_to_several(one, other) and bool(reached_limit(rate(one), limits))
    )
    if found is None:
        return None
    one, more = found
    limit = reached_limit(rate(one), limits) or 0.0
    words = f"the provider lets one flow have {limit / 1e9:.0f} Gbit/s; {more.spec.streams} flows carried more"
    seen = [saw(view.here.source_of(driver), "driver", driver.driver), measured(one), measured(more)]
    return suspect(view, CAUSE, words, seen, subject="path", asks=again(view, "ss -tinm", "nstat -az"))


def _is_one_to_several(one: Trial, other: Trial) -> bool:
    return one.spec.protocol == "tcp" and one.spec.streams == 1 < other.spec.streams


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, glance=glance)
