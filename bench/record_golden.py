"""Records the bundles of tests/golden/bundles anew, each with its text: `bench/record_golden.py` (root, a minute).

    python bench/record_golden.py [NAME...]

It makes the practice network, breaks it by one fault after the other, checks it, and takes it away again.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src"))

from fullrate import bundle, lab, workflow  # noqa: E402 - the checkout's own package
from fullrate.host.local import LocalHost  # noqa: E402 - the same
from fullrate.report import render  # noqa: E402 - the same

FOLDER = ROOT / "tests" / "golden" / "bundles"
HEALTHY = "healthy"
NAMES = (HEALTHY, "tc-shaper", "cpu-quota", "netfilter-drop", "tcp-buffers-too-small")
LARGEST = 400_000  # bytes of a bundle that stands in the repository


def record(host: LocalHost, name: str) -> None:
    """Check the lab with one fault in it, or with none, and keep bundle and text."""
    if name != HEALTHY:
        lab.break_(host, name)
    try:
        path = FOLDER / f"{name}{bundle.SUFFIX}"
        run = workflow.check("lab:", output=path)
    finally:
        lab.heal(host)
    path.with_suffix(".txt").write_text(render(run))
    size = path.stat().st_size
    print(f"{name}: {run.verdict.state}, {run.verdict.cause or 'no cause'}, {size} bytes")
    if size > LARGEST:
        raise SystemExit(f"{path} is too large for the repository: over {LARGEST} bytes")


def main(names: list[str]) -> None:
    """Record the named bundles, or all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    host = LocalHost()
    try:
        lab.up(host)
        for name in names or NAMES:
            record(host, name)
    finally:
        lab.down(host)
        host.close()


if __name__ == "__main__":
    main(sys.argv[1:])
