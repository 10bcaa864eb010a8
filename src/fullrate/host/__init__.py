"""The only package that touches a machine.

NetnsHost and SshHost are imported from their modules, where they are needed: they bring mitogen along.
"""

from fullrate.host.fake import FakeHost
from fullrate.host.local import LocalHost
from fullrate.host.protocol import (
    ClockOffset,
    Command,
    Host,
    HostId,
    Process,
    ProcessState,
    SamplePlan,
    Sampling,
    by_key,
)
from fullrate.host.recorded import RecordedHost
from fullrate.host.recording import RecordingHost

__all__ = [
    "ClockOffset",
    "Command",
    "FakeHost",
    "Host",
    "HostId",
    "LocalHost",
    "Process",
    "ProcessState",
    "RecordedHost",
    "RecordingHost",
    "SamplePlan",
    "Sampling",
    "by_key",
]
