"""The scenes of the checks of the physical side: wire, PHY, pause frames, NIC."""

from dataclasses import replace

from fullrate.drivers.vmxnet3 import RECIPE as VMXNET3
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.facts.kernel_log import LogEvent
from fullrate.records.facts.phy import EnergyEfficiency, FecCounters, FecMode, OpticalModule, PauseSettings
from unit.checks.build import FAR, NEAR, Scene
from unit.checks.wired import MODES, NAMES, carrier, flaps, logging, mode, nic, said, wired

FASTER = (*MODES, "2500baseT/Full")
NO_PARTNER: dict[str, object] = {"partner_advertised": ()}


def downshifted(**changed: object) -> Scene:
    """A gigabit link that came up at 100 Mbit/s."""
    return wired(94e6).having(NEAR, mode(NEAR, speed=100e6, **changed))


def downshift_logged() -> Scene:
    """The partner's modes are not shown, and the PHY says what it did."""
    text = "RTL8211F Gigabit Ethernet: Downshift occurred from negotiated speed 1Gbps to actual speed 100Mbps"
    return logging(downshifted(**NO_PARTNER), NEAR, said(NEAR, LogEvent.DOWNSHIFT, text))


def masked() -> Scene:
    """Both ends support 2.5 Gbit/s, this one does not offer it."""
    scene = replace(wired(930e6), speed=2.5e9)
    return scene.having(NEAR, mode(NEAR, supported=FASTER, partner_advertised=FASTER))


def forced() -> Scene:
    """A copper port set to 100 Mbit/s by hand."""
    hand = {"autonegotiation": False, "advertised": (), **NO_PARTNER}
    return wired(94e6).having(NEAR, mode(NEAR, speed=100e6, **hand))


def half_duplex(*, late: int = 4000) -> Scene:
    """The sender fell back to half duplex, its partner did not."""
    scene = wired(20e6, lost=0.02).having(NEAR, mode(NEAR, speed=100e6, duplex="Half", **NO_PARTNER))
    return scene.seeing(NEAR, nic(NEAR, tx_abort_late_coll=late))


def damaged(*, frames: int = 2000) -> Scene:
    """Some of the frames arrive damaged at the receiver."""
    scene = wired(60e6, lost=0.03)
    return scene.seeing(FAR, nic(FAR, rx_crc_errors=frames), carrier(FAR, crc=frames))


def fec(scene: Scene, *, unmended: int = 900, active: str = "RS") -> Scene:
    """The receiver's link with FEC that could not mend some blocks."""
    first = FecCounters(subject=NAMES[FAR], corrected_blocks=4000, uncorrectable_blocks=11)
    last = replace(first, corrected_blocks=9000, uncorrectable_blocks=11 + unmended)
    return scene.having(FAR, FecMode(subject=NAMES[FAR], configured=("Auto",), active=(active,))).seeing(
        FAR, (first, last)
    )


def optics(*powers: float, temperature: float = 41.0, scene: Scene | None = None) -> Scene:
    """A module at the near end that receives this much light, its alarm at -13.5 dBm."""
    module = OpticalModule(
        subject=NAMES[NEAR],
        identifier="0x0d (QSFP+)",
        rx_powers=powers,
        rx_power_low_alarm=-13.51,
        rx_power_low_warning=-9.5,
        temperature=temperature,
        temperature_high_alarm=75.0,
    )
    return (scene or wired()).having(NEAR, module, mode(NEAR, port="FIBRE"))


def sleepy(scene: Scene) -> Scene:
    """The scene with Energy Efficient Ethernet active at the near end."""
    return scene.having(NEAR, EnergyEfficiency(subject=NAMES[NEAR], supported=True, enabled=True, active=True))


def flapping() -> Scene:
    """The near link loses its carrier during the trial."""
    return wired(400e6).seeing(NEAR, carrier(NEAR, changes=2))


def held_back(frames: int = 150) -> Scene:
    """The sender's partner stops it: 150 times 33.6 ms at the most in 10 s."""
    return wired(450e6).seeing(NEAR, nic(NEAR, rx_flow_control_xoff=frames))


def holding_back(frames: int = 150) -> Scene:
    """The receiver stops its partner."""
    return wired(450e6).seeing(FAR, nic(FAR, tx_flow_control_xoff=frames))


def without_pause(*, sender: float = 10e9, dropped: int = 2000) -> Scene:
    """A gigabit receiver behind a faster sender, pause frames off, its NIC drops."""
    scene = wired(60e6, lost=0.03).having(NEAR, mode(NEAR, speed=sender))
    scene = scene.having(FAR, PauseSettings(subject=NAMES[FAR], autonegotiate=True, rx=False, tx=False))
    return scene.seeing(FAR, nic(FAR, rx_missed_errors=dropped))


def labelled(rate: float = 600e6) -> Scene:
    """The near end is a vmxnet3 that shows 500 Mbit/s."""
    scene = replace(wired(rate), recipes={"vmxnet3": VMXNET3}, speed=None)
    return scene.having(NEAR, DriverInfo(subject=NAMES[NEAR], driver="vmxnet3"), mode(NEAR, speed=500e6))


