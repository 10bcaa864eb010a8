"""`irq.affinity`: the CPUs that an interrupt may go to; the subject is its number.

    # cat /proc/irq/61/smp_affinity_list
    0-3,5

Documentation/core-api/irq/irq-affinity.rst; irq_affinity_proc_write in kernel/irq/proc.c. An interrupt that the kernel
manages itself (multi-queue storage, some NICs) refuses the write. irqbalance moves interrupts every ten seconds.
"""

import re

from fullrate.knobs._cpus import ONLINE, see_online, spelled
from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, WriteFile, query
from fullrate.records.finding import Remedy
from fullrate.records.leaf import Answers, Knob
from fullrate.records.parsing import cpu_list
from fullrate.records.setting import CannotSetError, Owner, Reading, Setting, Writing, exactly

_ID = "irq.affinity"
_COMMAND = re.compile(r"echo (\S+) > /proc/irq/(\d+)/smp_affinity_list")


def _path(setting: Setting) -> str:
    if not re.fullmatch(r"[0-9]{1,6}", setting.subject):
        raise CannotSetError(f"{setting.subject!r} is no number of an interrupt")
    return f"/proc/irq/{setting.subject}/smp_affinity_list"


def _cpus(setting: Setting) -> frozenset[int]:
    try:
        return frozenset(cpu_list(setting.value))
    except FormatError as error:
        raise CannotSetError(f"{setting.value!r} is no list of CPUs: write it like 0-3,5") from error


def _limit(setting: Setting, answers: Answers) -> None:
    cpus = _cpus(setting)
    if not cpus:
        raise CannotSetError(f"interrupt {setting.subject} needs one CPU at least")
    see_online(cpus, answers)


def _write(setting: Setting, _: Answers) -> Writing:
    return exactly(WriteFile(path=_path(setting), content=setting.value), spelled(_cpus(setting)))


def _wanted(remedy: Remedy) -> tuple[Setting, ...]:
    found = [match for command in remedy.commands if (match := _COMMAND.fullmatch(command))]
    return tuple(Setting(knob=_ID, subject=match[2], value=match[1]) for match in found)


def _owners(setting: Setting) -> tuple[Owner, ...]:
    """irqbalance, unless it was told to leave this interrupt alone: irqbalance(1), --banirq."""
    return (
        Owner(
            name="irqbalance",
            requests=(query("pgrep", "-a", "-x", "irqbalance"),),
            pattern=rf"^\d+ (?!.* (?:--banirq[= ]|-i ?){re.escape(setting.subject)}(?: |$))",
            way=f"stop it, or have it started with --banirq={setting.subject}, which IRQBALANCE_ARGS can hold",
        ),
    )


KNOB = Knob(
    id=_ID,
    takes=lambda setting: setting.knob == _ID,
    reading=lambda setting: Reading(request=ReadFile(path=_path(setting)), pattern=r"^([0-9,-]+)$"),
    asks=lambda _: (ONLINE,),
    limit=_limit,
    write=_write,
    wanted=_wanted,
    owners=_owners,
    reference="Documentation/core-api/irq/irq-affinity.rst",
)
