"""The NIC has several receive queues and sends all packets to one of them.

Three signs: an indirection table with one entry only (`ethtool -x`); a hash over addresses alone, to which all flows
between two hosts are one (`ethtool -n ... rx-flow-hash`); or queues that never got a packet since boot.
Documentation/networking/scaling.rst, RSS.
"""

import fnmatch
import re

from fullrate.checks._bus import is_virtual, offers_no
from fullrate.checks._common import UNTESTED, clear, link_of, not_applicable, saw, version, without_tcp
from fullrate.checks._glance import again, counters, latest, suspect
from fullrate.checks._queues import Claim, judge, receive_queues
from fullrate.records.evidence import query
from fullrate.records.facts.ethtool import DriverInfo, NicCounters
from fullrate.records.facts.queues import FlowHash, RssTable
from fullrate.records.finding import Ask, Evidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.view import EndView, Missing, View

CAUSE = "rss-single-queue"
_MANY = 100_000_000  # packets since boot: with fewer, a few flows may have met on one queue by chance


def diagnose(view: View) -> Finding:
    """Whether the receiver's NIC puts all packets of this direction on one of its queues."""
    end, link = view.receiver, link_of(view.receiver)
    if is_virtual(end, link):
        return not_applicable(CAUSE, f"{link} is no physical link", end=end.end, subject=link)
    queues = receive_queues(end, link)
    if queues.now == 1:
        return not_applicable(CAUSE, f"{link} has one receive queue", end=end.end, subject=link)
    for sign in (_table, _idle_queues, _hash):
        words, evidence = sign(view, end, link)
        if words:
            seen, set_so = (queues.evidence, *evidence), sign is not _hash
            claim = Claim(cause=CAUSE, words=words, evidence=seen, remedy=_remedy(end, link), set_so=set_so)
            return judge(view, claim)
    words = f"{link} spreads packets over its {queues.now} queues"
    return clear(CAUSE, words, [queues.evidence, *evidence], end=end.end, subject=link)


def _table(_: View, end: EndView, link: str) -> tuple[str, list[Evidence]]:
    if offers_no(end, RssTable, link):
        return "", []
    table = end.need(RssTable, link)
    targets = set(table.table)
    evidence = [saw(end.source_of(table), "queues in the table", len(targets) or "not shown")]
    return (f"the table of {link} sends every flow to queue {min(targets)}" if len(targets) == 1 else "", evidence)


def _idle_queues(view: View, end: EndView, link: str) -> tuple[str, list[Evidence]]:
    end.need(DriverInfo, link)
    recipe = view.recipe(end)
    pattern = recipe.queue_received if recipe else None
    if pattern is None:
        return "", []
    fact = end.need(NicCounters, link)
    counts = {name: number for name, number in fact.counters.items() if fnmatch.fnmatchcase(name, pattern)}
    busy = [name for name, number in counts.items() if number]
    evidence = [saw(end.source_of(fact), name, number) for name, number in counts.items()]
    one = len(counts) > 1 and len(busy) == 1 and sum(counts.values()) >= _MANY
    return (f"of {len(counts)} queues of {link} one alone ever got a packet" if one else "", evidence)


def _hash(view: View, end: EndView, link: str) -> tuple[str, list[Evidence]]:
    protocol, six = "udp" if without_tcp(view) else "tcp", version(view)
    flow = f"{protocol.upper()} over IPV{six}"
    fact = next((fact for fact in end.all(FlowHash) if fact.identity == f"{link} {flow}"), None)
    if fact is None and offers_no(end, FlowHash, link):
        return "", []
    if fact is None:
        request = query("ethtool", "-n", link, "rx-flow-hash", f"{protocol}{six}")
        raise Missing(f"what {link} hashes of {flow}", [Ask(text=" ".join(request.argv), end=end.end, request=request)])
    evidence = [saw(end.source_of(fact), f"ports hashed for {flow}", "yes" if fact.ports else "no")]
    alone = fact.addresses and not fact.ports  # no field at all: the driver does not tell, or the host spreads them
    return (f"{link} hashes addresses alone for {flow}: one queue a pair of hosts" if alone else "", evidence)


def _remedy(end: EndView, link: str) -> Remedy:
    """The table found cannot be told from one that is set back to its default, so nothing is typed here."""
    return Remedy(
        knob="nic.rss",
        subject=link,
        value="spread over all queues",
        end=end.end,
        commands=(),
        undo=(),
        note=f"save `ethtool -x {link}` first; then `ethtool -X {link} default`, and where addresses alone are hashed"
        f" `ethtool -N {link} rx-flow-hash tcp4 sdfn`; read both back, for ethtool may report success without one",
    )


# Names of drivers for the packets of one receive queue; the number in them tells the queue.
_QUEUE = re.compile(
    r"rx_queue_(\d+)_packets|rx-(\d+)\.packets|rx(\d+)_packets|queue_(\d+)_rx_cnt|\[(\d+)\]: rx_ucast_packets"
    r"|Queue\[(\d+)\] InPackets|rx-(\d+)\.rx_packets"
)


def glance(view: View) -> Finding | None:
    """A table that names one of several queues, or several of which one alone ever got a packet, of very many."""
    return _one_target(view) or _one_counted(view)


def _one_target(view: View) -> Finding | None:
    """The indirection table alone: a setting."""
    table = latest(view, RssTable)
    if table is None or table.rings < 2 or len(set(table.table)) != 1:  # noqa: PLR2004 - two queues
        return None
    seen = saw(view.here.source_of(table), "queues in the table, of rings", f"1 of {table.rings}")
    words = f"the table of {table.subject} sends every flow to queue {table.table[0]} of {table.rings}: {UNTESTED}"
    return suspect(view, CAUSE, words, [seen], asks=again(view, "ethtool -S {link}", "mpstat -P ALL 1"))


def _one_counted(view: View) -> Finding | None:
    found = {name: one for name, one in counters(view, NicCounters).items() if _QUEUE.fullmatch(name)}
    busy = [one for one in found.values() if one.value]
    if len(found) < 2 or len(busy) != 1 or busy[0].value < _MANY:  # noqa: PLR2004 - two queues
        return None
    words = f"of {len(found)} receive queues of {view.here.interface or 'the link'} one alone got packets"
    seen = [one.evidence for one in found.values()]
    asks = again(view, "ethtool -x {link}", "ethtool -n {link} rx-flow-hash tcp4", "mpstat -P ALL 1")
    return suspect(view, CAUSE, f"{words}, {busy[0].value:,} {busy[0].when}", seen, asks=asks)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, alone=True, glance=glance)
