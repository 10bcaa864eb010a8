"""`iw dev`, `iw dev IFNAME info` and `get power_save`: the channel of each Wi-Fi interface, and whether it may sleep.

    phy#1
            Interface wlan1
                    ifindex 5
                    type AP
                    channel 149 (5745 MHz), width: 80 MHz, center1: 5775 MHz
    Power save: on

Printed by iw's interface.c (print_iface_handler) and ps.c. Frequency and width are None where no channel is in use.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.wifi import WifiLink
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import whole
from fullrate.records.radio import NARROWEST
from fullrate.sources._text import lines_of, word_after

_INTERFACE = re.compile(r"\s*Interface (\S+)\s*")
_CHANNEL = re.compile(r"\s*channel \d+ \((\d+) MHz\), width: (\d+) MHz(?: \(no HT\))?.*")
_SLEEP = re.compile(r"\s*Power save: (on|off)\s*")
_OURS = re.compile(
    r"^[ \t]*(Interface \S+[ \t]*\n[ \t]+ifindex \d|channel \d+ \(\d+ MHz\), width: \d|Power save: (on|off)[ \t]*$)",
    re.MULTILINE,
)


def parse(request: Request, payload: bytes) -> tuple[WifiLink, ...]:
    """What is told of each interface. Raises FormatError."""
    found: list[WifiLink] = []
    subject = word_after(request, "dev")
    for line in lines_of(payload):
        named, channel, sleep = (form.fullmatch(line) for form in (_INTERFACE, _CHANNEL, _SLEEP))
        if named is not None:
            subject = named[1]
        if channel is not None:
            frequency, width = whole(channel[1]), whole(channel[2])
            found.append(WifiLink(subject=subject, frequency=frequency, width=max(NARROWEST, width)))
        if sleep is not None:
            found.append(WifiLink(subject=subject, power_save=sleep[1] == "on"))
    if not found:
        raise FormatError("no channel and no power save of iw in it")
    return tuple(found)


_iw = runs("iw")


def _answers(request: Request) -> bool:
    argv = request.argv if isinstance(request, QueryCommand) else ()
    return _iw(request) and (argv == ("iw", "dev") or argv[-1:] in {("info",), ("power_save",)})


SOURCE = Source(
    id="iw_info",
    facts=(WifiLink,),
    requests=no_requests,
    pasted=lambda link: query("iw", "dev", link, "info"),
    answers=_answers,
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
