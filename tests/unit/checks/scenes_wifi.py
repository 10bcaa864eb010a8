"""The scenes of the checks of Wi-Fi: a laptop's radio link, 802.11ac with two streams at 80 MHz."""

from dataclasses import replace
from typing import Any

from fullrate.records.facts.net import EchoProbe
from fullrate.records.facts.wifi import WifiChannel, WifiLink, WifiSetting
from fullrate.records.radio import Generation
from unit.checks.build import NEAR, Scene, healthy

LINK = "wlp2s0"
GOOD = WifiLink(
    subject=LINK,
    frequency=5180,
    width=80,
    signal=-48.0,
    tx_rate=866.7e6,
    rx_rate=780e6,
    generation=Generation.VHT,
    streams=2,
    power_save=False,
    sent=100_000,
    retries=3_000,
)
FREE = WifiChannel(subject=LINK, frequency=5180, active=100.0, busy=20.0, receiving=12.0, sending=5.0, noise=-92.0)


def wifi(rate: float = 566e6, **changed: Any) -> Scene:  # noqa: ANN401 - fields of the fact
    """A job whose near end is a radio, with something of its link changed."""
    scene = healthy(rate)
    over_air = scene.with_side(NEAR, replace(scene.near, interface=LINK))
    return over_air.having(NEAR, replace(GOOD, **changed), FREE)


def channel(**changed: Any) -> Scene:  # noqa: ANN401 - fields of the fact
    """The same with another use of its channel."""
    return wifi().having(NEAR, replace(FREE, **changed))


def asked_for(scene: Scene, width: int, *, mhz: int | None = None) -> Scene:
    """An access point that was to use a channel of some width."""
    return scene.having(NEAR, WifiSetting(subject="radio0", width=width, frequency=mhz))


def answering(scene: Scene, seconds: float) -> Scene:
    """The scene with a ping."""
    return scene.having(NEAR, EchoProbe(subject="10.0.0.2 56", size=56, sent=20, received=20, rtt=seconds))


def unread() -> Scene:
    """A link that is named like a radio, of which no tool told anything."""
    return wifi().lacking(NEAR, WifiLink, "facts").lacking(NEAR, WifiChannel, "facts")


PROBLEMS: dict[str, Scene] = {
    "link-filled-wifi": wifi(566e6),
    "wifi-airtime-overhead": channel(busy=70.0, receiving=60.0),
    "wifi-coexistence": channel(busy=60.0),
    "wifi-narrow-channel": wifi(width=40, tx_rate=400e6),
    "wifi-power-save": answering(wifi(power_save=True), 0.085),
    "wifi-signal-low": wifi(signal=-79.0, tx_rate=130e6),
}
CLEARS: dict[str, Scene] = {
    "link-filled-wifi": wifi(200e6),
    "wifi-airtime-overhead": channel(),
    "wifi-coexistence": channel(),
    "wifi-narrow-channel": wifi(),
    "wifi-power-save": wifi(),
    "wifi-signal-low": wifi(),
}
RADIO, AIR = {"near collected WifiLink"}, {"near collected WifiChannel"}
FOUNDED_ON: dict[str, set[str]] = {
    "link-filled-wifi": RADIO,
    "wifi-airtime-overhead": AIR,
    "wifi-coexistence": AIR,
    "wifi-narrow-channel": RADIO,
    "wifi-power-save": RADIO,
    "wifi-signal-low": RADIO,
}
UNTESTED = set(FOUNDED_ON) - {"link-filled-wifi"}
