"""The one vocabulary of causes: checks, faults, cases, documents and reports use these slugs.

Where the evidence shows the general cause but not the kind, the parent is the honest answer.
"""

from dataclasses import dataclass

# the stages of a packet's path in the order it passes them, then what lies across
STAGES = (
    *("tool", "application", "socket", "tcp", "filter", "qdisc", "offload", "tx_ring", "pcie", "phy", "wire"),
    *("rx_ring", "interrupts", "softirq", "backlog", "cpu", "memory", "storage"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One thing that can keep a link from being filled; `stage` is where on a packet's path it acts."""

    slug: str
    stage: str | None
    meaning: str
    parent: str | None = None
    aliases: tuple[str, ...] = ()


# slug | stage | parent | aliases | meaning; a row stands on one line, however long
_TABLE = """
link-filled | phy | - | - | the rate is the goodput ceiling of the link: nothing to fix
link-filled-with-loss | phy | link-filled | - | full, with retransmits that cost nothing visible
link-filled-wifi | phy | link-filled | - | Wi-Fi at what its PHY rate and airtime allow
local-test-not-link | tool | - | - | both ends on one host, or the path does not cross the link in question
not-the-bottleneck | - | - | - | the accused part does no harm: its evidence clears it
not-irq-bound | - | - | - | interrupts were accused: they are spread, or their CPU has room
undetermined | - | - | - | the evidence holds no more
link-speed-downshift | phy | - | - | negotiated below what both ends can do (cable, port, forced partner)
advertise-mask-limited | phy | link-speed-downshift | - | a speed both ends support is not advertised
duplex-mismatch | phy | - | - | one side forced, half against full
link-flapping | phy | - | - | carrier lost and back
rx-crc-errors | phy | - | bad-cable, bad-cable-or-port | frames damaged on the wire (cable, connector, optics, EMI)
fec-mismatch | phy | rx-crc-errors | - | FEC mode or marginal optics at 25G and up
optics-power-low | phy | rx-crc-errors | - | module receive power or temperature out of range
rgmii-delay | phy | rx-crc-errors | - | MAC/PHY clock skew on boards
eee | phy | - | - | energy efficient ethernet causes flaps, stalls or latency
peer-sends-pause | wire | - | pause-storm | the partner or switch holds us back with pause frames
host-sends-pause | rx_ring | - | pause-frames-sent | this host holds the partner back because it cannot keep up
flow-control-off | phy | - | - | missing pause makes a slower hop or small FIFO drop
switch-path-loss | wire | path-loss | switch-buffer-or-flow-control | a switch port or buffer drops
path-loss | wire | - | - | packets lost between the hosts, neither host dropped them
reordering | wire | - | - | packets arrive out of order (per-packet balancing)
broadcast-flood | wire | - | - | broadcasts and multicasts of others fill the link or the CPU
competing-traffic | wire | - | - | other traffic uses the link
uplink-saturated-acks | wire | competing-traffic | - | download slow because the upload carrying the ACKs is full
policer-loss | wire | path-loss | - | a policer drops above its rate
isp-rate-cap | wire | - | isp-upload-cap | the provider's rate
cloud-allowance-exceeded | wire | - | - | the instance used up its bandwidth or packet allowance
cloud-single-flow-cap | wire | - | - | the provider's limit for each flow
cloud-vm-bandwidth-cap | wire | - | - | the provider's limit for the size of the instance
cloud-placement-change | wire | - | - | the provider moved the instance
tunnel-overhead | wire | link-filled | - | the tunnel's own headers explain the difference
mtu-blackhole | wire | - | - | large packets vanish; small ones pass
mtu-mismatch | wire | mtu-blackhole | - | ends or path differ in MTU
wifi-narrow-channel | wire | - | - | the Wi-Fi channel is narrow: 20 or 40 MHz
wifi-airtime-overhead | wire | - | - | the air is busy with other stations, small frames and overhead
wifi-power-save | wire | - | - | the Wi-Fi radio sleeps between packets
wifi-signal-low | wire | - | - | the Wi-Fi signal is too weak for fast modulations
wifi-coexistence | wire | - | - | Bluetooth or another radio shares band or antenna with the Wi-Fi
pcie-link-narrow | pcie | - | - | negotiated PCIe width or speed too small for the port(s)
pcie-stall | pcie | - | - | NIC waits for PCIe or memory
pcie-signal-errors | pcie | - | - | corrected errors and replays
pcie-aspm | pcie | - | - | ASPM exit latency starves a small FIFO
iommu-strict | pcie | - | virtual-iommu, vhost-iotlb | per-packet DMA mapping cost
usb-link-too-slow | pcie | - | adapter-orientation | USB bus slower than the port behind it
rx-ring-too-small | rx_ring | nic-rx-overrun | rx-ring-starved | bursts overflow the ring while CPU has headroom
nic-rx-overrun | rx_ring | - | - | the NIC drops on receive (FIFO or ring); why is open
tx-completion-delay | tx_ring | - | - | the driver reports sent packets late, and the sender waits for that
tx-coalesce-timer | tx_ring | - | - | a transmit interrupt timer that does not fit delays completions or eats CPU
coalescing-too-high | interrupts | - | - | interrupts delayed so long that rings overflow or windows starve
coalescing-too-low | interrupts | - | - | an interrupt per packet eats the CPU
irq-single-cpu | interrupts | softirq-single-cpu | - | the queues' interrupts all go to one CPU
single-rx-queue | interrupts | softirq-single-cpu | single-queue-driver | one queue where more could be
virtio-single-queue | interrupts | single-rx-queue | virtio-vhost-cpu | virtual NIC with one queue pair
rss-single-queue | interrupts | softirq-single-cpu | - | several queues, hash or table sends all to one
rps-single-cpu | softirq | softirq-single-cpu | - | RPS mask names one CPU, or the wrong ones
napi-thread-pinned | softirq | softirq-single-cpu | - | NAPI kernel threads share one CPU
softirq-single-cpu | softirq | cpu-bound-host | softirq-one-core | receive processing saturates one CPU
softirq-budget | softirq | - | softirq-delayed | budget ends polling with work left, ring drops follow
cpu-hog-on-irq-cpu | softirq | cpu-bound-host | - | something else occupies the interrupt CPU
app-and-irq-same-cpu | softirq | cpu-bound-host | - | traffic program and softirq share a CPU while others idle
irqbalance-fights | interrupts | - | - | affinity keeps being rewritten
backlog-drops | backlog | - | - | per-CPU input queue (netdev_max_backlog) overflows
packet-rate-bound | softirq | cpu-bound-host | per-packet-cost | packets per second, not bits, are the limit
offload-off | offload | - | - | TSO/GSO/GRO/checksum off costs a core
gro-bug | offload | - | - | merging received packets goes wrong on this path
gro-lro-with-forwarding | offload | - | - | a host that forwards merges packets by LRO
hypervisor-offload-bug | offload | - | - | the hypervisor or its switch mishandles an offload
hw-offload-bypassed | offload | - | - | packets take the CPU path past the hardware that could carry them
tunnel-gro-missing | offload | - | - | tunnelled packets are not merged
tunnel-crypto-cpu | application | cpu-bound-host | - | encryption saturates a CPU
userspace-tunnel | application | cpu-bound-host | - | packets copied through a user program
tunnel-mtu-too-large | wire | mtu-mismatch | - | tunnel overhead not subtracted
tc-shaper | qdisc | - | - | tbf, htb, police or VF rate caps the rate
qdisc-drops | qdisc | - | - | local queue drops (txqueuelen, fq limits)
bufferbloat | qdisc | - | - | queue so long that latency starves windows
no-fq-qdisc | tcp | - | - | pacing is asked for without the fq qdisc
bbr-pacing-cpu-cost | tcp | - | - | BBR paces by its own timers, without fq, on a full CPU
congestion-control | tcp | - | - | the algorithm in use caps the rate on this path
long-rtt-single-flow | tcp | - | - | one flow cannot fill this bandwidth-delay product
tcp-buffers-too-small | socket | - | - | the largest tcp_rmem or tcp_wmem is below the bandwidth-delay product
socket-buffer-fixed | socket | tcp-buffers-too-small | - | -w or SO_RCVBUF/SO_SNDBUF switched autotuning off
receiver-zero-window | socket | - | - | receiver advertises zero window
app-not-draining-socket | application | receiver-zero-window | receiver-limited | receiving program reads too slowly
tcp-memory-pressure | socket | - | - | the kernel is short of memory for TCP, or discards what was received
tcp-small-queues | tcp | - | - | TSQ limit starves a driver that completes late
time-wait-overflow | socket | - | - | more closed connections wait than the kernel keeps
kernel-limit | socket | - | - | a table or limit of the kernel is full
udp-rcvbuf-overflow | socket | - | - | UDP socket buffer drops
udp-ip-fragmentation | socket | - | - | datagrams larger than MTU
netfilter-drop | filter | - | firewall | a rule drops or limits
netfilter-rule-cost | filter | cpu-bound-host | - | rule traversal eats the CPU
conntrack-table-full | filter | - | - | connection tracking refuses
ovs-upcall-overload | filter | cpu-bound-host | - | Open vSwitch asks its program for too many new flows
bridge-forwarding-cpu | filter | cpu-bound-host | - | bridging or routing in software fills a CPU
userspace-forwarder-stalled | filter | cpu-bound-host | - | a program that forwards packets has stopped or fallen behind
container-bridge-path | filter | cpu-bound-host | - | a container's way through veth, bridge and NAT costs too much CPU
cpu-bound-host | cpu | - | cpu-bound-sender, cpu-bound-receiver, cpu-bound-router | a CPU at one end is the limit
cpu-quota | cpu | cpu-bound-host | - | a cgroup CPU limit stops the program again and again
cpu-governor | cpu | - | - | frequency or power policy keeps the clock down
cpu-idle-latency | cpu | - | - | deep idle states make waking slow
thermal-throttle | cpu | - | - | a hot processor lowers its clock
cpu-steal | cpu | - | - | the hypervisor takes the CPU away
task-migration | cpu | - | - | the traffic thread moves between CPUs or caches
numa-distance | memory | - | interconnect-contention | NIC, interrupts and program on different nodes
soc-memory-config | memory | - | - | board's memory set-up
bond-hash-one-member | phy | - | - | hash policy puts the flows on one member
bond-balance-rr | phy | reordering | - | per-packet balancing reorders
nic-tx-hang | phy | nic-driver-bug | - | transmit unit hangs and resets
nic-driver-bug | phy | - | - | driver at fault
wrong-driver | phy | - | - | another driver serves this device better
firmware-regression | phy | - | - | NIC firmware at fault
kernel-regression | cpu | - | - | a kernel version made it slower
virt-nic-emulated | pcie | - | - | e1000/rtl8139 model where a paravirtual one is possible
virtual-nic-speed-label | phy | - | - | the shown speed of a virtual NIC is only a label
speed-mismatch-without-flow-control | phy | flow-control-off | - | a fast port feeds a slow one that cannot say wait
rate-matching-phy-no-pause | phy | flow-control-off | - | a PHY slower than its MAC pauses it, and the MAC does not obey
iperf3-single-thread | tool | - | - | iperf3 before 3.16 uses one thread
iperf3-udp-burst | tool | - | - | old iperf3 sends UDP in bursts
iperf3-udp-sender-cpu | tool | cpu-bound-host | - | a system call per datagram limits the sender
udp-rate-per-stream | tool | - | - | -b of iperf3 counts for each stream
udp-default-rate | tool | - | - | iperf3 without -b sends UDP at 1 Mbit/s
test-tool-mismatch | tool | - | iperf-version-mismatch, non-iperf-connections | the ends differ in version or options
test-tool-bug | tool | - | - | the traffic program itself is at fault
iperf3-fsync-per-write | tool | - | - | iperf3 -F: each block is forced to disk
test-control-port-blocked | tool | - | - | data or control port filtered
server-busy | tool | - | - | one test a server port
disk-or-tool-bound | storage | - | - | storage or the copying program, not the network
route-wrong-interface | wire | - | - | traffic leaves by another interface
"""


def _read(row: str) -> Cause:
    slug, stage, parent, aliases, meaning = (cell.strip() for cell in row.split(" | "))
    return Cause(
        slug=slug,
        stage=None if stage == "-" else stage,
        parent=None if parent == "-" else parent,
        aliases=() if aliases == "-" else tuple(aliases.split(", ")),
        meaning=meaning,
    )


CAUSES = {cause.slug: cause for cause in map(_read, _TABLE.strip().splitlines())}


def stage_of(slug: str) -> str | None:
    """The stage a cause acts at; None for the ones that name no place. Raises KeyError on an unknown slug."""
    return CAUSES[slug].stage
