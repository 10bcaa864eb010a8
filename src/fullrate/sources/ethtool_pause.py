"""`ethtool -I -a IFNAME`: flow control by pause frames, and how many of them there were.

    Pause parameters for eth5:
    Autonegotiate:	on
    RX:		on
    TX:		off
    RX negotiated: on
    TX negotiated: off
    Statistics:
      tx_pause_frames: 1
      rx_pause_frames: 3

Form: ethtool's netlink/pause.c. Only drivers with get_pause_stats have the statistics (since Linux 5.10); `ethtool -a`
prints the settings alone. Veth and virtio answer "Operation not supported".
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.phy import PauseCounters, PauseSettings
from fullrate.records.leaf import Source, for_each_device, runs
from fullrate.sources._text import begins_like, number, section, split_pair

_TITLE = "Pause parameters for "
_LINE = re.compile(r"Autonegotiate:\s+(on|off)$")
_STATES = {"on": True, "off": False}


def _flag(values: dict[str, str], name: str) -> bool | None:
    return _STATES.get(values.get(name, ""))


def parse(request: Request, payload: bytes) -> tuple[PauseSettings | PauseCounters, ...]:
    """The settings, and the counters where there are any. Raises FormatError."""
    part = section(request, payload, _TITLE)
    values = dict(map(split_pair, part.lines))
    autonegotiate, rx, tx = (_flag(values, name) for name in ("Autonegotiate", "RX", "TX"))
    if autonegotiate is None or rx is None or tx is None:
        raise FormatError("Autonegotiate, RX and TX are not all on or off: not of ethtool -a, or cut short")
    settings = PauseSettings(
        subject=part.subject,
        autonegotiate=autonegotiate,
        rx=rx,
        tx=tx,
        rx_negotiated=_flag(values, "RX negotiated"),
        tx_negotiated=_flag(values, "TX negotiated"),
    )
    received, sent = (number(values.get(name, "n/a")) for name in ("rx_pause_frames", "tx_pause_frames"))
    if received is None and sent is None:
        return (settings,)
    return (settings, PauseCounters(subject=part.subject, received=received, sent=sent))


def _answers(request: Request) -> bool:
    return runs("ethtool", "-I", "-a")(request) or runs("ethtool", "-a")(request)


SOURCE = Source(
    id="ethtool_pause",
    facts=(PauseSettings, PauseCounters),
    requests=for_each_device(lambda link: query("ethtool", "-I", "-a", link)),
    answers=_answers,
    recognizes=begins_like(_TITLE, _LINE),
    parse=parse,
    moving=True,
)
