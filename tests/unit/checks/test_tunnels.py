"""The tunnel that a test runs through."""

from fullrate.checks._cores import Core, core
from fullrate.checks._tunnels import crypto_link, tunnel_program, user_tunnel
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View
from unit.checks.build import Scene
from unit.checks.cpu_pairs import ordinary, tunnel
from unit.checks.scenes_cpu import copied


def sending(scene: Scene) -> tuple[View, Trial, EndView, Core]:
    """The same of the sender."""
    view = scene.view()
    return view, view.trial(), view.sender, core(view, view.trial(), view.sender)


def test_kinds_of_tunnels() -> None:
    """One encrypts in the kernel, one in a program."""
    views = [tunnel(ordinary(), kind).view() for kind in ("wireguard", "tun", "vxlan")]
    assert [(True, False), (False, True), (False, False)] == [
        (crypto_link(view.sender) is not None, user_tunnel(view.sender) is not None) for view in views
    ]


def test_program_of_a_tunnel() -> None:
    """Only of a tun link."""
    found = [tunnel_program(*sending(scene)) for scene in (copied(), tunnel(copied(), "vxlan"))]
    assert ["openvpn", None] == [getattr(one, "name", None) for one in found]
