"""`lshw -class network`: driver, speed and modes of each link.

      *-network
           description: Ethernet interface
           bus info: pci@0000:00:1f.6
           logical name: enp0s31f6
           size: 10Mbit/s
           capacity: 1Gbit/s
           capabilities: ethernet physical tp 10bt 10bt-fd 100bt 100bt-fd 1000bt-fd autonegotiation
           configuration: autonegotiation=on driver=e1000e driverversion=3.2.6-k duplex=full firmware=0.1-4 link=yes speed=10Mbit/s

Form: lshw's print.cc and network.cc; `size` is the speed in use, `capacity` the fastest mode the driver supports.
"""  # noqa: E501 - a real sample keeps its width

import re
from collections.abc import Iterator

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.ethtool import DriverInfo, LinkMode
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.records.parsing import bit_rate
from fullrate.records.units import BitsPerSecond
from fullrate.sources._text import lines_of

_HEAD = re.compile(r"\s*\*-(network|virtio|usb|pci|generic|\w+)(:\d+)?( DISABLED| UNCLAIMED)?")
_FIELD = re.compile(r"\s+([a-z][a-z ]*): (.*)")
_SETTING = re.compile(r"\b([a-z]+)=")
_MODE = re.compile(r"\b(\d+)bt(-fd)?\b")
_OURS = re.compile(r"^[ \t]*\*-network(:\d+)?\b", re.MULTILINE)
_STATES = {"on": True, "yes": True, "off": False, "no": False}


def _blocks(lines: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """The fields of each network device."""
    fields: dict[str, str] | None = None
    for line in lines:
        head, field = _HEAD.fullmatch(line), _FIELD.fullmatch(line)
        if head:
            if fields:
                yield fields
            fields = {} if head[1] == "network" else None
        elif field and fields is not None:
            fields[field[1]] = field[2]
    if fields:
        yield fields


def _settings(text: str) -> dict[str, str]:
    """`name=value` pairs; values may hold blanks (`port=twisted pair`)."""
    words = _SETTING.split(text)
    return {name: value.strip() for name, value in zip(words[1::2], words[2::2], strict=True)}


def _speed(text: str | None) -> BitsPerSecond | None:
    return bit_rate(text) if text else None


def _supported(text: str) -> tuple[str, ...]:
    return tuple(f"{number}baseT/{'Full' if full else 'Half'}" for number, full in _MODE.findall(text))


def _facts(fields: dict[str, str]) -> Iterator[LinkMode | DriverInfo]:
    settings, link = _settings(fields.get("configuration", "")), fields.get("logical name", "")
    if settings.get("driver"):
        yield DriverInfo(
            subject=link,
            driver=settings["driver"],
            version=settings.get("driverversion"),
            firmware_version=settings.get("firmware"),
            bus_info=fields.get("bus info", "").rpartition("@")[2] or None,
        )
    speed = _speed(settings.get("speed") or fields.get("size"))
    if speed is not None or "link" in settings:
        yield LinkMode(
            subject=link,
            speed=speed,
            duplex=settings["duplex"].capitalize() if "duplex" in settings else None,
            autonegotiation=_STATES.get(settings.get("autonegotiation", "")),
            link_detected=_STATES.get(settings.get("link", "")),
            port=settings.get("port"),
            supported=_supported(fields.get("capabilities", "")),
        )


def parse(_: Request, payload: bytes) -> tuple[LinkMode | DriverInfo, ...]:
    """Driver and mode of every network device. Raises FormatError when there is none."""
    blocks = tuple(_blocks(lines_of(payload)))
    if not blocks:
        raise FormatError("no *-network in it: not of lshw")
    return tuple(fact for fields in blocks for fact in _facts(fields))


SOURCE = Source(
    id="lshw",
    facts=(LinkMode, DriverInfo),
    requests=no_requests,
    pasted=lambda _: query("lshw"),
    answers=runs("lshw"),
    recognizes=lambda text: _OURS.search(text) is not None,
    parse=parse,
)
