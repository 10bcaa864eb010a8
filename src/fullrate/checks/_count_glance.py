"""Counters and listings that say by their names what was refused, dropped or encrypted; when, nobody tells."""

from collections.abc import Sequence

from fullrate.checks._bonds import ROUND_ROBIN
from fullrate.checks._common import UNTESTED, saw
from fullrate.checks._glance import NOTABLE, Reading, again, counters, frames_received, grown, latest, suspect
from fullrate.records.facts.bonding import Bond
from fullrate.records.facts.cpu import Softnet
from fullrate.records.facts.net import FilterRule, ProtocolCounters
from fullrate.records.facts.phy import FecCounters
from fullrate.records.facts.processor import ProcessShare
from fullrate.records.facts.qdisc import Qdisc
from fullrate.records.finding import Confidence, Finding
from fullrate.records.view import View

MANY = 1000  # since boot: some dozens happen on every host that was ever scanned or restarted
_DROPPED = 0.001  # of what a queue sent: below it, dropping is how a queue tells TCP to slow down
_SQUEEZED = 0.01  # rounds that ended early, of the packets: each round handles up to 300
_BLOCKS = 10  # that FEC could not mend, as for damaged frames
_BUSY = 0.5  # of a CPU
# VPN programs that copy every packet of their tunnel (a tun device) themselves
_COPIERS = ("openvpn", "wireguard-go", "boringtun", "tailscaled", "zerotier-one", "tincd", "n2n", "nebula")
_WORKERS = "wg-crypt-"


def protocol(view: View, cause: str, names: Sequence[str], words: str, *, least: int = MANY) -> Finding | None:
    """What the IP stack counts under one of these names, when it is much, or grew between two readings."""
    found = grown(counters(view, ProtocolCounters), names)
    enough = [one for one in found if one.value >= (1 if one.twice else least)]
    most: Reading | None = max(enough, key=lambda one: (one.twice, one.value), default=None)
    if most is None:
        return None
    said = f"{most.value:,} {words} ({most.name}), {most.when}"
    sure = Confidence.MEDIUM if most.twice or least == 1 else Confidence.LOW
    asks = again(view, f"nstat -az {most.name}")
    return suspect(view, cause, said, [most.evidence], subject="", confidence=sure, asks=asks)


_PRUNES = ("TcpExtPruneCalled", "TcpExtRcvPruned", "TcpExtOfoPruned")


def pruned(view: View, cause: str) -> Finding | None:
    """Sockets that were out of room for what they received, more often than a segment in ten thousand."""
    found = counters(view, ProtocolCounters)
    most = max(grown(found, _PRUNES), key=lambda one: one.value, default=None)
    came = found.get("TcpInSegs")
    among = came.value if most and came and came.twice is most.twice else 0
    if most is None or most.value < (1 if most.twice else MANY) or most.value < NOTABLE * among:
        return None
    words = f"sockets were out of room for what they received {most.value:,} times ({most.name}), {most.when}"
    asks = again(view, f"nstat -az {most.name}", "sysctl net.ipv4.tcp_mem net.ipv4.tcp_rmem")
    return suspect(view, cause, words, [most.evidence], subject="", confidence=Confidence.LOW, asks=asks)


def unmended_blocks(view: View, cause: str) -> Finding | None:
    """Blocks that FEC could not mend."""
    fec = latest(view, FecCounters)
    if fec is None or (fec.uncorrectable_blocks or 0) < _BLOCKS:
        return None
    seen = saw(view.here.source_of(fec), "uncorrectable_blocks since boot", fec.uncorrectable_blocks)
    words = f"FEC could not mend {fec.uncorrectable_blocks:,} blocks on {fec.subject}, since boot"
    return suspect(view, cause, words, [seen], asks=again(view, "ethtool -I --show-fec {link}", "ethtool -m {link}"))


def queue_drops(view: View, cause: str) -> Finding | None:
    """A queue of the link, no shaper, that dropped a notable part of what it was given."""
    queues = [one for one in view.here.all(Qdisc) if one.subject in {view.here.interface, ""} and one.rate is None]
    bad = [one for one in queues if one.dropped >= MANY and one.dropped >= _DROPPED * (one.sent_packets + one.dropped)]
    if not bad:
        return None
    most = max(bad, key=lambda one: one.dropped)
    numbers = f"{most.dropped}, {most.sent_packets}"
    seen = saw(view.here.source_of(most), f"{most.kind} dropped since boot, sent", numbers)
    words = f"{most.kind} on {most.subject} dropped {most.dropped:,} of its packets, since boot"
    asks = again(view, "tc -s qdisc show dev {link}")
    return suspect(view, cause, words, [seen], confidence=Confidence.LOW, asks=asks)


