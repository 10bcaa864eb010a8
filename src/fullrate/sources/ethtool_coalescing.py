"""`ethtool -c IFNAME`: interrupt moderation.

    Coalesce parameters for eth9:
    Adaptive RX: off  TX: n/a
    rx-usecs:       0
    rx-frames:      1
    rx-usecs-irq:   n/a
    CQE mode RX: n/a  TX: n/a

Form: ethtool's netlink/coalesce.c. `CQE mode` is kept under its --json names, cqe-mode-rx and cqe-mode-tx, 1 for on.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.ethtool import Coalescing
from fullrate.records.leaf import Source, for_each_device, runs
from fullrate.sources._text import begins_like, number, section, split_pair

_TITLE = "Coalesce parameters for "
_SWITCHES = re.compile(r"(Adaptive|CQE mode) RX: (on|off|n/a)\s+TX: (on|off|n/a)")
_LINE = re.compile(r"(Adaptive RX: (on|off|n/a)|(rx|tx)-(usecs|frames)[\w-]*:|stats-block-usecs:|CQE mode RX:)")
_STATE = {"on": 1, "off": 0}


def _read(line: str) -> dict[str, int | None]:
    """The one or two values of a line by their --json names; None for n/a."""
    switches = _SWITCHES.fullmatch(line)
    if switches:
        name = switches[1].lower().replace(" ", "-")
        return {f"{name}-rx": _STATE.get(switches[2]), f"{name}-tx": _STATE.get(switches[3])}
    name, value = split_pair(line)
    return {name: number(value)}


def _flag(state: int | None) -> bool | None:
    return None if state is None else bool(state)


def parse(request: Request, payload: bytes) -> tuple[Coalescing, ...]:
    """The link's interrupt moderation. Raises FormatError."""
    part = section(request, payload, _TITLE)
    values = {name: value for line in part.lines for name, value in _read(line).items()}
    if not values:
        raise FormatError("no parameter in the answer of ethtool -c")
    adaptive = values.pop("adaptive-rx", None), values.pop("adaptive-tx", None)
    return (
        Coalescing(
            subject=part.subject,
            adaptive_rx=_flag(adaptive[0]),
            adaptive_tx=_flag(adaptive[1]),
            parameters={name: value for name, value in values.items() if value is not None},
        ),
    )


SOURCE = Source(
    id="ethtool_coalescing",
    facts=(Coalescing,),
    requests=for_each_device(lambda link: query("ethtool", "-c", link)),
    answers=runs("ethtool", "-c"),
    recognizes=begins_like(_TITLE, _LINE),
    parse=parse,
)
