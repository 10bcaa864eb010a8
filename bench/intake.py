"""How much time and memory a large paste, a large sosreport and hostile texts take, beside what they may take.

    .venv/bin/python -m bench.intake [CASE...]        with PYTHONPATH=src

Each case runs the command line as a user does. Prints seconds of CPU time, the process's largest memory, the bars and
what it answered; ends with 1 when a bar is broken.
"""

import io
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "tests" / "fixtures"
MEGABYTE = 10**6
TEXT = 7_900_000  # characters: as much as one text may have
WITHIN = 60  # seconds of CPU time, then a case is stopped
KILOBYTES = 1024  # in a megabyte
MEMORY = 500  # megabytes, of every case
SHOWN = 60  # characters of an answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What is given, and the seconds of CPU time it may take."""

    name: str
    make: Callable[[Path], Path]
    bar: float


def paste(unit: bytes, size: int = TEXT) -> Callable[[Path], Path]:
    """A text of one thing again and again."""

    def make(folder: Path) -> Path:
        place = folder / "paste.txt"
        with place.open("wb") as file:
            for _ in range(size // (MEGABYTE * len(unit)) + 1):
                file.write(unit * MEGABYTE if len(unit) == 1 else unit * min(MEGABYTE, size // len(unit)))
        os.truncate(place, size)
        return place

    return make


def sosreport(folder: Path) -> Path:
    """An archive of 2,000 files as sos names them: 40 links with all that ethtool tells, and what nobody reads."""
    place = folder / "sosreport-nas.tar.xz"
    told = sorted((FIXTURES / "debian12" / "igb").glob("ethtool_?.txt"))
    files = {
        **{
            f"proc/{name}": (FIXTURES / "debian12" / "machine" / f"proc_{name}.txt").read_bytes()
            for name in ("stat", "interrupts")
        },
        **{
            f"sos_commands/networking/{file.stem.replace('_', '_-')}_eth{n}": file.read_bytes()
            for n in range(40)
            for file in told
        },
    }
    others = {
        f"sos_commands/process/lsof_{number}": b"a line that nobody reads\n" * 400
        for number in range(2000 - len(files))
    }
    with tarfile.open(place, "w:xz", preset=1) as archive:
        for name, data in {**files, **others}.items():
            head = tarfile.TarInfo(f"sosreport-nas/{name}")
            head.size = len(data)
            archive.addfile(head, io.BytesIO(data))
    return place


CASES = (
    Case(name="200 MB paste", make=paste(b"eth0: link is not ready, no carrier\n", 200 * MEGABYTE), bar=5.0),
    Case(name="2,000-member sosreport", make=sosreport, bar=5.0),
    Case(name="8 MB of one line", make=paste(b"a"), bar=20.0),
    Case(name="8 MB of blanks", make=paste(b" "), bar=20.0),
    Case(name="8 MB of ends", make=paste(b"x\n\n\n\n\n\n\n\n"), bar=20.0),
    Case(name="8 MB of prompts", make=paste(b"# ls\n"), bar=20.0),
    Case(name="8 MB of prompt signs", make=paste(b"# \n"), bar=20.0),
    Case(name="8 MB of commands", make=paste(b"$ ethtool -S eth0\n"), bar=20.0),
    Case(
        name="8 MB of ethtool -S", make=paste((FIXTURES / "debian12" / "igb" / "ethtool_S.txt").read_bytes()), bar=20.0
    ),
    Case(name="8 MB of rules", make=paste(b"_" * 390 + b"!\n"), bar=20.0),
    Case(
        name="8 MB of iperf3",
        make=paste(b"[  5]   0.00-1.00   sec  112 MBytes   941 Mbits/sec    0    400 KBytes\n"),
        bar=20.0,
    ),
    Case(name="8 MB of kernel log", make=paste(b"[    1.000000] e1000e: eth0 NIC Link is Down\n"), bar=20.0),
    Case(name="8 MB of JSON", make=paste(b'{"a":['), bar=20.0),
)


def run(case: Case) -> bool:
    """Whether a case keeps its bars; prints its row."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        argv = ["prlimit", f"--cpu={WITHIN}", sys.executable, "-P", "-m", "fullrate", "diagnose", str(case.make(place))]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "XDG_STATE_HOME": folder}
        with (place / "said").open("wb") as said:
            started = subprocess.Popen(argv, env=environment, stdout=said, stderr=subprocess.STDOUT)
            _, status, used = os.wait4(started.pid, 0)
        took, memory, text = used.ru_utime + used.ru_stime, used.ru_maxrss / KILOBYTES, (place / "said").read_text()
    kept = took <= case.bar and memory <= MEMORY and not os.WIFSIGNALED(status) and "Traceback" not in text
    row = f"{case.name:<24} {took:6.2f} s {case.bar:5g} s {memory:5.0f} MB {MEMORY:5} MB"
    print(f"{row}  {text.strip()[:SHOWN]!r}{'' if kept else '  BROKEN'}", flush=True)
    return kept


def main() -> None:
    """Run every case, or those whose names hold a word that is given."""
    print("given                        took     bar    memory      bar  answer")
    wanted = [case for case in CASES if not sys.argv[1:] or any(word in case.name for word in sys.argv[1:])]
    sys.exit(False in [run(case) for case in wanted])


if __name__ == "__main__":
    main()
