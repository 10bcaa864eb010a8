"""`sysctl -e KEY...`: kernel settings; a pasted `sysctl -a` or sysctl.conf has the same form.

    net.ipv4.tcp_rmem = 4096	131072	6291456

sysctl(8); -e passes over keys this kernel does not have. Values keep their words, parted by one space.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.net import Sysctl
from fullrate.records.leaf import Source, always, runs
from fullrate.sources._text import lines_of

_TCP = (
    *("tcp_rmem", "tcp_wmem", "tcp_mem", "tcp_congestion_control", "tcp_available_congestion_control"),
    *("tcp_window_scaling", "tcp_timestamps", "tcp_sack", "tcp_moderate_rcvbuf", "tcp_limit_output_bytes"),
    *("tcp_mtu_probing", "tcp_slow_start_after_idle", "tcp_no_metrics_save", "tcp_max_reordering"),
)
_CORE = (
    *("rmem_max", "wmem_max", "rmem_default", "wmem_default", "netdev_max_backlog", "netdev_budget"),
    *("netdev_budget_usecs", "default_qdisc", "rps_sock_flow_entries"),
)
_KEYS = (*(f"net.ipv4.{name}" for name in _TCP), *(f"net.core.{name}" for name in _CORE))
_LINE = re.compile(r"([a-z]\w*[./][\w./:@-]+)\s*=(.*)")
_KNOWN = re.compile(r"^(net|kernel|vm|fs)\.[\w./-]+\s*=", re.MULTILINE)


def _setting(line: str) -> Sysctl:
    match = _LINE.fullmatch(line.strip())
    if match is None:
        raise FormatError(f"sysctl: not a setting: {line!r}")
    return Sysctl(subject=match[1], value=" ".join(match[2].split()))


def _parse(_: Request, payload: bytes) -> tuple[Sysctl, ...]:
    # lines of `sysctl:` are its complaints, lines of `#` comments
    return tuple(_setting(line) for line in lines_of(payload) if not line.startswith(("sysctl:", "#", ";")))


SOURCE = Source(
    id="sysctl",
    facts=(Sysctl,),
    requests=always(query("sysctl", "-e", *_KEYS)),
    answers=runs("sysctl"),
    recognizes=lambda text: _KNOWN.search(text) is not None,
    parse=_parse,
)
