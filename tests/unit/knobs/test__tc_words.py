"""What a person writes for a qdisc."""

import re

import pytest

from fullrate.knobs._tc_words import wish_of
from fullrate.records.setting import CannotSetError

FQ = (
    '[{{"kind":"fq","handle":"8001:","root":true, "options":{{"limit":{limit},"flow_limit":100,"buckets":1024,'
    '"orphan_mask":1023,"quantum":3028,"initial_quantum":15140{rate},"refill_delay":40000}}}}]'
)
SHOWN = FQ.format(limit=10000, rate="")
TBF = (
    '[{"kind":"tbf","handle":"8b11:","root":true, "options":{"rate":117687654,"burst":"130986b/1","mpu":0,'
    '"burst_raw":"43f4","lat":32875,"limit":4000000,"linklayer":"ethernet"}}]'
)


def so(value: str, shown: str) -> bool:
    """Whether what is shown is what was written."""
    return re.fullmatch(wish_of(value).expect, shown, re.DOTALL) is not None


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("fq", SHOWN),
        ("fq limit 10000", SHOWN),
        ("fq limit 10000 quantum 3028", SHOWN),
        ("fq quantum 3028 limit 10000", SHOWN),
        ("fq maxrate 500mbit", FQ.format(limit=5, rate=',"maxrate":62500000')),
        ("tbf rate 941501232bit burst 131027 limit 4000000", TBF),
        ("tbf rate 941501232bit burst 131034 limit 4000000", TBF),
    ],
)
def test_it_is_so(value: str, shown: str) -> None:
    """A kind alone, or with what it says of its options."""
    assert so(value, shown)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("pfifo", SHOWN),
        ("fq_codel", SHOWN),
        ("fq limit 1000", SHOWN),
        ("fq limit 100000", SHOWN),
        ("fq flow_limit 10000", SHOWN),
        ("fq maxrate 500mbit", SHOWN),
        ("fq maxrate 400mbit", FQ.format(limit=5, rate=',"maxrate":62500000')),
        ("tbf rate 941501232bit burst 140000 limit 4000000", TBF),
        ("tbf rate 900mbit burst 131027 limit 4000000", TBF),
        ("fq", SHOWN.replace("8001:", "0:")),
        ("fq limit 10000", SHOWN.replace('"limit":10000', '"other":1') + ',{"options":{"limit":10000}}]'),
    ],
)
def test_it_is_not_so(value: str, shown: str) -> None:
    """Another kind, another option, the kernel's own, another one's option."""
    assert not so(value, shown)


@pytest.mark.parametrize(
    ("value", "words"),
    [("fq", ("fq",)), ("fq maxrate 1gbit limit 9", ("fq", "maxrate", "1gbit", "limit", "9"))],
)
def test_tc_gets_the_words(value: str, words: tuple[str, ...]) -> None:
    """As they were written."""
    assert words == wish_of(value).words


@pytest.mark.parametrize(
    "value",
    [
        "",
        "fq limit",
        "fq limit many",
        "fq limit 010",
        "fq limit 10mbit",
        "fq maxrate 500",
        "fq_codel target 5ms",
        "netem loss 1%",
        "fq; reboot",
        "../fq",
        "-s",
        "FQ",
        "1: fq",
        "parent 1:1 fq",
        "handle 1: fq",
        "sixteen_letters_a",
    ],
)
def test_what_is_not_understood(value: str) -> None:
    """The reason shows how it is written."""
    reason = (
        f"{value!r} is not understood: write a kind alone, like `fq`, or with whole numbers and rates in bits, like "
        "`pfifo limit 1000` or `fq maxrate 500mbit`"
    )
    with pytest.raises(CannotSetError) as caught:
        wish_of(value)
    assert reason == str(caught.value)
