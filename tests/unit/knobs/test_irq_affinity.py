"""The knob irq.affinity."""

import pytest

from fullrate.checks.irq_single_cpu import CHECK
from fullrate.knobs._cpus import ONLINE
from fullrate.knobs.irq_affinity import KNOB
from fullrate.records.evidence import ReadFile, WriteFile, query
from unit.checks.build import FAR, found
from unit.checks.nic import held, job, path
from unit.checks.scenes_nic import on_one_cpu
from unit.knobs.machine import answers, named_by, read, refused, setting, unreadable, wanted

FILE = "/proc/irq/61/smp_affinity_list"
IRQ = setting("irq.affinity", "0-3,5", "61")
EIGHT = answers((ONLINE, "0-7\n"))


@pytest.mark.parametrize(("text", "expected"), [("0-3,5\n", "0-3,5"), ("7\n", "7"), ("\n", None), ("", None)])
def test_the_list_is_read(text: str, expected: str | None) -> None:
    """As the kernel prints it."""
    assert expected == read(KNOB, IRQ, text)
    assert ReadFile(path=FILE) == KNOB.reading(IRQ).request


@pytest.mark.parametrize(
    ("value", "shown"), [("0-3,5", "0\\-3,5"), ("0,1,2,3", "0-3"), ("5,1", "1,5"), ("4-4", "4"), ("1,1", "1")]
)
def test_it_is_written_as_given_and_shown_as_the_kernel_does(value: str, shown: str) -> None:
    """Ranges where numbers follow each other."""
    writing = KNOB.write(setting("irq.affinity", value, "61"), {})
    assert WriteFile(path=FILE, content=value) == writing.action
    assert shown.replace("\\", "") == writing.expect.replace("\\", "")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("0-7", ""),
        ("8", "CPU 8 is not online: those that are, are 0-7"),
        ("6-9", "CPU 8-9 is not online: those that are, are 0-7"),
        (",", "interrupt 61 needs one CPU at least"),
        ("one", "'one' is no list of CPUs: write it like 0-3,5"),
        ("3-1", "'3-1' is no list of CPUs: write it like 0-3,5"),
        ("0-99999999", "'0-99999999' is no list of CPUs: write it like 0-3,5"),
        ("-1", "'-1' is no list of CPUs: write it like 0-3,5"),
        ("1;2", "'1;2' is no list of CPUs: write it like 0-3,5"),
    ],
)
def test_limits(value: str, reason: str) -> None:
    """CPUs that are online."""
    assert reason == refused(KNOB, setting("irq.affinity", value, "61"), EIGHT)


def test_what_is_online_may_be_unknown() -> None:
    """Then the kernel decides."""
    assert "" == refused(KNOB, setting("irq.affinity", "99", "61"), {})


@pytest.mark.parametrize("subject", ["eth0", "../61", "61/x", "-1", "", "1234567", "٦١", "61\n"])
def test_an_interrupt_has_a_number(subject: str) -> None:
    """Nothing else leads to a file."""
    assert f"{subject!r} is no number of an interrupt" == unreadable(KNOB, setting("irq.affinity", "1", subject))


def test_it_belongs_to_no_link() -> None:
    """Its number is no name."""
    assert "" == IRQ.link


def test_the_remedy_moves_every_interrupt() -> None:
    """One CPU a queue, in turn."""
    scene = on_one_cpu(job()).having(FAR, path(FAR, local_cpus=(0, 1)))
    expected = [("irq.affinity", f"{61 + number}", f"{number % 2}") for number in range(4)]
    assert expected == wanted(found(CHECK, held(scene)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("812 /usr/sbin/irqbalance --foreground\n", ["irqbalance"]),
        ("812 irqbalance\n", ["irqbalance"]),
        ("", []),
        ("812 /usr/sbin/irqbalance --foreground --banirq=61\n", []),
        ("812 /usr/sbin/irqbalance -i 61 --foreground\n", []),
        ("812 /usr/sbin/irqbalance --banirq=60 --banirq 61\n", []),
        ("812 /usr/sbin/irqbalance --banirq=612\n", ["irqbalance"]),
        ("812 /usr/sbin/irqbalance --banirq=6\n", ["irqbalance"]),
    ],
)
def test_irqbalance_owns_what_it_is_not_told_to_leave_alone(text: str, expected: list[str]) -> None:
    """What `pgrep -a -x irqbalance` prints (irqbalance(1), --banirq)."""
    (owner,) = KNOB.owners(IRQ)
    assert expected == named_by((owner,), text)
    assert (query("pgrep", "-a", "-x", "irqbalance"),) == owner.requests
    assert "--banirq=61" in owner.way
