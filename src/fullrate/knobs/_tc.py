"""What tc shows of a link's queueing disciplines, and the words that make one again.

    # tc -d -r -json qdisc show dev eth0
    [{"kind":"tbf","handle":"8001:","root":true,"refcnt":2,"options":{"rate":117687654,"burst":"130986b/1","mpu":0,
      "burst_raw":"43f4","lat":32875,"limit":4000000,"linklayer":"ethernet"}}]

print_qdisc in iproute2's tc/tc_qdisc.c, tbf_print_opt in tc/q_tbf.c. `-r` shows what rounded numbers hide, the burst of
tbf in ticks of 64 ns; `-d` what is left out otherwise: a size table, the least size that is counted.
"""

import re
from dataclasses import dataclass

from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, query
from fullrate.records.setting import CannotSetError

BITS = 8
UNCHANGED = "0:"  # the handle of what the kernel attached itself
_BESIDE = "ffff:fff1"  # where ingress and clsact hang, which no change of the root touches: TC_H_INGRESS
_TICK = 6  # a tick is 64 nanoseconds: PSCHED_SHIFT in include/net/pkt_sched.h
_NANOSECONDS = 10**9  # a second
_U32 = (1 << 32) - 1
_RAW = re.compile(r"[0-9a-f]{1,8}")
_TBF = {"rate", "burst", "mpu", "burst_raw", "limit", "linklayer"}
_PLAIN = (0, "ethernet")
_PRIORITIES = {"bands": 3, "priomap": [1, 2, 2, 2, 1, 2, 0, 0, *[1] * 8], "multiqueue": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Qdisc:
    """One queueing discipline."""

    kind: str
    handle: str
    options: dict[str, object]
    root: bool = False
    parent: str = ""
    stab: dict[str, object] | None = None
    ingress_block: int | None = None
    egress_block: int | None = None

    @property
    def shared(self) -> bool:
        """Whether it has what its options do not tell."""
        return (self.stab, self.ingress_block, self.egress_block) != (None, None, None)


def ask(link: str) -> QueryCommand:
    """The request for the qdiscs of a link."""
    return query("tc", "-d", "-r", "-json", "qdisc", "show", "dev", link)


def sending(shown: str) -> tuple[Qdisc, ...]:
    """The qdiscs of what a link sends, the root first. Raises CannotSetError where tc shows no single root."""
    try:
        every = decoded(shown, tuple[Qdisc, ...])
    except FormatError as error:
        raise CannotSetError(f"tc does not show the queues as it should: {error}") from error
    found = sorted((one for one in every if one.parent != _BESIDE), key=lambda one: not one.root)
    if [one.root for one in found[:2]] not in ([True], [True, False]):
        raise CannotSetError("tc shows no single queueing discipline at the root")
    return tuple(found)


def words_of(root: Qdisc) -> tuple[str, ...] | None:
    """The words that make this qdisc again; None: not known."""
    options = root.options
    if root.kind == "tbf" and options.keys() - {"lat"} == _TBF and (options["mpu"], options["linklayer"]) == _PLAIN:
        return _tbf(options["rate"], options["burst_raw"], options["limit"])
    if root.kind in {"pfifo", "bfifo"} and options.keys() == {"limit"}:
        return ("limit", f"{options['limit']}")
    return () if root.kind == "pfifo_fast" and options == _PRIORITIES else None


def _tbf(rate: object, raw: object, limit: object) -> tuple[str, ...] | None:
    """Of the sizes that take so many ticks the largest, for a packet above it would be dropped.

    None: there is none. A burst of more than 274 seconds has lost its upper bits.
    """
    if not isinstance(rate, int) or rate < 1 or not isinstance(raw, str) or not _RAW.fullmatch(raw):
        return None
    ticks, (factor, shift) = int(raw, 16), _factor(rate)
    burst = (((ticks + 1) << shift << _TICK) - 1) // factor
    exact = ticks_of(burst, rate) == ticks and 0 < burst <= _U32
    return ("rate", f"{rate * BITS}bit", "burst", f"{burst}", "limit", f"{limit}") if exact else None


def ticks_of(size: int, rate: int) -> int:
    """How long so many bytes take at so many a second, in ticks: psched_l2t_ns in include/net/sch_generic.h.

    tc hands the kernel bytes (TCA_TBF_BURST, since 3.14): its own rounding, another one since 6.15, does not matter.
    """
    factor, shift = _factor(rate)
    return (size * factor >> shift >> _TICK) & _U32


def _factor(rate: int) -> tuple[int, int]:
    """What the kernel multiplies with and shifts by: psched_ratecfg_precompute__ in net/sched/sch_generic.c."""
    scaled, shift = _NANOSECONDS, 0
    while not (scaled // rate >> 31 or scaled >> 63):
        scaled, shift = scaled << 1, shift + 1
    return scaled // rate, shift
