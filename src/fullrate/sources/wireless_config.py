"""`/etc/config/wireless`, `uci show wireless` and hostapd.conf: the width of channel that an access point was to use.

    config wifi-device 'radio0'                 wireless.radio0.htmode='VHT80'
            option channel '36'
            option htmode 'VHT80'
    hw_mode=a
    ht_capab=[HT40+][SHORT-GI-40]
    vht_oper_chwidth=1

OpenWrt's documentation of wireless devices; hostapd.conf's own comments: ht_capab without HT40 is 20 MHz, the VHT, HE
and EHT widths are 0 for 20 or 40, 1 for 80, 2 for 160 MHz. What it came to, `iw dev` shows.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.wifi import WifiSetting
from fullrate.records.leaf import Source, no_requests, reads, runs
from fullrate.records.parsing import whole
from fullrate.records.radio import NARROWEST
from fullrate.sources._text import lines_of

_DEVICE = re.compile(r"\s*config wifi-device '?([\w-]+)'?\s*")
_OPTION = re.compile(r"\s*option (htmode|channel|hwmode|band) '?([\w+-]+)'?\s*")
_UCI = re.compile(r"\s*wireless\.([\w@\[\]-]+)\.(htmode|channel|hwmode|band)='?([\w+-]+)'?\s*")
_HOSTAPD = re.compile(r"\s*(hw_mode|channel|ht_capab|vht_oper_chwidth|he_oper_chwidth|eht_oper_chwidth)=(\S+)\s*")
_MODE = re.compile(r"(?:HT|VHT|HE|EHT)(\d{2,3})[+-]?")
_OURS = re.compile(
    r"^[ \t]*(config wifi-device\b"
    r"|wireless\.[\w@\[\]-]+\.htmode=|(ht_capab=\[|vht_oper_chwidth=\d|he_oper_chwidth=\d))",
    re.MULTILINE,
)
_WIDE = {"1": 80, "2": 160, "3": 160}
_FORTY, _LAST_OF_2_4, _LOW, _HIGH = 40, 14, 2412, 5180


def _band(options: dict[str, str]) -> int | None:
    """MHz of the lowest channel of the band."""
    channel = options.get("channel", "")
    if channel.isdecimal() and whole(channel):
        return _LOW if whole(channel) <= _LAST_OF_2_4 else _HIGH
    said = options.get("band") or options.get("hwmode") or options.get("hw_mode") or ""
    return {"2g": _LOW, "11g": _LOW, "g": _LOW, "5g": _HIGH, "11a": _HIGH, "a": _HIGH}.get(said)


def _width(options: dict[str, str]) -> int | None:
    mode = _MODE.fullmatch(options.get("htmode", ""))
    if mode is not None:
        return whole(mode[1])
    wide = [_WIDE[options[name]] for name in options if name.endswith("chwidth") and options[name] in _WIDE]
    if "ht_capab" not in options:
        return max(wide, default=None)
    return max([*wide, _FORTY if "[HT40" in options["ht_capab"] else NARROWEST])


def parse(_: Request, payload: bytes) -> tuple[WifiSetting, ...]:
    """The width that each radio was told to use. Raises FormatError."""
    radios: dict[str, dict[str, str]] = {}
    radio = ""
    for line in lines_of(payload):
        device, option, uci, hostapd = (form.fullmatch(line) for form in (_DEVICE, _OPTION, _UCI, _HOSTAPD))
        if device is not None:
            radio = device[1]
        if uci is not None:
            radios.setdefault(uci[1], {})[uci[2]] = uci[3]
        for found in filter(None, (option, hostapd)):
            radios.setdefault(radio, {})[found[1]] = found[2]
    told = [(name, width, _band(options)) for name, options in radios.items() if (width := _width(options))]
    if not told:
        raise FormatError("no width of a channel: no htmode of OpenWrt and no ht_capab of hostapd in it")
    return tuple(WifiSetting(subject=name, width=width, frequency=band) for name, width, band in told)


_uci, _files = runs("uci", "show", "wireless"), reads("/etc/config/wireless", "/etc/hostapd/*", "/etc/hostapd.conf")

SOURCE = Source(
    id="wireless_config",
    facts=(WifiSetting,),
    requests=no_requests,
    pasted=lambda _: ReadFile(path="/etc/config/wireless"),
    answers=lambda request: _uci(request) or _files(request),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
