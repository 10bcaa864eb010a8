"""How identifiers look in what hosts answer: addresses by their form, names and serial numbers by what is before."""

import re
from dataclasses import dataclass

_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_QUAD = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
_PAIR = "[0-9A-Fa-f]{2}"
_TOP = (
    "com|net|org|edu|gov|mil|int|info|biz|io|dev|app|cloud|tech|online|site|xyz|eu|arpa|example|test|invalid|"
    "local|localdomain|localhost|internal|intern|intranet|lan|home|corp|private|priv|"
    "ac|ad|ae|ar|at|au|be|bg|br|by|ca|ch|cl|cn|co|cz|de|dk|ee|es|fi|fr|gr|hk|hr|hu|id|ie|il|in|ir|is|it|jp|kr|kz|lt|"
    "lu|lv|me|mx|my|nl|no|nz|ph|pl|pt|ro|ru|se|sg|si|sk|th|tr|tv|tw|ua|uk|us|vn|za"
)
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"

# In this order: of two forms that begin at the same letter the first counts.
TOKENS = re.compile(
    rf"""
      (?P<uuid>   (?<![0-9A-Za-z]) [0-9A-Fa-f]{{8}} (?:-[0-9A-Fa-f]{{4}}){{3}} -[0-9A-Fa-f]{{12}} (?![0-9A-Za-z]) )
    | (?P<pairs>  (?<![0-9A-Za-z]) {_PAIR} (?: (?::{_PAIR}){{5,}} | (?:-{_PAIR}){{7}} | (?:-{_PAIR}){{5}} )
                  (?![0-9A-Za-z]|[:-][0-9A-Fa-f]) )
    | (?P<dotted> (?<![0-9A-Za-z.]) [0-9A-Fa-f]{{4}} (?:\.[0-9A-Fa-f]{{4}}){{2}} (?![0-9A-Za-z.]) )
    | (?P<arpa>   (?<![0-9A-Za-z.]) (?:[0-9A-Fa-f]\.){{8,32}} ip6\.arpa )
    | (?P<mail>   (?<![\w.+@-]) [\w.+-]+ @ (?:{_LABEL}\.)+ (?:{_TOP}) (?![\w-]|\.\w) )
    | (?P<dns>    (?<![\w.-]) (?:{_LABEL}\.)+ (?:{_TOP}) (?![\w-]|\.\w) )
    | (?P<socket> (?<![0-9A-Za-z]) (?:[0-9A-F]{{32}}|[0-9A-F]{{8}}) (?=:[0-9A-F]{{4}}(?![0-9A-Za-z:])) )
    | (?P<match>  (?<![0-9A-Za-z]) [0-9a-f]{{7,8}} (?= /[0-9a-f]{{8}}\ at\ (?:12|16)\b ) )
    | (?P<six>    (?<![0-9A-Za-z.]) (?=[0-9A-Fa-f]*:[0-9A-Fa-f]*:)
                  (?: [0-9A-Fa-f:]{{2,39}}: \d{{1,3}} (?:\.\d{{1,3}}){{3}} | [0-9A-Fa-f:]{{2,45}} ) (?![0-9A-Za-z]) )
    | (?P<four>   (?<!\d) (?<!\d\.) {_QUAD} (?!\d) )
    | (?P<dashed> (?<!\d) (?<!\d-) {_OCTET} (?:-{_OCTET}){{3}} (?!\d|-\d) )
    | (?P<hex>    (?<![0-9A-Za-z]) (?:0x)?
                  (?: [0-9A-Fa-f]{{32,}} | [0-9A-Fa-f]{{16}} | [0-9A-Fa-f]{{12}} | [0-9A-Fa-f]{{8}} ) (?![0-9A-Za-z]) )
    | (?P<named>  (?<![0-9A-Za-z]) (?:en|wl|ww)x [0-9a-f]{{12}} (?![0-9A-Za-z]) )
    | (?P<key>    (?<![0-9A-Za-z+/]) [0-9A-Za-z+/]{{43}}= (?![0-9A-Za-z+/=]) )
    """,
    re.VERBOSE,
)
LENGTH = re.compile(rf'(?:/|",?\s*"(?:prefixlen|len|netmask|mask)":\s*"?)(?P<length>{_QUAD}|\d{{1,3}})(?![\w.])')
MASK = re.compile(rf"(?<![\d.])(?:255\.{_OCTET}|(?:254|252|248|240|224|192|128)\.0)\.{_OCTET}\.{_OCTET}(?![\d.])")
# What stands before, or behind, four numbers that are a version.
VERSION_BEFORE = re.compile(
    r"(?:\b|[-_])(?:version|ver|firmware|fw|release|rel|revision|rev|driver|pkg|package|nvm|bios|build|vbios|v)"
    r"[\s\"':=.(,-]{0,6}$",
    re.IGNORECASE,
)
VERSION_BEHIND = re.compile(
    r"(?:-(?:amd64|arm64|generic|rc\d|k\b|pve|el\d|rt\d|\d+-(?:amd64|arm64|generic|pve))|(?:rc|el)\d)"
)


