"""A network namespace of this machine, as a host of its own."""

import os
import sys
from collections.abc import Sequence

import mitogen.core

from fullrate.host.remote import Mitogen, RemoteHost, agent_name
from fullrate.host.wire import printable
from fullrate.records.errors import TargetError


class NetnsHost(RemoteHost):
    """A namespace by its name under /run/netns, or by its path.

    Its agent runs on `cpus`; the programs it launches run there too, and in the cgroups whose `cgroup.procs`
    files are given.
    """

    def __init__(self, name: str, *, cpus: Sequence[int] = (), cgroups: Sequence[str] = ()) -> None:
        """Open it. Raises TargetError without root, and when there is no such namespace."""
        shown = printable(name)
        if os.geteuid() != 0:
            raise TargetError(f"entering the network namespace {shown} needs root: run it with sudo")
        path = name if "/" in name else f"/run/netns/{name}"
        if not os.path.exists(path):  # noqa: PTH110 - as the agent will open it
            raise TargetError(f"there is no network namespace {shown}: `ip netns list` shows those there are")
        super().__init__(f"netns:{name}", _connect, namespace=path, cpus=cpus, cgroups=cgroups)


def _connect(router: Mitogen) -> Mitogen:
    try:
        return router.local(python_path=sys.executable, remote_name=agent_name())
    except mitogen.core.StreamError as error:
        raise TargetError(f"cannot start a second Python here: {printable(str(error))}") from error
