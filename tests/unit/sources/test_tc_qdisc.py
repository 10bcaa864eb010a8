"""The parser of `tc -s -json qdisc show` and of its text form."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.leaf import Scope
from fullrate.sources.tc_qdisc import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("tc -s -json qdisc show dev frta0")
BOTH_FORMS = pytest.mark.parametrize("form", ["tc_j_s_qdisc", "tc_s_qdisc"])
GENERATIONS = pytest.mark.parametrize("generation", ["debian12", "debian13"])


def qdiscs(path: str) -> tuple[Qdisc, ...]:
    """The qdiscs of a recorded reply."""
    return parse(ASKED, recorded(path))


def test_shaper_in_json_is_read_whole() -> None:
    """A tbf below an htb, under traffic: bytes per second become bits, every counter has its place."""
    expected = Qdisc(
        subject="frta0",
        kind="tbf",
        handle="20:",
        parent="1:20",
        rate=20_000_000.0,
        burst=32767,
        latency=0.011469,
        sent_bytes=9634160,
        sent_packets=6658,
        dropped=11562,
        overlimits=32941,
        backlog=60564,
    )
    assert expected == qdiscs("debian12/recorded/tc_j_s_qdisc.txt")[2]


def test_shaper_in_words_is_read_whole() -> None:
    """The text form of the same tbf a moment later; its burst is rounded by tc."""
    expected = Qdisc(
        subject="frta0",
        kind="tbf",
        handle="20:",
        parent="1:20",
        rate=20_000_000.0,
        burst=32768,
        latency=0.0115,
        sent_bytes=9641370,
        sent_packets=6663,
        dropped=11573,
        overlimits=32972,
        backlog=60564,
    )
    assert expected == qdiscs("debian12/recorded/tc_s_qdisc.txt")[2]


@BOTH_FORMS
@GENERATIONS
def test_root_and_children(generation: str, form: str) -> None:
    """The root has no parent, its children name theirs; order is tc's."""
    found = qdiscs(f"{generation}/recorded/{form}.txt")
    assert [("htb", "1:", None), ("pfifo", "10:", "1:10"), ("tbf", "20:", "1:20")] == [
        (qdisc.kind, qdisc.handle, qdisc.parent) for qdisc in found
    ]


@BOTH_FORMS
@GENERATIONS
def test_rate_is_in_bits_in_both_forms(generation: str, form: str) -> None:
    """JSON's 2500000 and the text's 20Mbit are the same rate."""
    assert 20_000_000.0 == qdiscs(f"{generation}/machine/{form}_tbf.txt")[0].rate


@BOTH_FORMS
@GENERATIONS
def test_bandwidth_of_cake(generation: str, form: str) -> None:
    """Cake calls its rate bandwidth."""
    (cake,) = qdiscs(f"{generation}/machine/{form}_cake.txt")
    assert ("cake", 50_000_000.0, 0) == (cake.kind, cake.rate, cake.backlog)


@BOTH_FORMS
def test_low_rate_threshold_of_fq_is_no_rate(form: str) -> None:
    """The fq qdisc does not shape; its limit counts packets."""
    (fair,) = qdiscs(f"debian12/machine/{form}_fq.txt")
    assert (None, 10000) == (fair.rate, fair.limit)


@BOTH_FORMS
@GENERATIONS
def test_limit_of_a_fifo(generation: str, form: str) -> None:
    """A pfifo has a limit in packets."""
    assert 10 == qdiscs(f"{generation}/machine/{form}_pfifo.txt")[0].limit


@BOTH_FORMS
def test_netem_without_rate(form: str) -> None:
    """A netem that only delays shapes nothing."""
    (netem,) = qdiscs(f"debian12/machine/{form}_netem.txt")
    assert ("netem", None, 1000) == (netem.kind, netem.rate, netem.limit)


def test_netem_with_rate() -> None:
    """Netem says its rate within an object."""
    row = b'[{"kind":"netem","handle":"1:","root":true,"options":{"rate":{"rate":125000,"packetoverhead":0}}}]'
    assert 1_000_000.0 == parse(ASKED, row)[0].rate


def test_unlimited_cake() -> None:
    """A cake without bandwidth shapes nothing."""
    row = b'[{"kind":"cake","handle":"1:","root":true,"options":{"bandwidth":"unlimited"}}]'
    assert parse(ASKED, row)[0].rate is None


