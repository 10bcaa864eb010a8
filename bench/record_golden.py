"""Records the bundles of tests/golden/bundles, each with its text.

python bench/record_golden.py [NAME...]           new runs (root, a minute): makes the practice network, breaks it
                                                  by one fault after the other, checks it, takes it away again
python bench/record_golden.py --replay [NAME...]  new documents and texts of the runs that are there
"""

import re
import sys
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src"))

from fullrate import bundle, lab, workflow  # noqa: E402 - the checkout's own package
from fullrate.host.local import LocalHost  # noqa: E402 - the same
from fullrate.records.recording import Moment, Recording  # noqa: E402 - the same
from fullrate.records.run import Run  # noqa: E402 - the same
from fullrate.replaying import replay  # noqa: E402 - the same
from fullrate.report import render  # noqa: E402 - the same

FOLDER = ROOT / "tests" / "golden" / "bundles"
HEALTHY = "healthy"
NAMES = (HEALTHY, "tc-shaper", "cpu-quota", "netfilter-drop", "tcp-buffers-too-small")
REDACTIONS = (
    (rb"rdinit=[^\n]*", b"quiet"),
    (rb"(?m)^.* Run /.* as init process$\n?", b""),
    (rb"(?m)^\S+ {4,}\S.*$\n?", b""),  # the init program's arguments, as the kernel logs them
    (rb"process_api", b"init"),
)
LARGEST = 400_000  # bytes of a bundle that stands in the repository


def record(names: list[str]) -> None:
    """Check the practice network with each fault in it, or with none, and keep bundle and text."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    host = LocalHost()
    try:
        lab.up(host)
        for name in names:
            _record(host, name)
    finally:
        lab.down(host)
        host.close()


def _record(host: LocalHost, name: str) -> None:
    if name != HEALTHY:
        lab.break_(host, name)
    try:
        workflow.check("lab:", output=_place(name))
    finally:
        lab.heal(host)
    renew([name])


def redacted(recording: Recording) -> Recording:
    """The recording without what would name the machine it was made on: boot parameters and its init program."""
    ends = {end: replace(one, moments=_moments(one.moments)) for end, one in recording.ends.items()}
    trials = tuple(replace(trial, moments=_moments(trial.moments)) for trial in recording.trials)
    return replace(recording, ends=ends, trials=trials)


def _moments(moments: tuple[Moment, ...]) -> tuple[Moment, ...]:
    return tuple(
        replace(
            moment,
            replies=tuple(replace(reply, payload=_redacted(reply.payload)) for reply in moment.replies),
        )
        for moment in moments
    )


def _redacted(payload: bytes) -> bytes:
    for pattern, instead in REDACTIONS:
        payload = re.sub(pattern, instead, payload)
    return payload


def renew(names: list[str]) -> None:
    """Diagnose the kept recordings anew, and keep the documents and texts that come of it."""
    for name in names:
        recording, _ = bundle.read_bundle(_place(name))
        recording = redacted(recording)
        run = replay(recording)
        bundle.write_bundle(_place(name), recording, run)
        _place(name).chmod(0o644)
        _tell(name, run)


def _tell(name: str, run: Run) -> None:
    """Keep the text; say what was found. Raises SystemExit when the bundle is too large."""
    path = _place(name)
    path.with_suffix(".txt").write_text(render(run))
    size = path.stat().st_size
    print(f"{name}: {run.verdict.state}, {run.verdict.cause or 'no cause'}, {size} bytes")
    if size > LARGEST:
        raise SystemExit(f"{path} is too large for the repository: over {LARGEST} bytes")


def _place(name: str) -> Path:
    return FOLDER / f"{name}{bundle.SUFFIX}"


if __name__ == "__main__":
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")] or list(NAMES)
    (renew if "--replay" in sys.argv else record)(wanted)
