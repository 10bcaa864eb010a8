"""Every packet that arrives at far passes a list of rules so long that it takes a CPU."""

from fullrate.lab.fault import Fault, Kind, filtering, filtering_back
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

_RULES = tuple(f"meta mark {number + 1} drop" for number in range(15_000))  # none ever matches

FAULT = Fault(
    id="netfilter-rule-cost",
    doc="15000 nft rules on far's input that never match",
    link="cpu",
    kind=Kind.EFFECT,
    cause="netfilter-rule-cost",
    direction=Direction.NEAR_TO_FAR,
    inject=(filtering(Place.FAR, "input", *_RULES),),
    heal=(filtering_back(Place.FAR),),
    innocent=("path-loss", "netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "offload-off", "cpu-quota"),
)
