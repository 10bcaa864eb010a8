"""Far's programs may use a tenth of a CPU."""

from fullrate.lab.fault import Fault, Kind, Quota
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="cpu-quota",
    doc="the cgroup of far's programs may use 10 % of a CPU",
    link="cpu",
    kind=Kind.EFFECT,
    cause="cpu-quota",
    direction=Direction.NEAR_TO_FAR,
    inject=(Quota(end=Place.FAR, share=0.1),),
    heal=(Quota(end=Place.FAR, share=None),),
    innocent=("path-loss", "netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "offload-off", "competing-traffic"),
    core=True,
)
