"""Near cuts its packets itself, one by one."""

from fullrate.lab.fault import Fault, Kind, run
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_SET = ("ethtool", "-K", "cpu0")
_OFFLOADS = ("tso", "gso", "sg", "tx")

FAULT = Fault(
    id="offload-off",
    doc="near's segmentation, scatter-gather and transmit checksum offloads are off",
    link="cpu",
    kind=Kind.EFFECT,
    cause="offload-off",
    direction=Direction.NEAR_TO_FAR,
    inject=(run(Place.NEAR, *_SET, *(word for name in _OFFLOADS for word in (name, "off"))),),
    heal=(run(Place.NEAR, *_SET, *(word for name in reversed(_OFFLOADS) for word in (name, "on"))),),
    innocent=("path-loss", "netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "cpu-quota", "competing-traffic"),
    core=True,
)
