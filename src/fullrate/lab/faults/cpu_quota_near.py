"""Near's programs may use a tenth of a CPU."""

from fullrate.lab.fault import Fault, Kind, Quota
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

FAULT = Fault(
    id="cpu-quota-near",
    doc="the cgroup of near's programs may use 10 % of a CPU",
    link="cpu",
    kind=Kind.EFFECT,
    cause="cpu-quota",
    direction=Direction.FAR_TO_NEAR,
    inject=(Quota(end=Place.NEAR, share=0.1),),
    heal=(Quota(end=Place.NEAR, share=None),),
    innocent=(
        "path-loss",
        "netfilter-drop",
        "tcp-buffers-too-small",
        "tc-shaper",
        "offload-off",
        "app-not-draining-socket",
    ),
)
