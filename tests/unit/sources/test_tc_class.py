"""The parser of `tc -s -json class show` and of its text form."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.qdisc import QdiscClass
from fullrate.records.leaf import Scope
from fullrate.sources.tc_class import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("tc -s -json class show dev frta0")
GENERATIONS = pytest.mark.parametrize("generation", ["debian12", "debian13"])
EVERY_FORM = pytest.mark.parametrize(
    "path",
    [
        f"{generation}/recorded/{form}.txt"
        for generation in ("debian12", "debian13")
        for form in ("tc_j_s_class", "tc_s_class")
    ],
)


def test_json_is_read_whole() -> None:
    """An htb class under traffic: bytes per second become bits, every counter has its place."""
    expected = QdiscClass(
        subject="frta0",
        kind="htb",
        classid="1:20",
        parent="1:1",
        rate=20_000_000.0,
        ceiling=40_000_000.0,
        sent_bytes=10186783,
        sent_packets=7016,
        dropped=11043,
        overlimits=323,
    )
    assert expected == parse(ASKED, recorded("debian13/recorded/tc_j_s_class.txt"))[2]


def test_text_is_read_whole() -> None:
    """The same class in words."""
    expected = QdiscClass(
        subject="frta0",
        kind="htb",
        classid="1:20",
        parent="1:1",
        rate=20_000_000.0,
        ceiling=40_000_000.0,
        sent_bytes=10195435,
        sent_packets=7022,
        dropped=11054,
        overlimits=323,
    )
    assert expected == parse(ASKED, recorded("debian13/recorded/tc_s_class.txt"))[2]


def test_older_tool_answers_a_json_request_in_words() -> None:
    """What iproute2 6.1 prints for -json is read like any text."""
    found = parse(ASKED, recorded("debian12/recorded/tc_j_s_class.txt"))
    assert [0, 9619740, 9619740, 0] == [each.sent_bytes for each in found]


@EVERY_FORM
def test_rates_and_ceilings(path: str) -> None:
    """All forms and generations tell the same rates, in bits per second."""
    found = parse(ASKED, recorded(path))
    assert [(30e6, 50e6), (90e6, 100e6), (20e6, 40e6), (None, None)] == [(each.rate, each.ceiling) for each in found]


@EVERY_FORM
def test_tree_of_classes(path: str) -> None:
    """The top class has no parent; the class tbf makes up has no statistics."""
    found = parse(ASKED, recorded(path))
    assert [("htb", "1:10", "1:1"), ("htb", "1:1", None), ("htb", "1:20", "1:1"), ("tbf", "20:1", "20:")] == [
        (each.kind, each.classid, each.parent) for each in found
    ]


@GENERATIONS
def test_no_class_is_legal(generation: str) -> None:
    """A link without classful qdisc has none; the older tool then prints nothing."""
    assert () == parse(ASKED, recorded(f"{generation}/recorded/tc_j_s_class_none.txt"))


def test_service_curves_of_hfsc() -> None:
    """The lasting rate is m2, the ceiling is the upper limit's."""
    text = b"class hfsc 1:10 parent 1: sc m1 0bit d 0us m2 10Mbit ul m1 0bit d 0us m2 25Mbit \n"
    (found,) = parse(ASKED, text)
    assert (10e6, 25e6) == (found.rate, found.ceiling)


def test_link_named_in_the_reply() -> None:
    """When the reply names the link, that is the subject."""
    (found,) = parse(ran("tc -s class show"), b"class htb 1:1 dev ppp0 root prio 0 rate 8Mbit ceil 8Mbit \n")
    assert "ppp0" == found.subject


def test_link_named_in_json() -> None:
    """The same in JSON."""
    row = b'[{"class":"htb","handle":"1:1","dev":"ppp0","root":true,"rate":1000000,"ceil":1000000,"stats":{}}]'
    assert ("ppp0", 8e6) == (parse(ASKED, row)[0].subject, parse(ASKED, row)[0].ceiling)


@pytest.mark.parametrize(
    ("path", "end"),
    [
        ("debian13/recorded/tc_j_s_class.txt", 400),
        ("debian12/recorded/tc_s_class.txt", 110),
        ("debian12/recorded/tc_s_class.txt", 15),
    ],
)
def test_truncated_reply_is_refused(path: str, end: int) -> None:
    """Counters or a first line cut short are an error, not zero."""
    with pytest.raises(FormatError):
        parse(ASKED, recorded(path)[:end])


@pytest.mark.parametrize("payload", [*GARBAGE, b"class htb\n", b"qdisc htb 1: root refcnt 2\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What is not of tc class raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_each_link_is_asked() -> None:
    """One request a link under test."""
    assert (query("tc", "-s", "-json", "class", "show", "dev", "eth0"),) == SOURCE.requests(Scope(links=("eth0",)))


@pytest.mark.parametrize(
    ("command", "own"), [("tc -s -json class show dev eth0", True), ("tc -s qdisc show dev eth0", False)]
)
def test_which_replies_are_its_own(command: str, own: bool) -> None:  # noqa: FBT001 - a column of the table
    """Any form of tc class, nothing else."""
    assert own is SOURCE.answers(ran(command))


def test_it_is_read_before_and_after_each_trial() -> None:
    """Classes count, but are not sampled."""
    assert (True, None) == (SOURCE.moving, SOURCE.sampled)


def test_a_link_without_a_queue_is_not_asked() -> None:
    """It has no classes."""
    scope = Scope(links=("eth0", "veth0"), without_classes=frozenset({"veth0"}))
    assert ["eth0"] == [request.key.split()[-1] for request in SOURCE.requests(scope)]
