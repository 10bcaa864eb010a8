"""Rules of nftables in words."""

import pytest

from fullrate.sources._nft import Body, words


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ({"accept": None}, "accept"),
        ({"jump": {"target": "strict"}}, "jump strict"),
        ({"goto": {"target": "strict"}}, "goto strict"),
        ({"log": {"prefix": "seen "}}, "log"),
        ({"reject": None}, "reject"),
        ({"limit": {"rate": 5, "burst": 9, "per": "second"}}, "limit rate 5/second"),
        ({"limit": {"rate": 3, "per": "hour", "rate_unit": "packets"}}, "limit rate 3/hour"),
        ({"match": {"op": "in", "left": {"ct": {"key": "state"}}, "right": "new"}}, "ct state new"),
        ({"match": {"op": "!=", "left": {"meta": {"key": "iif"}}, "right": 2}}, "iif != 2"),
        (
            {"match": {"op": "==", "left": {"meta": {"key": "mark"}}, "right": {"set": [{"elem": {"val": 7}}, 9]}}},
            "meta mark { 7, 9 }",
        ),
        (
            {"match": {"op": "==", "left": {"payload": {"base": "th", "offset": 16, "len": 16}}, "right": 53}},
            '{"payload": {"base": "th", "offset": 16, "len": 16}} 53',
        ),
        ({"xt": None}, '{"xt": null}'),
        ({"quota": {"val": 5}}, '{"quota": {"val": 5}}'),
    ],
)
def test_statement(statement: Body, text: str) -> None:
    """Known statements become words; unknown ones and unknown forms of known ones keep their JSON."""
    assert text == words([statement])


def test_counters_are_left_out() -> None:
    """A counter is no part of what a rule does."""
    assert "drop" == words([{"counter": {"packets": 1, "bytes": 60}}, {"drop": None}])


def test_flags_written_as_an_expression() -> None:
    """Newer nft writes the list of flags as an or of its parts."""
    old: Body = {"&": [{"payload": {"protocol": "tcp", "field": "flags"}}, ["syn", "ack"]]}
    new: Body = {"&": [{"payload": {"protocol": "tcp", "field": "flags"}}, {"|": ["syn", "ack"]}]}
    texts = {words([{"match": {"op": "==", "left": left, "right": "syn"}}]) for left in (old, new)}
    assert {"tcp flags & syn|ack syn"} == texts
