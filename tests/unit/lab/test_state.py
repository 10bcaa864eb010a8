"""The state file."""

import pytest

from fake_lab import STATE, FakeLab
from fullrate.lab.cgroups import Cgroups
from fullrate.lab.readings import Reading
from fullrate.lab.state import LabProcess, LabState, Phase, decode, encode, forget, load_state, save, tidy
from fullrate.records.errors import FormatError, TargetError
from fullrate.records.evidence import Reply, Status

FULL = LabState(
    phase=Phase.BROKEN,
    link="cpu",
    faults=("cpu-quota",),
    cpus=(3, 4),
    cgroups=Cgroups(version=2, enabled=True),
    processes=(LabProcess(pid=7, started=99, what="iperf3"),),
    readings=(Reading(key="run ip rule", text="0: from all\n"),),
)


@pytest.mark.parametrize("state", [FULL, LabState(phase=Phase.BUILDING)])
def test_round_trip(state: LabState) -> None:
    """What is written is read back."""
    assert state == decode(encode(state).encode())


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"phase": "odd"}', encode(FULL)[:40].encode()])
def test_not_a_state(text: bytes) -> None:
    """Other text is refused, with the way out."""
    with pytest.raises(FormatError, match="fullrate lab down"):
        decode(text)


def test_a_new_lab_tests_the_wire() -> None:
    """The wire is tested until a fault says otherwise."""
    assert "wire" == LabState(phase=Phase.READY).link


def test_no_state() -> None:
    """Without a file there is no lab."""
    assert load_state(FakeLab().host()) is None


def test_save_then_load() -> None:
    """A saved state is loaded."""
    lab = FakeLab()
    save(lab.host(), FULL)
    assert FULL == load_state(lab.host())


def test_save_is_whole_or_not_at_all() -> None:
    """The file is synced beside before it takes the old one's place."""
    lab = FakeLab()
    save(lab.host(), FULL)
    assert ["dd of=/run/fullrate/lab.json.new conv=fsync status=none", f"mv -T {STATE}.new {STATE}"] == lab.lines()[1:]


def test_forget() -> None:
    """Afterwards neither file nor folder is there."""
    lab = FakeLab()
    save(lab.host(), FULL)
    forget(lab.host())
    assert lab.empty


def test_forget_keeps_a_shared_folder() -> None:
    """A folder that holds other things stays, and that is no error."""
    lab = FakeLab(fails="rmdir")
    save(lab.host(), FULL)
    forget(lab.host())
    assert ({"/run/fullrate"}, {}) == (lab.folders, lab.files)


def test_unreadable() -> None:
    """A file that may not be read is no missing lab."""
    host = FakeLab().host()
    host._answer = lambda request: Reply(request=request, status=Status.DENIED, error="EACCES")
    with pytest.raises(TargetError, match="EACCES; run it with sudo"):
        load_state(host)


def test_tidy() -> None:
    """A file that never got into place goes, and the folder with it."""
    lab = FakeLab(folders={"/run/fullrate"}, files={f"{STATE}.new": "{"})
    tidy(lab.host())
    assert lab.empty


def test_tidy_of_nothing() -> None:
    """Where nothing was left nothing is done."""
    lab = FakeLab()
    tidy(lab.host())
    assert [] == lab.done
