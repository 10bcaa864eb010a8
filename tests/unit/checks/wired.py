"""A healthy job over copper of igb NICs, with all that the checks of the physical side read; and how to disturb it."""

from dataclasses import replace

from fullrate.drivers.igb import RECIPE as IGB
from fullrate.records.ends import End
from fullrate.records.evidence import Gap, Status
from fullrate.records.facts.base import Fact
from fullrate.records.facts.ethtool import DriverInfo, LinkMode, NicCounters
from fullrate.records.facts.kernel_log import KernelLog, KernelMessage, LogEvent
from fullrate.records.facts.phy import Carrier, EnergyEfficiency, PauseSettings
from unit.checks.build import FAR, NEAR, Scene, healthy
from unit.checks.pairs import Pair

NAMES = {NEAR: "enp1s0", FAR: "enp3s0"}
MODES = ("100baseT/Full", "1000baseT/Full")
_COUNTERS = (
    *("rx_missed_errors", "rx_crc_errors", "rx_align_errors", "rx_flow_control_xoff", "tx_flow_control_xoff"),
    *("tx_timeout_count", "tx_abort_late_coll"),
)


def mode(end: End, **changed: object) -> LinkMode:
    """A gigabit link both of whose partners offer the same."""
    found = LinkMode(
        subject=NAMES[end],
        speed=1e9,
        duplex="Full",
        autonegotiation=True,
        link_detected=True,
        port="Twisted Pair",
        supported=MODES,
        advertised=MODES,
        partner_advertised=MODES,
    )
    return replace(found, **changed)  # type: ignore[arg-type]


def nic(end: End, **grown: int) -> Pair:
    """The driver's counters over the trial."""
    first = {name: 30 + number for number, name in enumerate(_COUNTERS)}
    last = {name: value + grown.get(name, 0) for name, value in first.items()}
    return NicCounters(subject=NAMES[end], counters=first), NicCounters(subject=NAMES[end], counters=last)


def carrier(end: End, *, changes: int = 0, crc: int = 0) -> Pair:
    """The kernel's own counters of the carrier over the trial."""
    first = Carrier(subject=NAMES[end], changes=2, up_count=1, down_count=1, crc_errors=5, frame_errors=7, collisions=0)
    return first, replace(first, changes=2 + changes, crc_errors=5 + crc)


def _settings(end: End) -> list[Fact]:
    return [
        mode(end),
        DriverInfo(subject=NAMES[end], driver="igb", bus_info="0000:01:00.0"),
        PauseSettings(subject=NAMES[end], autonegotiate=True, rx=True, tx=True),
        EnergyEfficiency(subject=NAMES[end], supported=True),
        KernelLog(lines=900, first=0.0, last=90_000.0),
    ]


def wired(rate: float = 600e6, *, lost: float = 0.0) -> Scene:
    """The job at a rate, with nothing wrong on the wire."""
    scene = replace(healthy(rate, lost=lost), recipes={"igb": IGB})
    for end in End:
        scene = scene.having(end, *_settings(end)).seeing(end, nic(end), carrier(end))
    return scene


def said(end: End, event: LogEvent, text: str, *, at: float = 89_000.0, subject: str | None = None) -> KernelMessage:
    """A line of the kernel's log about an end's link; the log ends at 90,000 s."""
    return KernelMessage(subject=NAMES[end] if subject is None else subject, event=event, text=text, time=at)


def logging(scene: Scene, end: End, *messages: KernelMessage) -> Scene:
    """The scene with these lines in the log."""
    log = KernelLog(lines=900, messages=len(messages), first=0.0, last=90_000.0)
    return scene.having(end, log, *messages)


def flaps(end: End, *times: float) -> list[KernelMessage]:
    """The carrier lost at these times."""
    return [said(end, LogEvent.LINK_DOWN, f"igb {NAMES[end]}: NIC Link is Down", at=at) for at in times]


def without(scene: Scene, end: End, kind: type[Fact], command: str) -> Scene:
    """The scene of a driver that does not support one command."""
    lacking = scene.lacking(end, kind, "facts", "before", "after")
    tried = f"run ethtool {command} {NAMES[end]}"
    gap = Gap(wanted=kind.__name__, tried=tried, status=Status.UNSUPPORTED, reason="Operation not supported")
    side = lacking.side(end)
    return lacking.with_side(end, replace(side, gaps=(*side.gaps, gap)))


def on_veth(scene: Scene) -> Scene:
    """The scene over virtual links, whose tools all answer that they do not support this."""
    for end in End:
        links = [fact for fact in scene.side(end).facts if type(fact).__name__ == "Link"]
        scene = scene.having(end, *(replace(link, kind="veth", parent_device=None) for link in links))  # type: ignore[call-arg]
    return scene