# Rows of /proc/net/route, and of /proc/net/if_inet6 and ipv6_route: addresses and masks that only their column tells.
ROUTE4 = re.compile(
    r"^\S+\t(?P<to>[0-9A-F]{8})\t(?P<via>[0-9A-F]{8})(?:\t[0-9A-F]+){4}\t(?P<mask>[0-9A-F]{8})\t", re.MULTILINE
)
ROW6 = re.compile(r"^[0-9a-f]{32} [0-9a-f]{2} ", re.MULTILINE)
ADDRESS6 = re.compile(
    r"(?<![0-9A-Za-z])(?P<address>[0-9a-f]{32})(?: (?P<length>[0-9a-f]{2})(?= [0-9a-f]{32}))?(?![0-9A-Za-z])"
)


@dataclass(frozen=True, slots=True)
class Label:
    """A place where something stands whose form says nothing; the pattern's groups name what it is."""

    hint: str  # in lower case; without it the pattern cannot match
    pattern: re.Pattern[str]


def _label(hint: str, pattern: str) -> Label:
    return Label(hint, re.compile(pattern, re.MULTILINE))


_NAME = r"[A-Za-z0-9_][\w.-]*"
LABELS = (
    _label("linux ", rf"\bLinux (?P<host>{_NAME}) \d+\.\d+\S* #"),  # uname -a
    _label("linux ", rf"^Linux \d\S+ \((?P<host>{_NAME})\)\s"),  # mpstat, sar
    _label("linux version", rf"\bLinux version \S+ \((?P<maker>{_NAME})@(?P<built>{_NAME})\)"),
    _label("@", rf"^[\[(]?(?P<user>{_NAME})@(?P<host>{_NAME})(?=[:\s][^\n]{{0,80}}?[#$%>](?:\s|$))"),  # a prompt
    _label("connecting to host", rf"\bConnecting to host (?P<host>{_NAME}),"),
    _label('"host"', rf'"host":\s*"(?P<host>{_NAME})"'),
    _label("hostname", rf"\b[Hh]ost ?name(?: set)?(?: to)?\s*[:=]?\s*[<\"'](?P<host>{_NAME})[>\"']"),
    _label("host", rf"\b(?:hostname|host|rhost|nodename)=[\"']?(?P<host>(?!\d+\b){_NAME})"),
    _label("ip=", rf"\bip=(?:[^:\s]*:){{4}}(?P<host>{_NAME})"),
    _label("=", rf"\b(?:user|ruser|acct|username|logname)=[\"']?(?P<user>{_NAME})"),
    _label("home/", rf"/home/(?P<user>{_NAME})"),
    _label("users/", rf"/Users/(?P<user>{_NAME})"),
    _label("machine-", r"\bmachine-(?P<host>[\w.]+(?:\\x2d[\w.]+)*)\.scope"),
    _label("sosreport-", r"\bsosreport-(?P<host>[A-Za-z0-9_]+)-"),
    _label("ssid", r"\bE?SSID:? ?\"(?P<ssid>[^\"\n]+)\""),
    _label("ssid", r"\b[Ee]?(?:SSID|ssid)\"?\s*[:=]\s*\"?(?P<ssid>[^\"\s][^\"\n]*?)\"?\s*$"),
    _label("ifalias", r'"ifalias":\s*"(?P<text>(?:[^"\\]|\\.)+)"'),
    _label("alias ", r"^\s+alias (?P<text>\S[^\n]*)$"),
    _label("comment", r'\bcomment"?:?\s+"(?P<text>(?:[^"\\]|\\.)+)"'),
    _label("comment ", r"--comment (?P<text>[^\"\s]\S*)"),
    _label("/*", r"/\* (?P<text>[^\n]+?) \*/"),
    _label(
        "serial",
        r"(?i)\b(?:serial|serial[ _-]?(?:number|num|no)\.?)[\"']?\s*[:=]\s*[\"']?"
        r"(?P<serial>[A-Za-z0-9][\w.+-]*)(?=[\"',;)\s]|$)",
    ),
    _label("sn", r"\b(?:Vendor SN|\[SN\][\w ]*|SN)\s*[:=]\s*(?P<serial>[A-Za-z0-9][\w.+-]*)(?=[\"',;)\s]|$)"),
    _label("tag", r"(?i)\b(?:asset|service|chassis)[ _-]?tag[\"']?\s*[:=]\s*[\"']?(?P<serial>[A-Za-z0-9][\w.+-]*)"),
    _label("iserial", r"\biSerial\s+\d+\s+(?P<serial>[A-Za-z0-9][\w.+-]*)"),
    _label("wwn", r"\b[Ww][Ww][Nn][\"']?[-:=]\s*[\"']?(?:0x)?(?P<serial>[0-9A-Fa-f]{16,32})"),
    _label("by-id/", r"/by-id/(?P<text>[\w.:+-]+)"),
    _label(
        "",
        r"^[ \t]*(?:0x)?[0-9A-Fa-f]{4,8}:?[ \t]+"
        r"(?P<dump>(?:[0-9A-Fa-f]{2} {1,2}){7,15}[0-9A-Fa-f]{2}(?:[ \t]+[^\n]*)?)$",
    ),
)
