"""TCP's largest buffers against what a link needs even on the shortest paths, where nothing was tested."""

from fullrate.checks._common import UNTESTED, clear, link_of, problem, saw
from fullrate.checks._modes import gigabits
from fullrate.records.facts.net import Sysctl
from fullrate.records.finding import Confidence, Evidence, Finding
from fullrate.records.units import BITS_PER_BYTE, Bytes, Seconds
from fullrate.records.view import Missing, View

_CAUSE = "tcp-buffers-too-small"
_SHORT: Seconds = 1e-3  # of RTT, a local network's under load: no path over a switch can do with less
_FACTOR = 2  # buffer bytes for each byte of window (ip-sysctl.rst, tcp_adv_win_scale)
# What the kernel itself allows where memory permits (net/ipv4/tcp.c, tcp_init): never called small.
DEFAULTS: dict[str, Bytes] = {"net.ipv4.tcp_rmem": 6 << 20, "net.ipv4.tcp_wmem": 4 << 20}


def untested(view: View) -> Finding:
    """Whether a buffer limit is too small for the link's speed at any RTT there is. Raises Missing."""
    if view.speed is None:
        raise Missing(f"the speed of {link_of(view.here)}")
    found = [_largest(view, key) for key in DEFAULTS]
    evidence = [saw(view.here.source_of(setting), setting.subject, setting.value) for setting, _ in found]
    need = round(view.speed * _SHORT / BITS_PER_BYTE) * _FACTOR
    evidence.append(saw("arithmetic", "bytes needed at an RTT of 1 ms: 2 x speed x RTT / 8", need))
    for setting, most in found:
        if most < min(need, DEFAULTS[setting.subject]):
            return _small(view, setting, most, need, evidence)
    return clear(_CAUSE, "TCP's buffers may grow as a local network needs", evidence, end=view.here.end)


def _largest(view: View, key: str) -> tuple[Sysctl, Bytes]:
    setting = view.here.need(Sysctl, key)
    if len(setting.numbers) != len(("min", "default", "max")):
        raise view.here.missing(Sysctl, key)
    return setting, setting.numbers[2]


def _small(view: View, setting: Sysctl, most: Bytes, need: Bytes, evidence: list[Evidence]) -> Finding:
    key, speed = setting.subject, gigabits(view.speed or 0.0)
    return problem(
        _CAUSE,
        f"{key} allows {most:,} bytes; {speed} at an RTT of 1 ms need {need:,}: {UNTESTED}",
        evidence,
        end=view.here.end,
        subject=key,
        confidence=Confidence.MEDIUM,
    )
