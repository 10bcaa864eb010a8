"""What the shell may offer for a word that is being typed."""

import rich_click as click


def targets(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """The forms of a TARGET that can be listed: a server, the lab, the network namespaces of this machine."""
    from fullrate.host.local import LocalHost
    from fullrate.lab.topology import LINKS
    from fullrate.records.evidence import ListGlob

    (reply,) = LocalHost().ask([ListGlob(pattern="/run/netns/*")])
    names = [line.rpartition("/")[2] for line in reply.payload.decode(errors="ignore").splitlines()]
    return _beginning(
        begun, ["iperf3://", "lab:", *(f"lab:{link.name}" for link in LINKS), *(f"netns:{name}" for name in names)]
    )


def causes(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """The causes' slugs."""
    from fullrate.records.causes import CAUSES

    return _beginning(begun, list(CAUSES))


def faults(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """The faults of the practice network; of the hardware lab once --guest was said."""
    from fullrate.lab import faults as known
    from fullrate.lab.guest import guest_faults

    found = guest_faults() if context.params.get("guest") else known()
    return _beginning(begun, [fault.id for fault in found])


def _beginning(begun: str, words: list[str]) -> list[str]:
    return [word for word in words if word.startswith(begun)]