@BOTH_FORMS
@GENERATIONS
def test_queues_of_a_multiqueue_link(generation: str, form: str) -> None:
    """An mq root and one fq_codel a queue."""
    found = qdiscs(f"{generation}/igb/{form}.txt")
    assert [None, ":4", ":3", ":2", ":1"] == [qdisc.parent for qdisc in found]


@BOTH_FORMS
def test_requeues(form: str) -> None:
    """Requeues of the root are counted over its queues."""
    assert [8, 0, 4, 3, 1] == [qdisc.requeues for qdisc in qdiscs(f"debian13/igb/{form}.txt")]


@BOTH_FORMS
def test_bytes_and_packets_of_a_queue(form: str) -> None:
    """The busiest queue's figures are the same in both forms."""
    busy = qdiscs(f"debian13/igb/{form}.txt")[2]
    assert (377165380, 252079) == (busy.sent_bytes, busy.sent_packets)


def test_all_links_at_once_in_json() -> None:
    """When the reply names the link, that is the subject."""
    found = parse(ran("tc -s -json qdisc show"), recorded("debian12/machine/tc_j_s_qdisc_all.txt"))
    assert {"lo", "eth0", "eth3", "eth5", "eth7", "eth9", "dum0", "bond0", "vl10", "br0", "eth10"} == {
        qdisc.subject for qdisc in found
    }


@GENERATIONS
def test_all_links_at_once_in_words(generation: str) -> None:
    """The text names the link behind the handle."""
    found = parse(ran("tc -s qdisc"), recorded(f"{generation}/recorded/tc_s_qdisc_all.txt"))
    assert ["lo", "frta0", "frta0", "frta0"] == [qdisc.subject for qdisc in found]


def test_paste_without_statistics() -> None:
    """`tc qdisc show` has rates and no counters; ingress has a parent and no rate."""
    paste = (
        b"# tc qdisc show\n"
        b"qdisc tbf 1: dev veth20261d7b root refcnt 2 rate 10Mbit burst 256Mb lat 25.0ms \n"
        b"qdisc ingress ffff: dev veth20261d7b parent ffff:fff1 ---------------- \n"
    )
    shaper, ingress = parse(ASKED, paste)
    assert ("veth20261d7b", 10_000_000.0, 268435456, 0) == (
        shaper.subject,
        shaper.rate,
        shaper.burst,
        shaper.sent_bytes,
    )
    assert ("ingress", "ffff:fff1", None) == (ingress.kind, ingress.parent, ingress.rate)


def test_link_without_qdisc() -> None:
    """A link that is down has only noop, which tc leaves out."""
    assert () == parse(ASKED, b"[]\n")


@pytest.mark.parametrize(("form", "end"), [("tc_j_s_qdisc", 400), ("tc_s_qdisc", 100), ("tc_s_qdisc", 10)])
def test_truncated_reply_is_refused(form: str, end: int) -> None:
    """Counters or a first line cut short are an error, not zero."""
    with pytest.raises(FormatError):
        parse(ASKED, recorded(f"debian12/recorded/{form}.txt")[:end])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b'Cannot find device "nosuch0"\n', b"qdisc tbf\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What is not of tc qdisc raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_each_link_is_asked() -> None:
    """One request a link under test."""
    assert (query("tc", "-s", "-json", "qdisc", "show", "dev", "eth0"),) == SOURCE.requests(Scope(links=("eth0",)))


@pytest.mark.parametrize(
    ("command", "own"),
    [("tc -s -json qdisc show dev eth0", True), ("tc qdisc", True), ("tc -s class show dev eth0", False)],
)
def test_which_replies_are_its_own(command: str, own: bool) -> None:  # noqa: FBT001 - a column of the table
    """Any form of tc qdisc, nothing else."""
    assert own is SOURCE.answers(ran(command))


def test_it_is_read_before_and_after_each_trial() -> None:
    """Qdiscs count, but are not sampled."""
    assert (True, None) == (SOURCE.moving, SOURCE.sampled)


def test_several_links_are_asked_about_at_once() -> None:
    """The kernel tells every link's qdiscs in one answer; it names the links."""
    assert (query("tc", "-s", "-json", "qdisc", "show"),) == SOURCE.requests(Scope(links=("eth0", "eth1")))