def hung() -> Scene:
    """The transmit unit hangs, the adapter is reset."""
    return logging(
        wired(300e6),
        NEAR,
        said(NEAR, LogEvent.TRANSMIT_HANG, "e1000e 0000:00:1f.6 eno1: Detected Hardware Unit Hang:", at=89_900.0),
        said(NEAR, LogEvent.ADAPTER_RESET, "e1000e 0000:00:1f.6 eno1: Reset adapter unexpectedly", at=89_900.1),
    )


def timed_out() -> Scene:
    """The kernel's watchdog saw a queue stand still, during the trial."""
    text = "igb 0000:01:00.0 enp1s0: NETDEV WATCHDOG: CPU: 2: transmit queue 0 timed out 5012 ms"
    scene = logging(wired(300e6), NEAR, said(NEAR, LogEvent.TRANSMIT_TIMEOUT, text))
    return scene.seeing(NEAR, nic(NEAR, tx_timeout_count=1))


PROBLEMS: dict[str, Scene] = {
    "advertise-mask-limited": masked(),
    "advertise-mask-limited forced": forced(),
    "duplex-mismatch": half_duplex(),
    "eee": sleepy(flapping()),
    "fec-mismatch": fec(damaged()),
    "flow-control-off": without_pause(),
    "host-sends-pause": holding_back(),
    "link-flapping": flapping(),
    "link-flapping logged": logging(wired(), NEAR, *flaps(NEAR, 88_000.0, 88_400.0, 89_000.0)),
    "link-speed-downshift": downshifted(),
    "link-speed-downshift logged": downshift_logged(),
    "nic-driver-bug": timed_out(),
    "nic-tx-hang": hung(),
    "optics-power-low": optics(-15.2, scene=wired()),
    "peer-sends-pause": held_back(),
    "rx-crc-errors": damaged(),
    "virtual-nic-speed-label": labelled(),
}
CLEARS: dict[str, Scene] = {
    "advertise-mask-limited": wired(),
    "duplex-mismatch": wired(),
    "eee": wired(),
    "eee active": sleepy(wired()),
    "fec-mismatch": fec(wired(), unmended=0),
    "flow-control-off": wired(),
    "flow-control-off equal": without_pause(sender=1e9),
    "flow-control-off no drops": without_pause(dropped=3),
    "host-sends-pause": wired(),
    "link-flapping": wired(),
    "link-speed-downshift": wired(),
    "nic-driver-bug": wired(),
    "nic-tx-hang": wired(),
    "optics-power-low": optics(-1.15, float("-inf"), float("-inf"), float("-inf")),
    "peer-sends-pause": wired(),
    "rx-crc-errors": wired(),
    "rx-crc-errors few": damaged(frames=9),
    "virtual-nic-speed-label": labelled(450e6),
}
_NEAR_MODE = {"near collected Link", "near collected LinkMode"}
_SLOWER = {f"far collected {kind}" for kind in ("DriverInfo", "Link", "LinkMode", "PauseSettings")}
_SLOWER |= {"near collected LinkMode"}
_DAMAGE = {"far collected DriverInfo", "far collected Link"}
_DAMAGE |= {f"far window {kind}" for kind in ("Carrier", "LinkCounters", "NicCounters")}
FOUNDED_ON: dict[str, set[str]] = {
    "advertise-mask-limited": _NEAR_MODE,
    "duplex-mismatch": _NEAR_MODE,
    "eee": {"near collected EnergyEfficiency", "near collected Link"},
    "eee active": {"near collected EnergyEfficiency", "near collected Link", "near window Carrier"},
    "fec-mismatch": {"far collected FecMode", "far collected Link"},
    "flow-control-off": {"far collected Link", "far collected PauseSettings"},
    "flow-control-off equal": _SLOWER,
    "flow-control-off no drops": _SLOWER
    | {"near collected HostIdentity", "far collected HostIdentity"}
    | {f"far window {kind}" for kind in ("CpuTimes", "LinkCounters", "NicCounters")},
    "host-sends-pause": {"the speed", "far window NicCounters"}
    | {f"far collected {kind}" for kind in ("DriverInfo", "Link", "PauseSettings")},
    "link-flapping": {"near collected Link", "near window Carrier"},
    "link-speed-downshift": _NEAR_MODE,
    "nic-driver-bug": {"near collected DriverInfo", "near collected Link"},
    "nic-tx-hang": {"near collected KernelLog", "near collected Link"},
    "optics-power-low": {"near collected Link", "near collected OpticalModule"},
    "peer-sends-pause": {"the speed", "near window NicCounters"}
    | {f"near collected {kind}" for kind in ("DriverInfo", "Link", "PauseSettings")},
    "rx-crc-errors": _DAMAGE,
    "rx-crc-errors few": _DAMAGE,
    "virtual-nic-speed-label": _NEAR_MODE | {"near collected DriverInfo"},
}
UNTESTED: set[str] = {
    *("advertise-mask-limited", "duplex-mismatch", "eee", "flow-control-off", "flow-control-off equal"),
    *("link-speed-downshift", "nic-driver-bug", "nic-tx-hang", "optics-power-low"),
}
