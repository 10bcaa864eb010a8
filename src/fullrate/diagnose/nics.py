"""The NICs behind a stacked link: the settings of a VLAN's parent or a bond's members hold for the test too."""

from dataclasses import replace

from fullrate.records.facts.link import Link, LinkCounters, wires_below
from fullrate.records.snapshot import increase
from fullrate.records.view import EndView, View


def on_nics(view: View) -> View:
    """The view with the physical link of each end that carries most of this direction's packets as its link."""
    return replace(view, ends={end: _nic(view, one) for end, one in view.ends.items()})


def wires_of(end: EndView, name: str) -> tuple[str, ...]:
    """The physical links that a link runs on; the link itself where there are none."""
    return wires_below(end.all(Link), name) or (name,)


def _nic(view: View, end: EndView) -> EndView:
    if not end.interface:
        return end
    return replace(end, interface=max(wires_of(end, end.interface), key=lambda wire: _carried(view, end, wire)))


def _carried(view: View, end: EndView, wire: str) -> int:
    """Bytes in the newest test of this direction; 0 when nothing was tested yet, or the counter was set back."""
    trial = view.want_trial()
    delta = None if trial is None else view.window(trial, end).want(LinkCounters, wire)
    if delta is None:
        return 0
    before, after = delta.before, delta.after
    sends = end.end is view.sender.end
    pair = (before.tx_bytes, after.tx_bytes) if sends else (before.rx_bytes, after.rx_bytes)
    return increase(*pair) or 0
