"""The tunnel that a test runs through: by which link it is known, and which program copies its packets."""

from fullrate.checks._common import link_of
from fullrate.checks._cores import Core
from fullrate.checks._work import Work, strangers
from fullrate.records.facts.link import Link
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

_COPIES = 0.5  # of a CPU, by a tunnel's program: most of a full one, as whole seconds show it
_CRYPTO = {"wireguard", "xfrm", "vti", "vti6"}


def crypto_link(end: EndView) -> Link | None:
    """The encrypting tunnel that the link under test is, or lies on. Raises Missing."""
    link = end.need(Link, link_of(end))
    below = None if link.lower is None else end.want(Link, link.lower)
    return next((one for one in (link, below) if one is not None and one.kind in _CRYPTO), None)


def user_tunnel(end: EndView) -> Link | None:
    """The link under test when its packets go through a program (tun, tap). Raises Missing."""
    link = end.need(Link, link_of(end))
    return link if link.kind == "tun" else None


def tunnel_program(view: View, trial: Trial, end: EndView, core: Core) -> Work | None:
    """The thread that copies a tun link's packets on a full CPU. Raises Missing."""
    if user_tunnel(end) is None:
        return None
    return next((work for work in strangers(view, trial, end, core.cpu) if work.share >= _COPIES), None)
