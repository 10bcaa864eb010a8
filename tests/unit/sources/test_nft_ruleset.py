"""The parser of `nft --json list ruleset`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.net import FilterChain, FilterRule, FilterRuleset
from fullrate.records.leaf import Scope
from fullrate.sources.nft_ruleset import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("nft --json list ruleset")
NOTHING = FilterRuleset(subject="nft", chains=0)
GENERATIONS = pytest.mark.parametrize("generation", ["debian12", "debian13"])
FULL = "recorded/nft_json_list_ruleset.txt"


def rules(path: str) -> dict[str, FilterRule]:
    """The discarding rules of a recorded reply by subject."""
    return {fact.subject: fact for fact in parse(ASKED, recorded(path)) if isinstance(fact, FilterRule)}


def chains(path: str) -> dict[str, FilterChain]:
    """The base chains of a recorded reply by subject."""
    return {fact.subject: fact for fact in parse(ASKED, recorded(path)) if isinstance(fact, FilterChain)}


@GENERATIONS
def test_rule_is_read_whole(generation: str) -> None:
    """Place, words, verdict and counter of a rule that drops a port."""
    expected = FilterRule(
        subject="inet filter input 10",
        family="inet",
        table="filter",
        chain="input",
        handle=10,
        hook="input",
        text="tcp dport 5301 drop",
        verdict="drop",
        packets=7,
        bytes=420,
    )
    assert expected == rules(f"{generation}/{FULL}")["inet filter input 10"]


@GENERATIONS
def test_only_rules_that_can_discard(generation: str) -> None:
    """Accepting, jumping and returning rules are left out."""
    expected = [10, 11, 13, 14, 15, 16, 17, 19, 20, 23, 24, 27, 29, 30]
    found = rules(f"{generation}/{FULL}").values()
    assert expected == [rule.handle for rule in found if rule.table == "filter"]


@GENERATIONS
@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("inet filter input 11", "numgen random mod 100 < 5 drop"),
        ("inet filter input 13", "tcp dport { 5401-5410 } limit rate over 10 mbytes/second drop"),
        ("inet filter input 14", "ip saddr @bad drop"),
        ("inet filter input 15", "meta mark & 255 42 drop"),
        ("inet filter input 16", "meta nfproto ipv4 udp dport 53 reject with icmp port-unreachable"),
        ("inet filter input 17", "tcp dport 113 reject with tcp reset"),
        ("inet filter input 19", "tcp dport 5501 limit rate over 40/second drop"),
        ("inet filter input 20", "ip saddr vmap @verdicts"),
        ("inet filter strict 23", "ip saddr != 10.9.0.0/24 drop"),
        ("inet filter strict 24", "tcp flags & fin|syn|rst|ack syn meta length > 1400 drop"),
        ("inet filter strict 27", "meta l4proto vmap { tcp : accept, udp : drop }"),
        ("inet filter strict 29", "ip dscp cs1 iifname . ip protocol vmap { frta0 . tcp : drop }"),
        ("inet filter out 30", "oifname frta0 meta l4proto udp limit rate over 100 kbytes/second drop"),
        ("netdev edge wire 2", "meta length < 60 drop"),
    ],
)
def test_rule_in_words(generation: str, subject: str, text: str) -> None:
    """A person recognises the rule, whatever generation wrote the JSON."""
    assert text == rules(f"{generation}/{FULL}")[subject].text


@GENERATIONS
@pytest.mark.parametrize(
    ("subject", "counted"),
    [
        ("inet filter input 11", (11, 990)),
        ("inet filter input 13", (0, 0)),
        ("inet filter input 16", (3, 180)),
        ("inet filter strict 23", (13, 884)),
        ("netdev edge wire 2", (2, 84)),
    ],
)
def test_counter_before_the_verdict(generation: str, subject: str, counted: tuple[int, int]) -> None:
    """A counter right before the verdict counts what was discarded."""
    rule = rules(f"{generation}/{FULL}")[subject]
    assert counted == (rule.packets, rule.bytes)


@GENERATIONS
def test_named_counter(generation: str) -> None:
    """A counter kept apart is looked up in the rule's table."""
    rule = rules(f"{generation}/{FULL}")["inet filter input 14"]
    assert (21, 1680) == (rule.packets, rule.bytes)


@pytest.mark.parametrize("subject", ["inet filter input 15", "inet filter input 19", "inet filter strict 27"])
def test_what_was_discarded_may_be_unknown(subject: str) -> None:
    """No counter, or one before a limit or map that lets packets pass, tells nothing of discards."""
    rule = rules(f"debian12/{FULL}")[subject]
    assert (None, None) == (rule.packets, rule.bytes)


@GENERATIONS
def test_counters_left_out_are_not_zero(generation: str) -> None:
    """The stateless listing has rules without figures."""
    rule = rules(f"{generation}/recorded/nft_json_list_ruleset_stateless.txt")["inet filter input 10"]
    assert ("drop", None, None) == (rule.verdict, rule.packets, rule.bytes)


@pytest.mark.parametrize(
    ("subject", "verdict"),
    [("inet filter input 16", "reject"), ("inet filter input 20", "drop"), ("inet filter strict 27", "drop")],
)
def test_verdict(subject: str, verdict: str) -> None:
    """Rejecting differs from dropping; a map's verdict counts, whether it stands in the rule or apart."""
    assert verdict == rules(f"debian12/{FULL}")[subject].verdict


@GENERATIONS
def test_rule_in_a_chain_that_is_jumped_to_has_no_hook(generation: str) -> None:
    """A chain without hook is reached from others."""
    found = rules(f"{generation}/{FULL}")
    assert (None, "output", "ingress") == (
        found["inet filter strict 23"].hook,
        found["inet filter out 30"].hook,
        found["netdev edge wire 2"].hook,
    )


