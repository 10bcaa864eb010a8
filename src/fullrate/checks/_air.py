"""How the air of a radio's channel was used, as `iw survey dump` counts it."""

from dataclasses import dataclass

from fullrate.checks._common import saw
from fullrate.checks._radio import ask
from fullrate.records.facts.wifi import WifiChannel
from fullrate.records.finding import Evidence
from fullrate.records.view import EndView, Missing

ENOUGH = 1.0  # s that the radio listened: less is a scan's visit


@dataclass(frozen=True, slots=True, kw_only=True)
class Air:
    """Shares of the time that the radio listened; `foreign`: energy that was no frame of Wi-Fi."""

    busy: float
    frames: float | None
    foreign: float | None
    evidence: tuple[Evidence, ...]


def air(end: EndView, link: str) -> Air:
    """The use of the channel in use. Raises Missing with the command that shows it."""
    found = next((one for one in reversed(end.all(WifiChannel)) if one.subject in {link, ""}), None)
    if found is None or found.active < ENOUGH:
        raise Missing(f"the use of the channel of {link}", [ask(end, link, "survey", "dump")])
    own = (found.sending or 0.0) / found.active
    frames = None if found.receiving is None else found.receiving / found.active
    busy = found.busy / found.active
    source = end.source_of(found)
    rows = [saw(source, "busy of active", f"{busy:.0%}")]
    if frames is not None:
        rows.append(saw(source, "receive and transmit of active", f"{frames:.0%}, {own:.0%}"))
    return Air(
        busy=busy,
        frames=frames,
        foreign=None if frames is None else max(0.0, busy - frames - own),
        evidence=tuple(rows),
    )
