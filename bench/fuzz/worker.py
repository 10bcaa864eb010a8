"""Fuzzes one group until its time is up or a law is broken; `bench/fuzz/run` starts it.

python bench/fuzz/worker.py GROUP CORPUS FINDINGS SECONDS
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests"), str(Path(__file__).parent)]

import atheris  # noqa: E402 - after the path is set

with atheris.instrument_imports(include=["fullrate", "tarfile", "zipfile"], enable_loader_override=False):
    from groups import GROUPS

    from fullrate import registry

    registry.sources(), registry.generators(), registry.checks(), registry.drivers()

LARGEST = 20_000  # bytes of an input
HANG = 10  # seconds that one input may take, which ends in milliseconds
MEMORY = 1_000  # megabytes of the whole process


def main() -> None:
    """Write the seeds, then fuzz; the process ends in here, with a status that is not 0 when a law is broken."""
    name, corpus, findings, seconds = sys.argv[1:]
    group = GROUPS[name]()
    seeds = Path(corpus, "seeds")
    seeds.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(group.seeds()):
        (seeds / f"{number:04}").write_bytes(seed[:LARGEST])
    grown = Path(corpus, "grown")
    grown.mkdir(exist_ok=True)
    Path(findings).mkdir(parents=True, exist_ok=True)
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={LARGEST}",
        f"-timeout={HANG}",
        f"-rss_limit_mb={MEMORY}",
        f"-artifact_prefix={findings}/{name}-",
        "-print_final_stats=1",
        "-use_value_profile=0",
    ]
    atheris.Setup([sys.argv[0], *options, str(grown), str(seeds)], lambda data: group.one(data) and None)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
