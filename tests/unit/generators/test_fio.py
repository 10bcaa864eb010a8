"""fio: one host's disk, written and read back; nothing is sent."""

from dataclasses import replace

import pytest

from fullrate.generators.fio import GENERATOR
from fullrate.records.ends import Direction, End
from fullrate.records.facts.net import ProgramVersion
from fullrate.records.leaf import Endpoint
from fullrate.records.recording import ProgramOutput
from fullrate.records.trial import EngineFailure, TrialKind, TrialSpec
from iperf3_recorded import FIXTURES, FORWARD

DISK = TrialSpec(kind=TrialKind.DISK, direction=Direction.NEAR_TO_FAR, within=End.FAR, path="/srv/data", max_seconds=6)
VERSION = ProgramVersion(subject="fio", version="3.33")
NOWHERE = Endpoint(server_address="127.0.0.1", client_address="127.0.0.1", port=5201)
PRINTED = (FIXTURES.parent / "fio/3.33_write_then_read.json").read_bytes()


def output(stdout: bytes = b"", stderr: bytes = b"", code: int = 0) -> tuple[ProgramOutput, ...]:
    """What the one process printed."""
    return (ProgramOutput(role="client", end=End.FAR, argv=("fio",), stdout=stdout, stderr=stderr, exit_code=code),)


@pytest.mark.parametrize(("spec", "way"), [(DISK, "write"), (replace(DISK, direction=Direction.FAR_TO_NEAR), "read")])
def test_command_line(spec: TrialSpec, way: str) -> None:
    """One job on a file of our own name in that folder, past the page cache; it removes the file, when stopped too."""
    line = " ".join(GENERATOR.client(spec, NOWHERE, VERSION).argv)
    assert f"--name={way} --rw={way} --directory=/srv/data --filename=fullrate-disk-test.tmp --size=1G" in line
    assert {"--direct=1", "--runtime=6", "--unlink=1"} <= set(line.split())
    assert 1 == line.count("--name=")


def test_a_recorded_document() -> None:
    """Each job's own way, in bits: a document of both."""
    found = GENERATOR.read(DISK, output(PRINTED))
    assert (None, "3.33") == (found.failure, found.client_version)
    assert (found.disk_write or 0) > 1e8 < (found.disk_read or 0)
    assert found.disk_write != found.disk_read


def test_words_before_the_document_are_no_fault() -> None:
    """Fio notes what it makes of an option."""
    assert GENERATOR.read(DISK, output(b"note: both iodepth >= 1\n" + PRINTED)).failure is None


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        (
            output(b"fio: x\n", b"fio: /srv/data is not a directory\nfio: failed parsing directory=/srv/data\n", 1),
            "failed parsing",
        ),
        (
            output(PRINTED.replace(b'"error" : 0', b'"error" : 28'), b"fio: No space left on device\n", 1),
            "No space left",
        ),
        (output(PRINTED[:200]), "fio gave no result"),
        (output(), "fio gave no result"),
        ((), "fio gave no result"),
    ],
    ids=["no folder", "no room", "cut", "nothing", "not run"],
)
def test_a_failure_says_why(printed: tuple[ProgramOutput, ...], said: str) -> None:
    """In fio's own words."""
    found = GENERATOR.read(DISK, printed)
    assert EngineFailure.OTHER is found.failure
    assert said in found.message


def test_refusals() -> None:
    """What is no disk's test, and where there is no fio."""
    assert () == GENERATOR.refuses(DISK, VERSION, VERSION)
    assert "fio tests disks only, not bulk" in GENERATOR.refuses(FORWARD, VERSION, VERSION)
    assert "fio is not installed on the far end: without it the disk cannot be tested" in GENERATOR.refuses(
        DISK, None, None
    )
