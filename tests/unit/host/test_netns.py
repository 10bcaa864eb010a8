"""What a namespace that cannot be entered is called; entering one is tested in the lab."""

import pytest

from fullrate.host.netns import NetnsHost
from fullrate.records.errors import TargetError


def test_needs_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without root it says so, before anything is started."""
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(TargetError, match="the network namespace blue needs root"):
        NetnsHost("blue")


def test_no_such_namespace(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown name says how to see the known ones, and is shown without control characters."""
    monkeypatch.setattr("os.geteuid", lambda: 0)
    with pytest.raises(TargetError, match=r"no network namespace no \?such: `ip netns list`"):
        NetnsHost("no \x1bsuch")
