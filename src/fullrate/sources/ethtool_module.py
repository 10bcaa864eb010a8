"""`ethtool -m IFNAME`: the plugged module: received light and temperature, and the limits it states.

    Identifier                                : 0x03 (SFP)
    Receiver signal average optical power     : 0.4951 mW / -3.05 dBm
    Module temperature                        : 31.25 degrees C / 88.25 degrees F
    Laser rx power low alarm threshold        : 0.0100 mW / -20.00 dBm

Form: ethtool's sfpdiag.c, qsfp.c, cmis.c and sff-common.c. A QSFP names the light of each lane
(`Rcvr signal avg optical power(Channel 1)`). Zero thresholds (0.0000 mW, 0.00 degrees) are none. Copper modules
measure nothing; a NIC without a cage answers "Operation not supported". Reading needs CAP_NET_ADMIN.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.phy import OpticalModule
from fullrate.records.leaf import Source, for_each_device, runs
from fullrate.records.parsing import decimal
from fullrate.sources._text import first_line, section, split_pair

_TITLE = "Identifier"
_RX_POWER = re.compile(r"(?:Receiver signal|Rcvr signal).*")
_DBM = re.compile(r"\S+ mW / (\S+) dBm")
# any of its lines, for the head may be cut off: names are padded to one column
_LINE = re.compile(rf"\s*({_TITLE}|Extended identifier|Laser \S.*|(Receiver|Rcvr) signal .*|Module \S.*)\s*: ")
_CELSIUS = re.compile(r"(\S+) degrees C .*")


def _power(value: str) -> float:
    return _number(_DBM, value)


def _number(form: re.Pattern[str], value: str) -> float:
    match = form.fullmatch(value)
    if match is None:
        raise FormatError(f"{value!r} is no power or temperature of ethtool -m")
    return decimal(match[1])


def _limit(values: dict[str, str], name: str, form: re.Pattern[str]) -> float | None:
    """A threshold; None when it is not there or left at zero."""
    if name not in values or values[name].startswith(("0.0000 mW", "0.00 degrees")):
        return None
    return _number(form, values[name])


def parse(request: Request, payload: bytes) -> tuple[OpticalModule, ...]:
    """What the module says of itself. Raises FormatError."""
    part = section(request, payload, "Module EEPROM for ")
    values = dict(map(split_pair, part.lines))
    powers = tuple(_power(value) for name, value in values.items() if _RX_POWER.fullmatch(name))
    if not values.get(_TITLE) and not powers:
        raise FormatError("neither an identifier nor a received power: not of ethtool -m, or cut short")
    return (
        OpticalModule(
            subject=part.subject,
            identifier=values.get(_TITLE) or None,
            rx_powers=powers,
            rx_power_low_alarm=_limit(values, "Laser rx power low alarm threshold", _DBM),
            rx_power_low_warning=_limit(values, "Laser rx power low warning threshold", _DBM),
            temperature=_limit(values, "Module temperature", _CELSIUS),
            temperature_high_alarm=_limit(values, "Module temperature high alarm threshold", _CELSIUS),
        ),
    )


def _recognizes(text: str) -> bool:
    return _LINE.match(first_line(text)) is not None


SOURCE = Source(
    id="ethtool_module",
    facts=(OpticalModule,),
    requests=for_each_device(lambda link: query("ethtool", "-m", link)),
    answers=runs("ethtool", "-m"),
    recognizes=_recognizes,
    parse=parse,
)
