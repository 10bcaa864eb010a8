"""What knobs of a queue share: the files of each in /sys/class/net/LINK/queues, as net/core/net-sysfs.c has them.

The subject of a setting is a queue, `eth0/rx-0`; a link alone is spread over its queues. A queue that goes takes what
it has along: it is watched, and put back.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from fullrate.knobs._cpus import ONLINE, see_online
from fullrate.knobs._links import configured, named
from fullrate.records.evidence import ListGlob, ReadFile, Request, Status, WriteFile
from fullrate.records.finding import Remedy
from fullrate.records.leaf import Answers, Knob
from fullrate.records.setting import CannotSetError, Reading, Setting, Writing

_MASK = re.compile(r"[0-9a-fA-F]{1,8}(?:,[0-9a-fA-F]{8})*")
_WAYS = {"rx": "receive", "tx": "transmit"}


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueFile:
    """One file of each queue.

    `knob`: its id, whose last word is the file's name; `side`: "rx" or "tx", whose queues have it; `words`: an
    extended regular expression for what sets it in a configuration.
    """

    knob: str
    side: str
    words: str

    @property
    def name(self) -> str:
        """The file's."""
        return self.knob.rpartition(".")[2]

    def request(self, setting: Setting) -> ReadFile:
        """The file of the queue that is the setting's subject. Raises CannotSetError where that is none."""
        link, _, queue = setting.subject.partition("/")
        if not self._is_queue(queue):
            way = _WAYS[self.side]
            raise CannotSetError(f"{setting.subject!r} is no {way} queue: write it like eth0/{self.side}-0")
        return ReadFile(path=f"/sys/class/net/{named(link)}/queues/{queue}/{self.name}")

    def _is_queue(self, name: str) -> bool:
        return re.fullmatch(rf"{self.side}-[0-9]{{1,5}}", name) is not None

    def files(self, link: str) -> ListGlob:
        """Those of all queues of a link."""
        return ListGlob(pattern=f"/sys/class/net/{link}/queues/{self.side}-*/{self.name}")

    def shown(self, link: str, answers: Answers) -> tuple[Setting, ...]:
        """The settings of a link; what they are set to is read of each."""
        reply = answers.get(self.files(link).key)
        paths = reply.payload.decode(errors="replace").split() if reply and reply.status is Status.OK else []
        queues = [queue for path in paths if self._is_queue(queue := path.split("/")[-2])]
        return tuple(Setting(knob=self.knob, subject=f"{link}/{queue}", value="") for queue in queues)

    def spread(self, setting: Setting, answers: Answers) -> tuple[Setting, ...]:
        """Of a link, each of its queues. Raises CannotSetError where it has none."""
        if "/" in setting.subject:
            return (setting,)
        found = self.shown(named(setting.subject), answers)
        if not found:
            raise CannotSetError(f"{setting.link} has no queue with {self.name}")
        return tuple(replace(one, value=setting.value) for one in found)


def queue_knob(
    file: QueueFile,
    write: Callable[[Setting, ReadFile], Writing],
    *,
    limit: Callable[[Setting, Answers], None],
    asks: tuple[Request, ...] = (),
    wanted: Callable[[Remedy], tuple[Setting, ...]] | None = None,
) -> Knob:
    """The knob of a file; `write`: how a value gets into it."""

    def restores(setting: Setting, answers: Answers) -> Writing:
        limit(setting, answers)
        return write(setting, file.request(setting))

    return Knob(
        id=file.knob,
        takes=lambda setting: setting.knob == file.knob,
        reading=lambda setting: Reading(request=file.request(setting), pattern=r"^([0-9a-f,]+)$"),
        asks=lambda _: asks,
        limit=limit,
        write=lambda setting, _: write(setting, file.request(setting)),
        restores=restores,
        wanted=wanted,
        survey=lambda link: (file.files(named(link)),),
        spread=file.spread,
        shown=file.shown,
        owners=lambda setting: configured(setting, file.words),
        reference="Documentation/networking/scaling.rst",
    )


def mask_of(setting: Setting) -> int:
    """The mask as a number. Raises CannotSetError."""
    if not _MASK.fullmatch(setting.value):
        raise CannotSetError(f"{setting.value!r} is no mask: write it like f or 00000000,0000000f")
    return int(setting.value.replace(",", ""), 16)


def write_mask(setting: Setting, file: ReadFile) -> Writing:
    """The mask into that file. Raises CannotSetError.

    The kernel shows as many digits as there can be bits, in words of 32 bits with a comma between
    (bitmap_print_to_pagebuf in lib/bitmap-str.c), whatever was written.
    """
    mask = mask_of(setting)
    words = [f"{mask >> shift & 0xFFFFFFFF:08x}" for shift in range(0, mask.bit_length(), 32)]
    shown = ",".join(reversed(words)).lstrip("0")
    return Writing(action=WriteFile(path=file.path, content=setting.value), expect=rf"[0,]*{shown or '0'}")


def cpus_knob(file: QueueFile, wanted: Callable[[Remedy], tuple[Setting, ...]] | None = None) -> Knob:
    """The knob of a mask of CPUs, which must be online: the kernel keeps no others, and does not say so."""
    return queue_knob(file, write_mask, limit=_limit_cpus, asks=(ONLINE,), wanted=wanted)


def _limit_cpus(setting: Setting, answers: Answers) -> None:
    mask = mask_of(setting)
    see_online(frozenset(cpu for cpu in range(mask.bit_length()) if mask >> cpu & 1), answers)
