"""Settings that a listing shows and that cost a rate on many hosts; what they cost here only a test can tell."""

from collections.abc import Mapping

from fullrate.checks._common import UNTESTED, saw
from fullrate.checks._glance import again, latest, suspect
from fullrate.checks._small_buffers import DEFAULTS
from fullrate.records.facts.ethtool import Channels, DriverInfo, Features
from fullrate.records.facts.net import Sysctl
from fullrate.records.facts.processor import FrequencyControl, FrequencyPolicy
from fullrate.records.finding import Confidence, Finding
from fullrate.records.units import MEGABIT
from fullrate.records.view import View

_FACTOR = 2  # buffer bytes for each byte of window (ip-sysctl.rst, tcp_adv_win_scale)
_GIGABYTES = 1e9 / 8  # bytes a second of 1 Gbit/s
# These drivers choose the clock in hardware whatever the governor's name is (Documentation/admin-guide/pm/
# intel_pstate.rst and amd-pstate.rst)
_BY_HARDWARE = ("intel_pstate", "amd-pstate", "amd_pstate", "cppc_cpufreq")
_SLOW = {"powersave", "conservative"}
_ALLOWED = 0.9  # of the highest clock
_VIRTIO = "virtio_net"


def offloads(view: View, cause: str, words: Mapping[str, str]) -> Finding | None:
    """Offloads that the driver offers and that are off."""
    features = latest(view, Features)
    if features is None:
        return None
    fixed = {one.name for one in features.features if one.fixed}
    off = [name for name in words if features.on(name) is False and name not in fixed]
    if not off:
        return None
    seen = [saw(view.here.source_of(features), name, "off") for name in off]
    said = f"{', '.join(words[name] for name in off)} off on {features.subject}: {UNTESTED}"
    return suspect(view, cause, said, seen, asks=again(view, "mpstat -P ALL 1"))


def one_channel(view: View, cause: str, *, virtio: bool) -> Finding | None:
    """One queue in use of several that the driver allows."""
    channels, driver = latest(view, Channels), latest(view, DriverInfo)
    is_virtio = driver is not None and driver.driver == _VIRTIO
    if channels is None or is_virtio is not virtio:
        return None
    pairs = ((channels.combined, channels.combined_max), (channels.rx, channels.rx_max))
    now, most = next(((now, most) for now, most in pairs if now), (None, None))
    if now != 1 or not most or most == 1:
        return None
    seen = saw(view.here.source_of(channels), "queues of their maximum", f"1 of {most}")
    words = f"{channels.subject} uses one queue of {most}: {UNTESTED}"
    return suspect(view, cause, words, [seen], asks=again(view, "mpstat -P ALL 1"))


def buffers(view: View, cause: str) -> Finding | None:
    """A largest TCP buffer below what the kernel allows by itself where there is memory."""
    for key, usual in DEFAULTS.items():
        setting = view.here.want(Sysctl, key)
        if setting is None or len(setting.numbers) != len(("min", "default", "max")):
            continue
        most = setting.numbers[-1]
        if 0 < most < usual:
            reach = most / _FACTOR / _GIGABYTES
            words = (
                f"{key} allows {most:,} bytes, less than the kernel's usual {usual:,}: at 1 Gbit/s enough for an RTT of"
            )
            seen = saw(view.here.source_of(setting), key, setting.value)
            asks = again(view, "ss -tinm", "ping -c 5 PEER")
            return suspect(
                view, cause, f"{words} {reach * 1000:.0f} ms", [seen], subject=key, confidence=Confidence.LOW, asks=asks
            )
    return None


def clock(view: View, cause: str) -> Finding | None:
    """A governor that holds the clock down, or an upper bound below what the hardware can do."""
    control = view.here.want(FrequencyControl)
    held = next((one for one in control.policies if _held(one)), None) if control else None
    if control is None or held is None:
        return None
    highest = f"{(held.highest or 0) / MEGABIT:.0f} of {(held.hardware_highest or 0) / MEGABIT:.0f} MHz"
    seen = [
        saw(view.here.source_of(control), f"{held.name} governor", held.governor),
        *([saw(view.here.source_of(control), f"{held.name} highest allowed", highest)] if held.highest else []),
    ]
    words = f"the power policy ({held.governor}) may hold the CPUs below their highest clock: {UNTESTED}"
    asks = again(view, "grep MHz /proc/cpuinfo")
    return suspect(view, cause, words, seen, subject=held.name, confidence=Confidence.LOW, asks=asks)


def _held(policy: FrequencyPolicy) -> bool:
    bound = policy.highest and policy.hardware_highest and policy.highest < _ALLOWED * policy.hardware_highest
    slow = policy.governor in _SLOW and not (policy.driver or "").startswith(_BY_HARDWARE)
    return bool(bound) or slow
