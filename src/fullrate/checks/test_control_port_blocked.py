"""A packet filter swallows the test's own connection: the server listens, the client gets no answer.

A port where nobody listens is refused at once; silence means that something on the way discards the packets.
"""

from fullrate.checks._common import clear, not_applicable, problem, saw, unknown
from fullrate.checks._filters import Chain, chain_of, chain_of_rule
from fullrate.checks._glance import suspect
from fullrate.checks._tries import NO_PROGRAM, failures, port_words, tries
from fullrate.records.ends import End
from fullrate.records.facts.net import EchoProbe, FilterChain, FilterRule
from fullrate.records.finding import Ask, Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.trial import EngineFailure, Trial
from fullrate.records.view import EndView, View

CAUSE = "test-control-port-blocked"
_ANSWERED = {EngineFailure.BUSY, EngineFailure.REFUSED}  # so packets pass both ways
_HOOKS = {"prerouting", "input"}


def diagnose(view: View) -> Finding:
    """Whether the test's ports are filtered."""
    tried = tries(view)
    blocked = [trial for trial in tried if trial.blocked]
    if blocked:
        return _problem(view, tried, blocked)
    if any(trial.throughput is not None or failures([trial]) & _ANSWERED for trial in tried):
        return clear(CAUSE, "the test's port can be reached", [_attempt(tried[-1])])
    if failures(tried) and failures(tried) <= NO_PROGRAM:
        return not_applicable(CAUSE, "no connection was tried: the traffic program cannot run")
    return unknown(CAUSE, "no test came far enough to tell", [_attempt(tried[-1])])


def _problem(view: View, tried: tuple[Trial, ...], blocked: list[Trial]) -> Finding:
    ends = sorted({trial.spec.server for trial in blocked})
    ports = {trial.port for trial in blocked if trial.port is not None}
    where = "either end" if len(ends) > 1 else view.end(ends[0]).target or f"the {ends[0]} end"
    return problem(
        CAUSE,
        f"no answer from {port_words(ports)} on {where}, a filter discards the packets: {_outcome(tried, ends)}",
        [*map(_attempt, blocked[-4:]), *(one for end in ends for one in _rules(view.end(end)))],
        end=ends[0] if len(ends) == 1 else None,
        subject=port_words(ports),
        confidence=Confidence.HIGH,
        remedies=tuple(_remedy(view, view.end(end)) for end in ends),
    )


def _outcome(tried: tuple[Trial, ...], ends: list[End]) -> str:
    measured = [trial for trial in tried if trial.throughput is not None]
    if not measured:
        return "no test could run"
    swapped = all(trial.spec.server not in ends for trial in measured)
    return "measured with the roles swapped" if swapped else "measured on another port"


def _attempt(trial: Trial) -> Evidence:
    return saw(f"trial/{trial.id}", f"port {trial.port} on {trial.spec.server}", trial.failure or "answered")


def _dropping(end: EndView) -> list[FilterRule]:
    return [rule for rule in end.all(FilterRule) if rule.hook in _HOOKS]


def _closed(end: EndView) -> list[FilterChain]:
    return [chain for chain in end.all(FilterChain) if chain.hook in _HOOKS and chain.policy == "drop"]


def _rules(end: EndView) -> list[Evidence]:
    found = [saw(end.source_of(rule), rule.subject, rule.text) for rule in _dropping(end)[:3]]
    return found + [saw(end.source_of(chain), chain.subject, "policy drop") for chain in _closed(end)[:1]]


def _remedy(view: View, end: EndView) -> Remedy:
    """An accept ahead of the rule that drops; where this host shows none, the filter is elsewhere."""
    ports = view.promise.ports
    wanted = str(ports[0]) if len(ports) == 1 else f"{ports[0]}-{ports[-1]}"
    chains = [chain_of_rule(end, rule) for rule in _dropping(end)]
    chains += [chain_of(end, *one.subject.split()) for one in _closed(end)]
    chain = chains[0] if chains else None
    commands, undo = _accept(chain, wanted) if chain else ((), ())
    return Remedy(
        knob="netfilter.rule",
        subject=chain.words if chain else "a filter on the path",
        value=f"tcp and udp dport {wanted} accept",
        end=end.end,
        commands=commands,
        undo=undo,
        note=("" if chain else "no rule of this host is seen to drop it: ask who filters between the hosts; ")
        + f"or --port LOW-HIGH with ports that are open; firewalld: firewall-cmd --add-port={wanted}/tcp",
    )


def _accept(chain: Chain, wanted: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Commands and undo: iptables deletes a rule by its words, nft has the saved chain loaded again."""
    if chain.tool:
        words = [
            f"{chain.name} -p {protocol} --dport {wanted.replace('-', ':')} -j ACCEPT" for protocol in ("tcp", "udp")
        ]
        where = f"{chain.tool} -t {chain.table}"
        return tuple(f"{where} -I {one}" for one in words), tuple(f"{where} -D {one}" for one in reversed(words))
    inserts = (f"nft insert rule {chain.words} {protocol} dport {wanted} accept" for protocol in ("tcp", "udp"))
    return (chain.save, *inserts), (chain.restore,)


def glance(view: View) -> Finding | None:
    """A test that got no answer, from a host that answers echoes: not the host, but the port is out of reach."""
    lost = next((one for one in view.trials if one.engine and one.engine.failure is EngineFailure.UNREACHABLE), None)
    echo = next((one for one in view.here.all(EchoProbe) if one.received), None)
    if lost is None or echo is None or any(one.throughput is not None for one in view.trials):
        return None
    seen = [_attempt(lost), saw(view.here.source_of(echo), "echoes answered", f"{echo.received} of {echo.sent}")]
    words = "the host answers echoes, and the test's port does not: a filter on the way or there discards its packets"
    asks = (Ask(text="nft list ruleset; iptables -S  (on the server)"), Ask(text="ss -ltn  (on the server)"))
    return suspect(view, CAUSE, words, seen, subject="", asks=asks)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.RUN, glance=glance)
