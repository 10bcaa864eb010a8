"""What the lines around the tables of iperf and iperf3 tell: who connected, the set-up, what went wrong.

Connecting to host 192.0.2.2, port 5201                                          src/iperf_locale.c of iperf3
Reverse mode, remote host 192.0.2.2 is sending
[  5] local 192.0.2.1 port 45106 connected to 192.0.2.2 port 5201
CPU Utilization: local/sender 2.0% (1.7%u/0.3%s), remote/receiver 0.1% (0.0%u/0.1%s)
Client connecting to 192.0.2.2, TCP port 5001                                    src/Locale.c of iperf 2
[  3] local 192.0.2.1 port 38990 connected with 192.0.2.2 port 5001
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fullrate.generators._command import Command, command_of

CONNECTED = re.compile(
    r"\[\s{0,4}\*?(?P<stream>\d{1,5})\]\s{1,4}local (?P<local>[^\s%]{1,60})(?:%\S{1,20})? port (?P<port>\d{1,5})"
    r" connected (?:to|with) (?P<remote>\S{1,60}) port (?P<other>\d{1,5})(?P<more>.{0,20})"
)
# of the thousand sentences that may follow the name those it prints: iperf_errexit and iperf_err, src/iperf_error.c
COMPLAINT = (
    r"iperf3: (?P<words>(?:error - |interrupt - |parameter error|unrecognized option|invalid option"
    r"|the client has|the server has)"
)
_LISTENS = re.compile(r"Server listening on (?:TCP|UDP) port (\d{1,5})")
_CPU = re.compile(
    r"CPU Utilization: local/(?:sender|receiver) (\d{1,6}\.\d)% .{0,40}?remote/(?:sender|receiver) (\d{1,6}\.\d)%"
)
_TEST = re.compile(
    r"Starting Test: protocol: (?P<protocol>TCP|UDP), (?P<streams>\d{1,5}) streams,"
    r" .{0,80}?, (?P<seconds>\d{1,6}) second test"
)
_VERSION = re.compile(
    r"^(?:\S{0,40}:\s{1,4})?\s{0,4}iperf (\d\.\d{1,2}(?:\.\d{1,2})?)\+?(?: \(cJSON.{0,20})?\s*$", re.MULTILINE
)
_CONGESTION = re.compile(r"snd_tcp_congestion (\S{1,30})")
_MSS = re.compile(r"(?:TCP MSS:|Control connection MSS|MSS size) (\d{1,6})")
_ERRORS = (
    re.compile(COMPLAINT + r".{0,300})"),
    re.compile(r"^(?P<words>(?:tcp )?(?:connect|bind|write|read) failed: .{1,100})", re.MULTILINE),
)
_WARNING = re.compile(r"\bwarning: .{1,200}", re.IGNORECASE)
_REVERSE = re.compile(r"^\W{0,20}Reverse mode\b", re.MULTILINE)
_SERVES = re.compile(r"Accepted connection from|Server listening on")
_CALLS = re.compile(r"Connecting to host|Client connecting to")
_UDP = re.compile(r"Datagrams|UDP port|datagrams received|Sending \d{1,6} byte datagrams")
_NOT_SAID = Command(program="")
_OLD = re.compile(r"Transfer\s{1,9}Bandwidth")


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """One stream as it was connected."""

    stream: str
    local: str
    remote: str
    accepted: bool  # by the printing end
    reverse: bool  # iperf 2 says so in brackets


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What was said beside the rows; None where it was not."""

    command: Command | None
    connections: tuple[Connection, ...]
    serves: bool  # the printing end listened, and called nobody
    reverse: bool  # the server sends
    udp: bool
    old_header: bool  # Bandwidth, where newer ones say Bitrate
    version: str | None
    congestion: str | None
    mss: int | None
    cpu: tuple[float, float] | None  # of the printing program and the other one, in percent of a CPU
    streams: int | None
    seconds: int | None
    error: str
    warnings: tuple[str, ...]


def _two(found: re.Match[str] | None) -> tuple[float, float] | None:
    return None if found is None else (float(found[1]), float(found[2]))


def words_of(text: str) -> Words:
    """What one run's text says beside its rows."""
    command, test, cpu, mss = command_of(text), _TEST.search(text), _CPU.search(text), _first(_MSS, text)
    asked = command or _NOT_SAID
    return Words(
        command=command,
        connections=tuple(_connections(text)),
        serves=_only_listens(text, command),
        reverse=_REVERSE.search(text) is not None or asked.reverse,
        udp=_UDP.search(text) is not None or _says_udp(asked, test),
        old_header=_OLD.search(text) is not None,
        version=_first(_VERSION, text),
        congestion=_first(_CONGESTION, text) or asked.congestion,
        mss=None if mss is None else int(mss),
        cpu=_two(cpu),
        streams=asked.streams or _number(test, "streams"),
        seconds=asked.seconds or _number(test, "seconds"),
        error=next((found["words"].strip() for one in _ERRORS if (found := one.search(text))), ""),
        warnings=tuple(dict.fromkeys(found[0] for found in _WARNING.finditer(text))),
    )


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return None if found is None else found[1]


def _number(test: re.Match[str] | None, name: str) -> int | None:
    return None if test is None else int(test[name])


def _only_listens(text: str, command: Command | None) -> bool:
    serves = _SERVES.search(text) is not None or (command is not None and command.serves)
    calls = _CALLS.search(text) is not None or (command is not None and not command.serves)
    return serves and not calls


def _says_udp(asked: Command, test: re.Match[str] | None) -> bool:
    return asked.udp or (test is not None and test["protocol"] == "UDP")


def _connections(text: str) -> Iterator[Connection]:
    listening = set(_LISTENS.findall(text))
    for found in CONNECTED.finditer(text):
        yield Connection(
            stream=found["stream"],
            local=found["local"],
            remote=found["remote"],
            accepted=found["port"] in listening,
            reverse="(reverse)" in found["more"],
        )
