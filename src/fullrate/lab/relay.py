"""A program of its own: the part of the wire that delays, loses, reorders and doubles packets.

    python3 -I relay.py DEVICE [--delay S] [--loss SHARE] [--reorder SHARE] [--duplicate SHARE]

The router sends packets into a TUN device; they are held until their moment and written back to the same device,
from where the router forwards them as usual. With virtio-net headers and the offloads switched on, superframes of
64 KB pass whole (Linux Documentation/networking/tuntap.rst; include/uapi/linux/if_tun.h). It ends with its device.
"""

import argparse
import fcntl
import heapq
import os
import random
import select
import struct
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

_TUNSETIFF, _TUNSETOFFLOAD = 0x400454CA, 0x400454D0
_IFF_TUN, _IFF_NO_PI, _IFF_VNET_HDR = 0x0001, 0x1000, 0x4000
_CHECKSUM, _TSO4, _TSO6 = 0x01, 0x02, 0x04
_LARGEST = 10 + 65_575  # virtio-net header, then an IPv6 superframe
_AT_ONCE = 64  # packets read before the clock is looked at again
_EARLY = 0.000_1  # a sleeping process wakes about that late


@dataclass(frozen=True)
class Wire:
    """What happens to packets; shares are of packets, a superframe counts as one."""

    delay: float = 0.0
    loss: float = 0.0
    reorder: float = 0.0
    duplicate: float = 0.0

    def moments(self, chance: random.Random) -> Iterator[float]:
        """How long to hold each copy of the next packet: none when it is lost, half as long when it overtakes."""
        if chance.random() < self.loss:
            return
        yield self.delay / 2 if chance.random() < self.reorder else self.delay
        if chance.random() < self.duplicate:
            yield self.delay


@dataclass
class Queue:
    """Packets on their way, earliest first; equal moments keep their order."""

    wire: Wire
    chance: random.Random = field(default_factory=random.Random)
    waiting: list[tuple[float, int, bytes]] = field(default_factory=list)
    count: int = 0

    def put(self, packet: bytes, now: float) -> None:
        """Hold one packet."""
        for moment in self.wire.moments(self.chance):
            self.count += 1
            heapq.heappush(self.waiting, (now + moment, self.count, packet))

    def due(self, now: float) -> Iterator[bytes]:
        """The packets whose moment has come; they leave the queue."""
        while self.waiting and self.waiting[0][0] <= now:
            yield heapq.heappop(self.waiting)[2]

    def pause(self, now: float) -> float | None:
        """How long to sleep; None for as long as nothing comes."""
        return max(0.0, self.waiting[0][0] - now - _EARLY) if self.waiting else None


def attach(device: str) -> int:
    """A file descriptor of the TUN device."""
    tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tun, _TUNSETIFF, struct.pack("16sH22x", device.encode(), _IFF_TUN | _IFF_NO_PI | _IFF_VNET_HDR))
    fcntl.ioctl(tun, _TUNSETOFFLOAD, _CHECKSUM | _TSO4 | _TSO6)
    return tun


def run(tun: int, queue: Queue) -> None:
    """Pass packets on until the device is gone."""
    while True:
        ready, _, _ = select.select([tun], [], [], queue.pause(time.monotonic()))
        if ready:
            _read(tun, queue)
        for packet in queue.due(time.monotonic()):
            os.write(tun, packet)


def _read(tun: int, queue: Queue) -> None:
    try:
        for _ in range(_AT_ONCE):
            packet = os.read(tun, _LARGEST)
            queue.put(packet, time.monotonic())
    except BlockingIOError:
        pass  # all read


def main(arguments: list[str]) -> None:
    """Run until the device is removed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("device")
    for name in Wire.__dataclass_fields__:
        parser.add_argument(f"--{name}", type=float, default=0.0)
    options = vars(parser.parse_args(arguments))
    run(attach(options.pop("device")), Queue(wire=Wire(**options)))


if __name__ == "__main__":
    main(sys.argv[1:])
