"""A packet filter swallows the test's own connection: the server listens, the client gets no answer.

A port where nobody listens is refused at once; silence means that something on the way discards the packets.
"""

from fullrate.checks._common import clear, not_applicable, problem, saw
from fullrate.records.ends import End
from fullrate.records.facts.net import FilterRule
from fullrate.records.finding import Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check
from fullrate.records.trial import Trial
from fullrate.records.view import View

CAUSE = "test-control-port-blocked"


def diagnose(view: View) -> Finding:
    """Whether the test's ports are filtered."""
    tried = [trial for trial in view.trials if trial.spec.sends]
    if not tried:
        return not_applicable(CAUSE, "no test was tried yet") if view.trials else _untried(view)
    blocked = [trial for trial in tried if trial.blocked]
    if not blocked:
        return clear(CAUSE, "the test's port can be reached", [_attempt(tried[-1])])
    end = blocked[0].spec.server
    measured = any(trial.throughput is not None for trial in tried)
    both = len({trial.spec.server for trial in blocked}) > 1
    where = "either end" if both else view.end(end).target or f"the {end} end"
    return problem(
        CAUSE,
        f"{_ports(blocked)} on {where} {'is' if len(_numbers(blocked)) == 1 else 'are'} filtered"
        + (": measured with the roles swapped" if measured else ": no test could run"),
        [*map(_attempt, blocked[-4:]), *_rules(view, end)],
        end=None if both else end,
        subject=_ports(blocked),
        confidence=Confidence.HIGH,
        remedies=tuple(_remedy(view, side) for side in sorted({trial.spec.server for trial in blocked})),
    )


def _untried(view: View) -> Finding:
    view.trial()  # raises Missing, which asks for the first test
    return not_applicable(CAUSE, "no test was tried")


def _numbers(trials: list[Trial]) -> list[int]:
    return sorted({trial.port for trial in trials if trial.port is not None})


def _ports(trials: list[Trial]) -> str:
    ports = _numbers(trials)
    return f"TCP port {ports[0]}" if len(ports) == 1 else f"TCP ports {ports[0]} to {ports[-1]}"


def _attempt(trial: Trial) -> Evidence:
    return saw(f"trial/{trial.id}", f"port {trial.port} on {trial.spec.server}", trial.failure or "answered")


def _dropping(view: View, end: End) -> list[FilterRule]:
    return [rule for rule in view.end(end).all(FilterRule) if rule.hook in {"input", "prerouting"}]


def _rules(view: View, end: End) -> list[Evidence]:
    return [saw("run nft -json list ruleset", rule.subject, rule.text) for rule in _dropping(view, end)[:3]]


def _remedy(view: View, end: End) -> Remedy:
    """An accept ahead of the rule that drops, where one is seen; the usual chain where none is."""
    rules = _dropping(view, end)
    chain = f"{rules[0].family} {rules[0].table} {rules[0].chain}" if rules else "inet filter input"
    ports = f"{view.promise.ports[0]}-{view.promise.ports[-1]}"
    return Remedy(
        knob="netfilter.rule",
        subject=chain,
        value=f"tcp and udp dport {ports} accept",
        end=end,
        commands=tuple(f"nft insert rule {chain} {protocol} dport {ports} accept" for protocol in ("tcp", "udp")),
        undo=(f"nft -a list chain {chain}    then: nft delete rule {chain} handle N",),
        note="or --port LOW-HIGH with ports that are open; firewalld: firewall-cmd --add-port=" + ports + "/tcp",
    )


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per_direction=False)