@GENERATIONS
def test_base_chains(generation: str) -> None:
    """Hook, policy and number of rules of every chain with a hook; one without is none."""
    expected = {
        "inet filter input": FilterChain(
            subject="inet filter input", hook="input", policy="drop", rules=14, kind="filter"
        ),
        "inet filter out": FilterChain(
            subject="inet filter out", hook="output", policy="accept", rules=1, kind="filter"
        ),
        "netdev edge wire": FilterChain(
            subject="netdev edge wire", hook="ingress", policy="accept", rules=1, kind="filter"
        ),
        "ip6 t6 forward": FilterChain(subject="ip6 t6 forward", hook="forward", policy="drop", rules=0, kind="filter"),
    }
    assert expected == chains(f"{generation}/{FULL}")


@GENERATIONS
def test_rules_of_iptables(generation: str) -> None:
    """What iptables-nft wrote is read too, its REJECT target as well."""
    found = rules(f"{generation}/recorded/nft_json_list_ruleset_iptables.txt").values()
    assert [
        ("drop", "tcp dport 5601 limit rate 3/second drop"),
        ("reject", "tcp dport 5602 REJECT"),
    ] == [(rule.verdict, rule.text) for rule in found]


@pytest.mark.parametrize(("generation", "dropped"), [("debian12", (2, 120)), ("debian13", (3, 180))])
def test_counter_behind_a_match_of_iptables(generation: str, dropped: tuple[int, int]) -> None:
    """Nft shows `-m statistic` and `-m connlimit` as xt, by name only; what they match is counted all the same."""
    found = rules(f"{generation}/recorded/nft_json_list_ruleset_xt.txt").values()
    assert [
        ("tcp dport 5301 statistic drop", dropped),
        ("tcp dport 5302 connlimit REJECT", (1, 60)),
    ] == [(rule.text, (rule.packets, rule.bytes)) for rule in found]


@GENERATIONS
def test_empty_ruleset_is_legal(generation: str) -> None:
    """A host that filters nothing says so."""
    assert (NOTHING,) == parse(ASKED, recorded(f"{generation}/recorded/nft_json_list_ruleset_empty.txt"))


def test_unknown_statement_is_shown_as_json() -> None:
    """What is not known is not left out of the words."""
    document = (
        b'{"nftables":[{"rule":{"family":"ip","table":"t","chain":"c","handle":3,'
        b'"expr":[{"osf":{"ttl":"loose"}},{"drop":null}]}}]}'
    )
    _, rule = parse(ASKED, document)
    assert isinstance(rule, FilterRule)
    assert '{"osf": {"ttl": "loose"}} drop' == rule.text


def test_map_that_is_not_listed_discards_nothing() -> None:
    """A verdict map of which only the name is known is no ground for a rule."""
    document = (
        b'{"nftables":[{"rule":{"family":"ip","table":"t","chain":"c","handle":3,'
        b'"expr":[{"vmap":{"key":{"meta":{"key":"mark"}},"data":"@gone"}}]}}]}'
    )
    assert (NOTHING,) == parse(ASKED, document)


@GENERATIONS
def test_base_chains_are_counted(generation: str) -> None:
    """So that one that is missing is missed."""
    (ruleset,) = (fact for fact in parse(ASKED, recorded(f"{generation}/{FULL}")) if isinstance(fact, FilterRuleset))
    assert FilterRuleset(subject="nft", rules=15, chains=4) == ruleset


def test_truncated_reply_is_refused() -> None:
    """JSON cut in the middle is an error."""
    with pytest.raises(FormatError):
        parse(ASKED, recorded(f"debian12/{FULL}")[:3000])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"{}", b'{"nftables": 3}', b"table inet filter {\n}\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What is not nft's JSON raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_counters_are_asked_for() -> None:
    """Not -json, which nft takes for -j -s -o -n: -s leaves the counters out."""
    assert (query("nft", "--json", "list", "ruleset"),) == SOURCE.requests(Scope())


@pytest.mark.parametrize(
    ("command", "own"),
    [("nft --json list ruleset", True), ("nft -j list ruleset", True), ("nft --json list tables", False)],
)
def test_which_replies_are_its_own(command: str, own: bool) -> None:  # noqa: FBT001 - a column of the table
    """Any listing of the ruleset, nothing else."""
    assert own is SOURCE.answers(ran(command))


def test_it_is_read_before_and_after_each_trial() -> None:
    """Rules count, but are not sampled."""
    assert (True, None) == (SOURCE.moving, SOURCE.sampled)


@pytest.mark.parametrize(
    "statement",
    [
        '{"vmap":{"key":1,"data":{"elem":[]}}}',
        '{"vmap":{"key":1,"data":{"set":[1]}}}',
        '{"vmap":{"key":1,"data":{"set":[[1,"drop"]]}}}',
        '{"xt":["drop"]},{"drop":null}',
        '{"counter":[1]},{"drop":null}',
        '{"counter":{"packets":"many"}},{"drop":null}',
        '{"match":' * 200 + "1" + "}" * 200 + ',{"drop":null}',
    ],
)
def test_statement_in_another_form(statement: str) -> None:
    """It is refused, or shown as it is: a rule is not guessed at."""
    rule = f'{{"family":"ip","table":"t","chain":"c","handle":3,"expr":[{statement}]}}'
    try:
        facts = parse(ASKED, f'{{"nftables":[{{"rule":{rule}}}]}}'.encode())
    except FormatError:
        return
    assert ["drop"] == [fact.verdict for fact in facts if isinstance(fact, FilterRule)]
