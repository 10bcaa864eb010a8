"""What UDP trials and the UDP counters of the two hosts show, over either IP version."""

from dataclasses import dataclass

from fullrate.checks._common import growth, is_full, link_delta, mtu, rate, saw, version
from fullrate.checks._counters import Count, counted
from fullrate.checks._filters import rule_drops
from fullrate.records.facts.link import LinkCounters
from fullrate.records.finding import Ask, Evidence
from fullrate.records.goodput import headers_per_frame, payload_per_frame
from fullrate.records.trial import Trial
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond, Bytes, bits_per_second
from fullrate.records.view import EndView, Missing, View

# Datagrams a receiver may lose and the test still stands: 0.1 % is what iperf3 prints as its first digit of a loss.
NOTABLE = 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """What became of a UDP trial's datagrams, by the programs at both ends; `rate` is what was sent."""

    ratio: float
    sent: float
    rate: BitsPerSecond
    evidence: tuple[Evidence, ...]

    @property
    def datagrams(self) -> float:
        """How many did not arrive."""
        return self.ratio * self.sent


def udp_trial(view: View) -> Trial | None:
    """The newest UDP trial of this direction; None when only TCP was sent. Raises Missing when nothing was.

    Where UDP was asked for, its trial is missing as long as there is none, whatever else was sent.
    """
    if view.promise.udp is not None:
        return view.trial("udp")
    found = view.want_trial("udp")
    if found is None and not any(trial.spec.sends for trial in view.trials):
        raise Missing("a UDP measurement", [Ask(text="measure with UDP: fullrate check TARGET --udp RATE")])
    return found


def arrives(trial: Trial) -> bool:
    """Whether fewer datagrams were lost than matters; TCP sends again what is lost."""
    lost = trial.engine.lost_ratio if trial.engine else None
    return lost is None or lost < NOTABLE


def lost(view: View, trial: Trial) -> Lost:
    """The loss of a UDP trial. Raises Missing when the receiving program told none."""
    engine = trial.engine
    if engine is None or engine.lost_ratio is None:
        raise Missing("how many datagrams the receiving program missed")
    seconds = sum(one.end - one.start for one in engine.sent)
    carried = sum(one.throughput * (one.end - one.start) for one in engine.sent)
    sent = carried / seconds if seconds else rate(trial) / max(1e-9, 1 - engine.lost_ratio)
    count = sent * (seconds or sum(one.seconds for one in trial.series)) / BITS_PER_BYTE / datagram(view, trial)
    evidence = saw(f"trial/{trial.id}", "datagrams lost", f"{engine.lost_ratio:.2%} of {count:.0f}")
    return Lost(ratio=engine.lost_ratio, sent=count, rate=sent, evidence=(evidence,))


def datagram(view: View, trial: Trial) -> Bytes:
    """The payload of one datagram; where the trial left it to the program, what fits into a packet. Raises Missing."""
    return trial.spec.datagram or payload_per_frame(mtu(view), version=version(view), protocol="udp")


def cost(view: View, found: Lost, share: float = 1.0) -> BitsPerSecond:
    """What a share of the lost datagrams takes from the ceiling: what was sent beyond it would not arrive anyway."""
    return max(0.0, share * found.ratio * found.rate - max(0.0, found.rate - view.ceiling))


def overfills(view: View, trial: Trial) -> bool:
    """Whether more was sent than the link carries, and it carried what it can: then the rest had to be lost."""
    return trial.spec.rate is not None and trial.spec.rate > view.ceiling and is_full(view, trial)


def other_traffic(view: View, trial: Trial) -> BitsPerSecond:
    """What else than a UDP trial the sender's link sent or the receiver's link received, as payload. Raises Missing.

    What the receiver's filter and socket discarded came by the link too.
    """
    full = udp_counted(view, trial, view.receiver, "UdpInErrors")
    filtered = sum(drops.segments for drops in rule_drops(view, trial, view.receiver))
    received, seconds = _payload(view, trial, view.receiver, "rx")
    discarded = bits_per_second((full.total + filtered) * datagram(view, trial), seconds)
    others = [received - discarded - rate(trial)]
    if trial.engine is not None and trial.engine.sent:
        others.append(_payload(view, trial, view.sender, "tx")[0] - lost(view, trial).rate)
    return max(0.0, *others)


def _payload(view: View, trial: Trial, end: EndView, way: str) -> tuple[BitsPerSecond, float]:
    """What an end's link carried as if all were UDP, and over how many seconds. Raises Missing."""
    delta = link_delta(view, trial, end)
    size, packets = (
        growth(end, LinkCounters, getattr(delta.before, f"{way}_{unit}"), getattr(delta.after, f"{way}_{unit}"))
        for unit in ("bytes", "packets")
    )
    headers = headers_per_frame(version=version(view), protocol="udp")
    return bits_per_second(max(0, size - headers * packets), delta.seconds), delta.seconds


def udp_counted(view: View, trial: Trial, end: EndView, *names: str) -> Count:
    """The growth of counters by their IPv4 names (UdpInDatagrams, IpFragCreates), of the version in use. Missing."""
    window = view.window(trial, end)
    if version(view) == 4:  # noqa: PLR2004 - IP version
        return counted(window, "snmp", *names)
    return counted(window, "snmp6", *(name.replace("Udp", "Udp6", 1).replace("Ip", "Ip6", 1) for name in names))