def squeezed(view: View, cause: str) -> Finding | None:
    """Rounds of softirqs that ended with work left, again and again."""
    rows = list({one.subject: one for one in view.here.all(Softnet)}.values())
    ended, handled = sum(one.time_squeeze for one in rows), sum(one.processed for one in rows)
    if ended < MANY or ended < _SQUEEZED * handled:
        return None
    seen = saw(view.here.source_of(rows[0]), "time_squeeze, processed, since boot", f"{ended}, {handled}")
    words = f"{ended:,} rounds of softirqs ended with packets left, since boot"
    asks = again(view, "cat /proc/net/softnet_stat", "mpstat -P ALL 1")
    return suspect(view, cause, words, [seen], subject="", confidence=Confidence.LOW, asks=asks)


def encrypting(view: View, cause: str) -> Finding | None:
    """Kernel workers that encrypt WireGuard's packets and are busy with it."""
    found = [one for one in view.here.all(ProcessShare) if _WORKERS in one.name]
    return _busy(view, cause, found, "the kernel's workers that encrypt WireGuard's packets take")


def copying(view: View, cause: str) -> Finding | None:
    """A VPN program that copies every packet and is busy with it."""
    found = [one for one in view.here.all(ProcessShare) if one.name.split("/")[-1].startswith(_COPIERS)]
    return _busy(view, cause, found, "the programs that copy a tunnel's packets take")


def _busy(view: View, cause: str, found: Sequence[ProcessShare], words: str) -> Finding | None:
    share = sum(one.share for one in found)
    if share < _BUSY:
        return None
    end = view.here
    seen = [saw(end.source_of(one), f"PID {one.subject} {one.name}", f"{one.share:.0%} of a CPU") for one in found]
    said = f"{words} {share:.0%} of a CPU, on the screen that was shown"
    return suspect(view, cause, said, seen, subject=found[0].name, asks=again(view, "mpstat -P ALL 1", "perf top -g"))


def round_robin(view: View, cause: str) -> Finding | None:
    """A bond that sends the packets of one flow by all members in turn."""
    bond = next((one for one in view.here.all(Bond) if one.mode == ROUND_ROBIN), None)
    if bond is None:
        return None
    words = f"{bond.subject or 'the bond'} sends the packets of one flow by all members in turn: {UNTESTED}"
    seen = saw(view.here.source_of(bond), "mode", bond.mode)
    return suspect(view, cause, words, [seen], subject=bond.subject, asks=again(view, "ss -tinm", "nstat -az"))


def waits_for_bus(view: View, cause: str) -> Finding | None:
    """Frames that the NIC lost because PCIe or memory did not take them, by the driver's own names."""
    found, recipe = counters(view), view.recipe(view.here)
    names = recipe.bus_slow if recipe and recipe.bus_slow else ("rx_discards_phy", "outbound_pci_buffer_overflow")
    most = max(grown(found, names), key=lambda one: (one.twice, one.value), default=None)
    if most is None:
        return None
    received = frames_received(found, most)
    if most.value < (NOTABLE * received.value if received else MANY):
        return None
    words = f"the NIC lost {most.value:,} frames that PCIe or memory did not take in time ({most.name}), {most.when}"
    asks = again(view, "ethtool -S {link}", "lspci -vv", "mpstat -P ALL 1")
    return suspect(view, cause, words, [most.evidence], asks=asks)


def drops_the_test(view: View, cause: str) -> Finding | None:
    """A rule that discards what goes to a port of the test and has done so."""
    ports = {str(port) for port in view.promise.ports}
    for rule in view.here.all(FilterRule):
        words = rule.text.replace(":", " ").replace(",", " ").split()
        if rule.packets and ports & set(words):
            seen = saw(view.here.source_of(rule), rule.text, f"{rule.packets} packets since it was loaded")
            said = f"a rule of {rule.chain} discards packets of the test: {rule.packets:,} so far"
            return suspect(view, cause, said, [seen], subject=rule.subject, asks=again(view, "nft list ruleset"))
    return None
