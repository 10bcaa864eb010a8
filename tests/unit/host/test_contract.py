"""The shared contract, for the kinds of host that need no root."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import fullrate_agent
from contract.host_contract import BOOT_ID, NOWHERE, HostContract, LiveHostContract
from fullrate.host import FakeHost, Host, LocalHost, RecordedHost, RecordingHost
from fullrate.records.evidence import Reply, Request, Status

KNOWN = {
    BOOT_ID.key: Reply(request=BOOT_ID, status=Status.OK, payload=b"6f1ed002-ab35-43f7-9c7d-5e1a6b90d0c4\n"),
    NOWHERE.key: Reply(request=NOWHERE, status=Status.ABSENT),
}


def _answer(request: Request) -> Reply:
    return KNOWN[request.key]


class TestFake(HostContract):
    """The fake of the tests."""

    @pytest.fixture
    def host(self) -> Host:
        """A fake that knows what the contract asks."""
        return FakeHost(_answer)


class TestRecorded(HostContract):
    """A recording."""

    @pytest.fixture
    def host(self) -> Host:
        """A recording of what the contract asks."""
        return RecordedHost(KNOWN)


class TestLocal(LiveHostContract):
    """This machine."""

    @pytest.fixture
    def host(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
        """The agent in this process; it puts the guard program into a folder of ours."""
        monkeypatch.setattr(fullrate_agent, "_GUARD_PLACES", (str(tmp_path),))
        host = LocalHost()
        yield host
        host.close()


class TestRecording(HostContract):
    """A host that is recorded."""

    @pytest.fixture
    def host(self) -> Iterator[Host]:
        """A recorder around this machine."""
        host = RecordingHost(LocalHost())
        yield host
        host.close()
