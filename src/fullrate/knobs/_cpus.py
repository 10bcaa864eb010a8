"""What knobs of CPUs share: which are online, and how the kernel writes a set of them."""

from collections.abc import Iterable

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile
from fullrate.records.leaf import Answers
from fullrate.records.parsing import cpu_list
from fullrate.records.setting import CannotSetError

ONLINE = ReadFile(path="/sys/devices/system/cpu/online")


def spelled(cpus: Iterable[int]) -> str:
    """The list as the kernel prints it: ranges where numbers follow each other (bitmap_list_string, lib/vsprintf.c)."""
    runs: list[list[int]] = []
    for cpu in sorted(cpus):
        if runs and cpu == runs[-1][-1] + 1:
            runs[-1].append(cpu)
        else:
            runs.append([cpu])
    return ",".join(f"{run[0]}-{run[-1]}" if run[1:] else f"{run[0]}" for run in runs)


def see_online(cpus: frozenset[int], answers: Answers) -> None:
    """Raise CannotSetError where one of these CPUs is not online; where that was not read, the kernel will say it."""
    reply = answers.get(ONLINE.key)
    try:
        online = frozenset(cpu_list(reply.payload.decode(errors="replace"))) if reply else frozenset[int]()
    except FormatError:
        return
    if online and not cpus <= online:
        raise CannotSetError(f"CPU {spelled(cpus - online)} is not online: those that are, are {spelled(online)}")
