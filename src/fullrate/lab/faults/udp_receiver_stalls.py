"""Far's program does not read for nearly a third of a second, again and again."""

import sys
from pathlib import Path

from fullrate.lab import stall
from fullrate.lab.fault import Daemon, Fault, Kind
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_STALL = str(Path(stall.__file__))

FAULT = Fault(
    id="udp-receiver-stalls",
    doc="far's iperf3 is stopped for 0.25 s of every 0.35 s in which it receives UDP",
    link="wire",
    kind=Kind.EFFECT,
    cause="udp-rcvbuf-overflow",
    direction=Direction.NEAR_TO_FAR,
    udp=600e6,
    inject=(Daemon(place=Place.FAR, argv=(sys.executable, "-I", _STALL, "--stop", "0.25", "--run", "0.1")),),
    heal=(),
    innocent=("path-loss", "netfilter-drop", "udp-ip-fragmentation", "competing-traffic", "tc-shaper"),
    core=True,
)
