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
not-the-bottleneck | - | - | - | the accused part is cleared
not-irq-bound | - | - | - | the accused part is cleared
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
broadcast-flood | wire | - | - | other traffic uses the link or the CPU
competing-traffic | wire | - | - | other traffic uses the link or the CPU
uplink-saturated-acks | wire | competing-traffic | - | download slow because the upload carrying the ACKs is full
policer-loss | wire | path-loss | - | a policer drops above its rate
isp-rate-cap | wire | - | isp-upload-cap | the provider's rate
cloud-allowance-exceeded | wire | - | - | instance bandwidth or packet allowance
cloud-single-flow-cap | wire | - | - | provider's limit per flow
cloud-vm-bandwidth-cap | wire | - | - | provider's limit of the instance size
cloud-placement-change | wire | - | - | the provider moved the instance
tunnel-overhead | wire | link-filled | - | the tunnel's own headers explain the difference
mtu-blackhole | wire | - | - | large packets vanish; small ones pass
mtu-mismatch | wire | mtu-blackhole | - | ends or path differ in MTU
wifi-narrow-channel | wire | - | - | Wi-Fi limits
wifi-airtime-overhead | wire | - | - | Wi-Fi limits
wifi-power-save | wire | - | - | Wi-Fi limits
wifi-signal-low | wire | - | - | Wi-Fi limits
wifi-coexistence | wire | - | - | Wi-Fi limits
pcie-link-narrow | pcie | - | - | negotiated PCIe width or speed too small for the port(s)
pcie-stall | pcie | - | - | NIC waits for PCIe or memory
pcie-signal-errors | pcie | - | - | corrected errors and replays
pcie-aspm | pcie | - | - | ASPM exit latency starves a small FIFO
iommu-strict | pcie | - | virtual-iommu, vhost-iotlb | per-packet DMA mapping cost
usb-link-too-slow | pcie | - | adapter-orientation | USB bus slower than the port behind it
rx-ring-too-small | rx_ring | nic-rx-overrun | rx-ring-starved | bursts overflow the ring while CPU has headroom
nic-rx-overrun | rx_ring | - | - | the NIC drops on receive (FIFO or ring); why is open
tx-completion-delay | tx_ring | - | - | transmit completions come late
tx-coalesce-timer | tx_ring | - | - | transmit completions come late
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
gro-bug | offload | - | - | an offload is wrong for this path
gro-lro-with-forwarding | offload | - | - | an offload is wrong for this path
hypervisor-offload-bug | offload | - | - | an offload is wrong for this path
hw-offload-bypassed | offload | - | - | an offload is wrong for this path
tunnel-gro-missing | offload | - | - | tunnelled packets are not merged
tunnel-crypto-cpu | application | cpu-bound-host | - | encryption saturates a CPU
userspace-tunnel | application | cpu-bound-host | - | packets copied through a user program
tunnel-mtu-too-large | wire | mtu-mismatch | - | tunnel overhead not subtracted
tc-shaper | qdisc | - | - | tbf, htb, police or VF rate caps the rate
qdisc-drops | qdisc | - | - | local queue drops (txqueuelen, fq limits)
bufferbloat | qdisc | - | - | queue so long that latency starves windows
no-fq-qdisc | tcp | - | - | pacing without fq costs CPU
bbr-pacing-cpu-cost | tcp | - | - | pacing without fq costs CPU
congestion-control | tcp | - | - | the algorithm in use caps the rate on this path
long-rtt-single-flow | tcp | - | - | one flow cannot fill this bandwidth-delay product
tcp-buffers-too-small | socket | - | - | tcp_rmem/tcp_wmem/rmem_max below the bandwidth-delay product
socket-buffer-fixed | socket | tcp-buffers-too-small | - | -w or SO_RCVBUF/SO_SNDBUF switched autotuning off
receiver-zero-window | socket | - | - | receiver advertises zero window
app-not-draining-socket | application | receiver-zero-window | receiver-limited | receiving program reads too slowly
tcp-memory-pressure | socket | - | - | tcp_mem or skb truesize; prune and collapse
tcp-small-queues | tcp | - | - | TSQ limit starves a driver that completes late
time-wait-overflow | socket | - | - | a table or limit of the kernel is full
kernel-limit | socket | - | - | a table or limit of the kernel is full
udp-rcvbuf-overflow | socket | - | - | UDP socket buffer drops
udp-ip-fragmentation | socket | - | - | datagrams larger than MTU
netfilter-drop | filter | - | firewall | a rule drops or limits
netfilter-rule-cost | filter | cpu-bound-host | - | rule traversal eats the CPU
conntrack-table-full | filter | - | - | connection tracking refuses
ovs-upcall-overload | filter | cpu-bound-host | - | software forwarding path
bridge-forwarding-cpu | filter | cpu-bound-host | - | software forwarding path
userspace-forwarder-stalled | filter | cpu-bound-host | - | software forwarding path
container-bridge-path | filter | cpu-bound-host | - | software forwarding path
cpu-bound-host | cpu | - | cpu-bound-sender, cpu-bound-receiver, cpu-bound-router | a CPU at one end is the limit
cpu-quota | cpu | cpu-bound-host | - | cgroup CPU limit
cpu-governor | cpu | - | - | frequency or power policy
cpu-idle-latency | cpu | - | - | deep idle states
thermal-throttle | cpu | - | - | heat
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
speed-mismatch-without-flow-control | phy | flow-control-off | - | slower side drops for want of pause
rate-matching-phy-no-pause | phy | flow-control-off | - | slower side drops for want of pause
iperf3-single-thread | tool | - | - | iperf3 before 3.16 uses one thread
iperf3-udp-burst | tool | - | - | old iperf3 sends UDP in bursts
iperf3-udp-sender-cpu | tool | cpu-bound-host | - | a system call per datagram limits the sender
udp-rate-per-stream | tool | - | - | -b is per stream; the default is 1 Mbit/s
udp-default-rate | tool | - | - | -b is per stream; the default is 1 Mbit/s
test-tool-mismatch | tool | - | iperf-version-mismatch, non-iperf-connections | the ends differ in version or options
test-tool-bug | tool | - | - | the tool itself
iperf3-fsync-per-write | tool | - | - | the tool itself
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
