"""Protocol counters, sockets, filter rules, kernel settings, reachability and the host's identity."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fullrate.records.facts.base import Fact
from fullrate.records.parsing import whole_words
from fullrate.records.units import BitsPerSecond, Bytes, Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolCounters(Fact):
    """Counters of the IP stack by nstat's names (TcpRetransSegs, TcpExtTCPTimeouts); subject: snmp or netstat."""

    counters: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TcpSocket(Fact):
    """One TCP socket with its tcp_info (include/uapi/linux/tcp.h); subject: `local:port peer:port`.

    IPv4-mapped IPv6 addresses are shown as IPv4. Fields the kernel left out are None.
    """

    local_address: str
    local_port: int
    peer_address: str
    peer_port: int
    state: str  # as ss names it: ESTAB, ...
    recv_queue: Bytes = 0
    send_queue: Bytes = 0
    congestion_control: str | None = None
    mss: Bytes | None = None
    path_mtu: Bytes | None = None
    rtt: Seconds | None = None
    min_rtt: Seconds | None = None
    congestion_window: int | None = None  # segments
    slow_start_threshold: int | None = None  # segments
    send_window: Bytes | None = None  # tcpi_snd_wnd
    receive_space: Bytes | None = None
    bytes_sent: int | None = None
    bytes_acked: int | None = None
    bytes_received: int | None = None
    bytes_retransmitted: int | None = None
    segments_out: int | None = None
    retransmits: int | None = None  # tcpi_total_retrans
    lost: int | None = None
    unacknowledged: int | None = None
    busy: Seconds | None = None
    receive_window_limited: Seconds | None = None  # tcpi_rwnd_limited
    send_buffer_limited: Seconds | None = None  # tcpi_sndbuf_limited
    delivery_rate: BitsPerSecond | None = None
    pacing_rate: BitsPerSecond | None = None
    not_sent: Bytes | None = None
    reordering_seen: int | None = None
    duplicate_sacks: int | None = None
    receive_buffer: Bytes | None = None  # sk_rcvbuf
    send_buffer: Bytes | None = None  # sk_sndbuf


@dataclass(frozen=True, slots=True, kw_only=True)
class ListeningSocket(Fact):
    """One TCP socket in LISTEN (`ss -tlnp`); subject: `address:port`."""

    address: str
    port: int
    process: str | None = None
    pid: int | None = None
    waiting: int | None = None  # connections that nobody accepted yet
    longest: int | None = None  # how many may wait


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterRule(Fact):
    """One rule, or policy, that can discard packets; subject: `family table chain handle`.

    Of nftables (`nft -j list ruleset`), or of a legacy iptables `program`: the handle then is the rule's number in its
    chain, 0 for the chain's policy, and the program stands in the subject in place of the family.
    """

    family: str
    table: str
    chain: str
    handle: int
    hook: str | None  # None: the chain is not attached to a hook itself
    text: str  # the rule in words, for people
    verdict: str  # drop or reject
    packets: int | None = None  # None: the rule has no counter
    bytes: int | None = None
    program: str | None = None  # iptables-legacy, ip6tables, ...; None: nftables holds the rule

    @property
    def identity(self) -> str:
        """The place and the words: legacy rules are numbered anew when one is added or removed."""
        return self.subject if self.program is None else f"{self.subject} {self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterTables(Fact):
    """The legacy tables of one family in use (/proc/net/ip_tables_names); subject: iptables or ip6tables."""

    tables: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterRuleset(Fact):
    """That rules were read, and how many FilterRule and FilterChain facts came of it; subject: the program that listed.

    Of legacy iptables there is one for each table, which stands behind the program.
    """

    rules: int = 0
    chains: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterChain(Fact):
    """One base chain; subject: `family table chain`, of legacy iptables the program in place of the family."""

    hook: str
    policy: str | None  # accept or drop; None also where it is read as a rule of its own
    rules: int
    kind: str | None = None  # filter, route, or nat: only the first packet of a connection passes the rules of nat

    @property
    def family(self) -> str:
        """As nft names it: ip, ip6, inet, netdev, ..."""
        first = self.subject.partition(" ")[0]
        return next((name for name in ("ip6", "ip") if first.startswith(f"{name}tables")), first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sysctl(Fact):
    """One kernel setting; subject: its key, e.g. net.ipv4.tcp_rmem."""

    value: str

    @property
    def numbers(self) -> tuple[int, ...]:
        """The whole numbers of the value, in order."""
        return whole_words(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class EchoProbe(Fact):
    """Answered echo requests of one size (`ping -M do -s SIZE ADDRESS`); subject: `ADDRESS SIZE`."""

    sent: int
    received: int
    size: Bytes | None  # ICMP payload; None: the text that was shown does not tell
    rtt: Seconds | None = None  # mean
    local_mtu: int | None = None  # the size was refused here: "message too long, mtu=N"
    errors: int = 0  # "+N errors": refused here or answered with an ICMP error, instead of silence
    path_mtu: int | None = None  # a router answered "Frag needed (mtu = N)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture(Fact):
    """What packets that somebody showed (tcpdump, tshark) say of themselves; subject empty."""

    packets: int
    closed_windows: int = 0  # TCP segments that announce a window of zero, without those that end a connection
    closed_by: str = ""  # the address that sent most of these
    too_big: int = 0  # ICMP: a packet did not fit and must not be fragmented
    next_mtu: int | None = None  # the size that would, as the last of these says


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramVersion(Fact):
    """An installed program (`iperf3 --version`, ...); subject: its name."""

    version: str
    features: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HostIdentity(Fact):
    """Which running kernel this is (`uname`, boot_id); subject empty."""

    boot_id: str | None = None
    kernel: str | None = None
    os_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SshConnection(Fact):
    """The addresses of the SSH connection we came by, as the far end's sshd sees them (ssh(1), SSH_CONNECTION)."""

    client_address: str
    server_address: str
