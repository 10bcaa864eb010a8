"""`iw dev IFNAME survey dump`: how busy the air of the channel in use was, and with what.

    Survey data from wlan0
            frequency:                      2437 MHz [in use]
            noise:                          -84 dBm
            channel active time:            497753 ms
            channel busy time:              104676 ms
            channel receive time:           87380 ms
            channel transmit time:          16494 ms

Printed by iw's survey.c. Busy is the time that the channel was taken, by Wi-Fi or by any other energy; receive and
transmit are the parts of it that were frames (NL80211_SURVEY_INFO_* in include/uapi/linux/nl80211.h).
"""

import re
from collections.abc import Mapping, Sequence

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.wifi import WifiChannel
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import decimal, whole
from fullrate.records.units import MILLISECONDS, Seconds
from fullrate.sources._text import lines_of, word_after
from fullrate.sources._wifi import tables

_HEAD = re.compile(r"\s*Survey data from (\S+)\s*")
_OURS = re.compile(r"^[ \t]*Survey data from \S+|^[ \t]*channel (active|busy) time:\s*\d+ ms", re.MULTILINE)
_MARK = "[in use]"
_NUMBER = re.compile(r"(-?\d+) (?:MHz|dBm|ms)\b")


def _seconds(table: Mapping[str, str], what: str) -> Seconds | None:
    found = _NUMBER.match(table.get(f"channel {what} time", ""))
    return whole(found[1]) / MILLISECONDS if found else None


def _in_use(found: Sequence[dict[str, str]]) -> dict[str, str]:
    """The one with the mark, or the only one; empty when none can be told to be it."""
    channels = [table for table in found if "frequency" in table]
    used = [table for table in channels if _MARK in table["frequency"]] or (channels if len(channels) == 1 else [])
    return used[0] if used else {}


def parse(request: Request, payload: bytes) -> tuple[WifiChannel, ...]:
    """The channel in use; of a table without that mark the only one. Raises FormatError."""
    table = _in_use(tables(lines_of(payload), _HEAD))
    active, busy = _seconds(table, "active"), _seconds(table, "busy")
    frequency, noise = (_NUMBER.match(table.get(name, "")) for name in ("frequency", "noise"))
    if frequency is None or not active or busy is None:
        raise FormatError("no channel in use with its times: not of iw survey dump, or the driver does not count")
    return (
        WifiChannel(
            subject=table.get("on") or word_after(request, "dev"),
            frequency=whole(frequency[1]),
            active=active,
            busy=busy,
            receiving=_seconds(table, "receive"),
            sending=_seconds(table, "transmit"),
            noise=decimal(noise[1]) if noise else None,
        ),
    )


_iw = runs("iw")

SOURCE = Source(
    id="iw_survey",
    facts=(WifiChannel,),
    requests=no_requests,
    pasted=lambda link: query("iw", "dev", link, "survey", "dump"),
    answers=lambda request: _iw(request) and isinstance(request, QueryCommand) and "survey" in request.argv,
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
