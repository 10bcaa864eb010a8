"""`iperf3 --version`, `ethtool --version`, `ip -V`, `nft --version`, `iptables -V`, ...: programs that are there.

    iperf 3.12 (cJSON 1.7.15)
    Linux lab 6.1.0-57-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.192-3 (2026-11-26) x86_64
    Optional features available: CPU affinity setting, IPv6 flow label, SCTP, ...

    ethtool version 6.1
    ip utility, iproute2-6.1.0, libbpf 1.1.2
    nftables v1.0.6 (Lester Gooch #5)
    iptables v1.8.9 (nf_tables)
    Python 3.11.2
    fio-3.33

Before version 5 iproute2 named its date: `iproute2-ss190107`. iptables names its build, `nf_tables` or `legacy`
(iptables/iptables.c, iptables_globals), since there are two.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand, Request, query
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Source, always
from fullrate.records.probes import iptables_build
from fullrate.sources._text import lines_of

_REQUESTS = (
    query("iperf3", "--version"),
    query("ethtool", "--version"),
    query("ip", "-V"),
    query("ss", "-V"),
    query("nft", "--version"),
)
_ON_DEMAND = (query("python3", "--version"), query("fio", "--version"), iptables_build())  # asked for where they matter
_FORMS = {
    "iperf3": re.compile(r"iperf (3\.\S+)"),
    "ethtool": re.compile(r"ethtool version (\S+)"),
    "ip": re.compile(r"ip utility, iproute2-(?:ss)?([\w.+-]+)"),
    "ss": re.compile(r"ss utility, iproute2-(?:ss)?([\w.+-]+)"),
    "nft": re.compile(r"nftables v(\S+)"),
    "iptables": re.compile(r"iptables v(\S+)"),
    "python3": re.compile(r"Python (3\.\S+)"),
    "fio": re.compile(r"fio-(\d\S*)"),
}
_FEATURES = re.compile(r"^Optional features available: (.+)$|^iptables v\S+ \((\w+)\)$", re.MULTILINE)


def _version(answer: bytes | str) -> ProgramVersion | None:
    text = "\n".join(lines_of(answer))
    features = _FEATURES.search(text)
    for name, form in _FORMS.items():
        if match := form.match(text):
            listed = tuple((features[1] or features[2]).split(", ")) if features else ()
            return ProgramVersion(subject=name, version=match[1], features=listed)
    return None


def _parse(request: Request, payload: bytes) -> tuple[ProgramVersion, ...]:
    found = _version(payload)
    if found is None:
        raise FormatError(f"no version in the answer to {request.key!r}: {payload[:80]!r}")
    return (found,)


def _answers(request: Request) -> bool:
    return isinstance(request, QueryCommand) and request.argv in {known.argv for known in (*_REQUESTS, *_ON_DEMAND)}


SOURCE = Source(
    id="program_version",
    facts=(ProgramVersion,),
    requests=always(*_REQUESTS),
    answers=_answers,
    recognizes=lambda text: _version(text) is not None,
    parse=_parse,
)
