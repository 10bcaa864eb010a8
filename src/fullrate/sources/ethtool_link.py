"""`ethtool IFNAME`: what speed was negotiated, and what both ends offered.

    Settings for eth3:
            Supported link modes:   10baseT/Half 10baseT/Full
                                    1000baseT/Full
            Speed: 1000Mb/s
            Duplex: Full
            Auto-negotiation: on
            Link detected: yes

Form: ethtool's netlink/settings.c. A driver that does not know prints `Unknown!`, one that has no link modes
`Not reported`. Without CAP_NET_ADMIN the Wake-on lines are missing; the rest is the same.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.ethtool import LinkMode
from fullrate.records.leaf import Source, for_each_device
from fullrate.records.parsing import whole
from fullrate.records.units import MEGABIT, BitsPerSecond
from fullrate.sources._text import Section, first_line, section, split_pair

_TITLE = "Settings for "
_SPEED = re.compile(r"(\d+)Mb/s")
_MODE = re.compile(r"\b\d+base\S+")
_DECISIVE = frozenset({"Speed", "Link detected"})
_PARTNER = "Link partner advertised link modes"
_PARTS = _DECISIVE | {"Supported link modes", "Advertised link modes", _PARTNER}
_FIRST = re.compile(
    r"(Support(ed|s) (ports|link modes|pause frame use|auto-negotiation|FEC modes)"
    r"|(Link partner a|A)dvertised (link modes|pause frame use|auto-negotiation|FEC modes)"
    r"|Lanes|Duplex|Auto-negotiation|Port|PHYAD|Transceiver|MDI-X|Wake-on|Supports Wake-on): "
    r"|Speed: (\d+Mb/s|Unknown!)|Link detected: (yes|no)|\d+base\S+/(Half|Full)"
)
# What a person wrote before such a line: `ethtool: Speed: 1000Mb/s`, `both ends say: Speed: 1000Mb/s`
_SAID = re.compile(r"^[^\n:]{1,60}: +(?=Speed: (?:\d+Mb/s|Unknown!))", re.MULTILINE)
_KNOWN = re.compile(rf"^[ \t]*({'|'.join(sorted(_PARTS))}):", re.MULTILINE)
_EXPLICIT = {"on": True, "yes": True, "off": False, "no": False}


def _answers(request: Request) -> bool:
    argv = request.argv if isinstance(request, QueryCommand) else ()
    return argv[:1] == ("ethtool",) and len(argv) == len(("ethtool", "IFNAME")) and not argv[1].startswith("-")


def _values(part: Section) -> dict[str, str]:
    """Values by name; a line without a colon goes on with the value above it."""
    values: dict[str, str] = {}
    name = ""
    for line in part.lines:
        if ":" in line:
            name, values[name] = split_pair(line)
        elif name:
            values[name] += f" {line.strip()}"
        elif not _MODE.match(line.strip()):  # of a list of modes whose name is cut off
            raise FormatError(f"{line!r} is not of ethtool's settings")
    expected = _DECISIVE | {_PARTNER} if part.headed else _PARTS  # what comes before the partner's part is whole
    if expected.isdisjoint(values):
        raise FormatError("ethtool's settings hold no speed and no link state: cut short, or another text")
    return values


def _known(value: str | None) -> str | None:
    return None if value is None or value.startswith("Unknown!") else value


def _speed(value: str | None) -> BitsPerSecond | None:
    known = _known(value)
    if known is None:
        return None
    match = _SPEED.fullmatch(known)
    if match is None:
        raise FormatError(f"{known!r} is no speed as ethtool prints it")
    return float(whole(match[1]) * MEGABIT)


def _flag(value: str | None) -> bool | None:
    return _EXPLICIT.get(value.split()[0]) if value else None


def _modes(values: dict[str, str], name: str) -> tuple[str, ...]:
    return tuple(_MODE.findall(values.get(name, "")))


def parse(request: Request, payload: bytes) -> tuple[LinkMode, ...]:
    """The link's mode. Raises FormatError."""
    part = section(request, _SAID.sub("", payload.decode(errors="replace")).encode(), _TITLE)
    values = _values(part)
    return (
        LinkMode(
            subject=part.subject,
            speed=_speed(values.get("Speed")),
            duplex=_known(values.get("Duplex")),
            autonegotiation=_flag(values.get("Auto-negotiation")),
            link_detected=_flag(values.get("Link detected")),
            port=values.get("Port"),
            supported=_modes(values, "Supported link modes"),
            advertised=_modes(values, "Advertised link modes"),
            partner_advertised=_modes(values, _PARTNER),
        ),
    )


def _recognizes(text: str) -> bool:
    text = _SAID.sub("", text)
    first = first_line(text).lstrip()
    return first.startswith(_TITLE) or (bool(_FIRST.match(first)) and bool(_KNOWN.search(text)))


SOURCE = Source(
    id="ethtool_link",
    facts=(LinkMode,),
    requests=for_each_device(lambda link: query("ethtool", link)),
    answers=_answers,
    recognizes=_recognizes,
    parse=parse,
)
