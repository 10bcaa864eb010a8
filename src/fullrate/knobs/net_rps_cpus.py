"""`net.rps_cpus`: the CPUs that take the packets of a receive queue over from the one it interrupts (RPS).

    # cat /sys/class/net/eth0/queues/rx-0/rps_cpus
    00000000,0000000f

Documentation/networking/scaling.rst; store_rps_map in net/core/net-sysfs.c, which keeps the CPUs of a mask that are
online and not isolated. The subject is a queue, `eth0/rx-0`. The kernel shows as many digits as it can have CPUs, in
words of 32 bits with a comma between (bitmap_print_to_pagebuf in lib/bitmap.c), whatever was written. A queue that goes
takes its mask along: it is watched, and put back.
"""

import re

from fullrate.knobs._cpus import ONLINE, see_online
from fullrate.knobs._links import configured, named
from fullrate.records.evidence import ListGlob, ReadFile, Request, Status, WriteFile
from fullrate.records.finding import Remedy
from fullrate.records.leaf import Answers, Knob
from fullrate.records.setting import CannotSetError, Reading, Setting, Writing

_ID = "net.rps_cpus"
_FORM = re.compile(r"[0-9a-fA-F]{1,8}(?:,[0-9a-fA-F]{8})*")
_QUEUE = re.compile(r"rx-[0-9]{1,5}")
_COMMAND = re.compile(r"echo (\S+) > /sys/class/net/([^/\s]+)/queues/(rx-\d+)/rps_cpus")
_WORDS = "ReceivePacketSteeringCPUMask|rps_cpus"  # systemd.link(5) since 256; a script, or a udev rule's ATTR


def _path(setting: Setting) -> str:
    link, _, queue = setting.subject.partition("/")
    if not _QUEUE.fullmatch(queue):
        raise CannotSetError(f"{setting.subject!r} is no receive queue: write it like eth0/rx-0")
    return f"/sys/class/net/{named(link)}/queues/{queue}/rps_cpus"


def _mask(setting: Setting) -> int:
    """The mask as a number. Raises CannotSetError."""
    if not _FORM.fullmatch(setting.value):
        raise CannotSetError(f"{setting.value!r} is no mask of CPUs: write it like f or 00000000,0000000f")
    return int(setting.value.replace(",", ""), 16)


def _limit(setting: Setting, answers: Answers) -> None:
    mask = _mask(setting)
    see_online(frozenset(cpu for cpu in range(mask.bit_length()) if mask >> cpu & 1), answers)


def _write(setting: Setting, _: Answers) -> Writing:
    mask = _mask(setting)
    words = [f"{mask >> shift & 0xFFFFFFFF:08x}" for shift in range(0, mask.bit_length(), 32)]
    shown = ",".join(reversed(words)).lstrip("0")
    return Writing(action=WriteFile(path=_path(setting), content=setting.value), expect=rf"[0,]*{shown or '0'}")


def _restores(setting: Setting, answers: Answers) -> Writing:
    _limit(setting, answers)
    return _write(setting, answers)


def _wanted(remedy: Remedy) -> tuple[Setting, ...]:
    found = [match for command in remedy.commands if (match := _COMMAND.fullmatch(command))]
    return tuple(Setting(knob=_ID, subject=f"{match[2]}/{match[3]}", value=match[1]) for match in found)


def _files(link: str) -> ListGlob:
    return ListGlob(pattern=f"/sys/class/net/{link}/queues/rx-*/rps_cpus")


def _queues(link: str, answers: Answers) -> tuple[str, ...]:
    reply = answers.get(_files(link).key)
    paths = reply.payload.decode(errors="replace").split() if reply and reply.status is Status.OK else []
    return tuple(queue for path in paths if _QUEUE.fullmatch(queue := path.rpartition("/")[0].rpartition("/")[2]))


def _survey(link: str) -> tuple[Request, ...]:
    return (_files(named(link)),)


def _spread(setting: Setting, answers: Answers) -> tuple[Setting, ...]:
    """Of a link, each of its queues."""
    if "/" in setting.subject:
        return (setting,)
    queues = _queues(named(setting.subject), answers)
    if not queues:
        raise CannotSetError(f"{setting.link} has no receive queue whose packets could be steered")
    return tuple(Setting(knob=_ID, subject=f"{setting.link}/{queue}", value=setting.value) for queue in queues)


def _shown(link: str, answers: Answers) -> tuple[Setting, ...]:
    """Its queues; what they are set to is read of each."""
    return tuple(Setting(knob=_ID, subject=f"{link}/{queue}", value="") for queue in _queues(link, answers))


KNOB = Knob(
    id=_ID,
    takes=lambda setting: setting.knob == _ID,
    reading=lambda setting: Reading(request=ReadFile(path=_path(setting)), pattern=r"^([0-9a-f,]+)$"),
    asks=lambda _: (ONLINE,),
    limit=_limit,
    write=_write,
    restores=_restores,
    wanted=_wanted,
    survey=_survey,
    spread=_spread,
    shown=_shown,
    owners=lambda setting: configured(setting, _WORDS),
    reference="Documentation/networking/scaling.rst, RPS configuration",
)
