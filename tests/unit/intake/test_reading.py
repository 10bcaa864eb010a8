"""Everything that was named, in one recording."""

import io
from pathlib import Path

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import settings
from hypothesis import strategies as st

from fullrate.intake import given, said
from fullrate.records.ends import End
from fullrate.records.errors import UsageError
from fullrate.records.part import Said
from fullrate.records.recording import Recording
from unit.intake.build import INTERRUPTS, SETTINGS, STATS


def read(*named: Said, stdin: bytes = b"") -> Recording:
    """The recording of what is named."""
    return given(named, io.BytesIO(stdin), run_id="X", started_at="now")


def readers(recording: Recording) -> list[tuple[str, str | None]]:
    """Each piece's name and reader."""
    assert recording.given is not None
    return [(one.name, one.reader) for one in recording.given.readings]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two outputs of a host."""
    place = tmp_path / "nas"
    place.mkdir()
    (place / "ethtool_eth0.txt").write_text(SETTINGS)
    (place / "proc_interrupts.txt").write_text(INTERRUPTS)
    return place


def test_a_folder(folder: Path) -> None:
    """Every file of it."""
    assert [("ethtool_eth0.txt", "ethtool_link"), ("proc_interrupts.txt", "interrupts")] == readers(
        read(Said(path=str(folder)))
    )


def test_the_standard_input() -> None:
    """A dash is what is piped in."""
    assert [("stdin", "ethtool_statistics")] == readers(read(Said(path="-"), stdin=STATS.encode()))


def test_several_paths_are_told_apart(folder: Path) -> None:
    """A folder's name stands before the names in it."""
    found = readers(read(Said(path=str(folder)), Said(path="-"), stdin=STATS.encode()))
    assert ["nas/ethtool_eth0.txt", "nas/proc_interrupts.txt", "stdin"] == [name for name, _ in found]


def test_what_the_user_says_of_a_path(folder: Path) -> None:
    """All in it is of that end."""
    assert [End.FAR] == list(read(Said(path=str(folder), end=End.FAR)).ends)


@settings(max_examples=30, deadline=None)
@hypothesis_given(st.text(alphabet="#$> `\n:=\t[]0123abehtliINS-_.", min_size=1, max_size=300).filter(str.strip))
def test_any_text_makes_a_recording(text: str) -> None:
    """Whatever is pasted is accounted for; nothing of it is an error."""
    assert read(Said(path="-"), stdin=f"x\n{text}".encode()).given is not None


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    """An empty folder, or only pictures, cannot be diagnosed."""
    with pytest.raises(UsageError, match=r"nothing to read in .*: there is no file in it"):
        read(Said(path=str(tmp_path)))
    with pytest.raises(
        UsageError, match="nothing to read in -: stdin: no text; name a bundle of check -o, a sosreport, or what "
    ):
        read(Said(path="-"), stdin=b"\0")


def test_options_to_what_is_said() -> None:
    """Each path with its end or moment."""
    found = said([Path("a")], near=[Path("b")], far=[Path("c")], before=[Path("d")], after=[Path("e")])
    assert [
        ("a", None, None),
        ("b", End.NEAR, None),
        ("c", End.FAR, None),
        ("d", None, "before"),
        ("e", None, "after"),
    ] == [(one.path, one.end, one.moment) for one in found]


def test_nothing_named_is_an_error() -> None:
    """The sentence says what can be named."""
    with pytest.raises(UsageError, match=r"name a bundle of check -o, .*; - reads the standard input"):
        said([])
