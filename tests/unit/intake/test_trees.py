"""Small files that one source reads as a whole."""

from fullrate import registry
from fullrate.intake.trees import trees
from fullrate.records.part import Part
from unit.intake.build import part

CPUS = "/sys/class/net/eth0/queues/rx-{}/rps_cpus"


def file(path: str, text: str) -> Part:
    """A file of a host."""
    return part(text, path.lstrip("/"), path=path)


def found(*parts: Part) -> list[tuple[str | None, str]]:
    """The sources, with the text they were given."""
    claims, _ = trees(parts, registry.sources())
    return [(claim.source.id if claim.source else None, claim.part.text) for claim in claims]


def test_files_of_one_source_are_put_together() -> None:
    """As `grep -H` would have printed them."""
    text = f"{CPUS.format(0)}:1\n{CPUS.format(1)}:f\n"
    assert [("queue_cpus", text)] == found(file(CPUS.format(0), "1\n"), file(CPUS.format(1), "f\n"))


def test_other_files_are_left() -> None:
    """The parts that are in no claim stay with whoever asked."""
    other = file("/proc/version", "Linux")
    _, used = trees([other, file(CPUS.format(0), "1\n")], registry.sources())
    assert other not in used


def test_a_file_that_cannot_be_read_makes_no_claim() -> None:
    """Its source does not understand it."""
    assert [] == found(file(CPUS.format(0), "no mask\n"))


def test_long_and_empty_files_are_no_settings() -> None:
    """A file of /sys has a page at most."""
    assert [] == found(file(CPUS.format(0), "1" * 5000), file(CPUS.format(1), "\n"))


GOVERNORS = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"


def test_cat_of_many_files_that_say_the_same() -> None:
    """Whose line is whose does not matter then."""
    ((source, text),) = found(part("powersave\npowersave\n", command=("cat", GOVERNORS)))
    assert ("cpu_frequency", "cpu1/cpufreq/scaling_governor:powersave") == (source, text.split("cpu/")[-1].strip())


def test_cat_of_many_files_that_differ() -> None:
    """Nobody tells whose line is whose."""
    assert [] == found(part("powersave\nperformance\n", command=("cat", GOVERNORS)))
