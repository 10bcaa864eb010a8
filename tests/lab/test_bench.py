"""The bench takes away what it made, also when it is ended in the middle of a run."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lab.far_end import wait_until

pytestmark = pytest.mark.lab

ROOT = Path(__file__).parents[2]
MOUNTS = Path("/proc/self/mounts")
WITHIN = 20.0  # seconds; it takes one or two


def group_of(pid: int) -> Path:
    """The control group of a bench."""
    (root, *_) = (line.split()[1] for line in MOUNTS.read_text().splitlines() if line.split()[2] == "cgroup2")
    return Path(root) / f"frt-bench-{pid}"


def runs(group: Path, name: str) -> bool:
    """Whether a program of that name runs in the group."""
    pids = (group / "cgroup.procs").read_text().split() if group.exists() else []
    files = (Path("/proc") / pid / "comm" for pid in pids)
    return name in [file.read_text().strip() for file in files if file.exists()]


def test_a_bench_that_is_ended_leaves_nothing() -> None:
    """SIGTERM while its traffic flows: no namespace, no program and no control group is left."""
    argv = [sys.executable, "-m", "bench.coverage", "--runs", "1", "--long", "60"]
    bench = subprocess.Popen(
        argv, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT / "src")}, stderr=subprocess.PIPE, text=True
    )
    group = group_of(bench.pid)
    try:
        wait_until(lambda: runs(group, "iperf3"), within=WITHIN)
    finally:
        bench.send_signal(signal.SIGTERM)
        _, complaint = bench.communicate(timeout=WITHIN)
    left = [path.name for path in Path("/run/netns").glob(f"frt-bench-{bench.pid}-*")]
    assert (128 + signal.SIGTERM, [], False, "") == (bench.returncode, left, group.exists(), complaint)
