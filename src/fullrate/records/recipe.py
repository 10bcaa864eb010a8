"""What is known of one NIC driver: the meaning of its own counters and its habits. Data, no code."""

import fnmatch
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One driver; counter names are shell patterns over `ethtool -S`, each with its meaning in the field's name.

    A name that a kernel does not have is simply never matched.
    """

    id: str  # as `ethtool -i` calls the driver
    aliases: tuple[str, ...] = ()  # other drivers that show the same counters
    ring_full: tuple[str, ...] = ()  # received frames discarded because the host was too slow: no descriptor, FIFO full
    bus_slow: tuple[str, ...] = ()  # discarded or delayed for want of PCIe or memory bandwidth
    damaged: tuple[str, ...] = ()  # frames damaged on the wire
    pause_received: tuple[str, ...] = ()  # the partner held us back
    pause_sent: tuple[str, ...] = ()  # we held the partner back
    pause_time_received: tuple[str, ...] = ()  # microseconds the partner held us back
    pause_time_sent: tuple[str, ...] = ()  # microseconds we held the partner back
    transmit_stuck: tuple[str, ...] = ()  # transmit time-outs and hangs
    allowance: tuple[str, ...] = ()  # exceeded limits of a cloud provider
    queue_received: str | None = None  # packets of one receive queue; `*` stands for its number
    single_queue: bool = False  # never has more than one receive queue
    emulated: bool = False  # a device that a hypervisor emulates; a paravirtual one would be faster
    label_speed: bool = False  # the shown speed is no limit


def matching(names: Iterable[str], patterns: Iterable[str]) -> tuple[str, ...]:
    """The counter names that any of the patterns matches, in order."""
    wanted = tuple(patterns)
    return tuple(name for name in names if any(fnmatch.fnmatchcase(name, pattern) for pattern in wanted))
