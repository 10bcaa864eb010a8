r"""`dmesg --time-format iso`: what the kernel logged about links, their devices and limits that were reached.

    2026-11-30T12:31:41,512825+00:00 e1000e 0000:00:1f.6 eno1: Detected Hardware Unit Hang:
    [  120.829975] bcmgenet fd580000.ethernet eth0: Link is Down
    Feb 23 16:44:36 host kernel: [38775494.393661] nf_conntrack: table full, dropping packet

The first form is asked for (util-linux has it since 2.24), pasted logs may have any of them, or no time at all. Only
lines of the known events become facts, at most the newest 32 of one event and subject. An ordinary user is refused
where kernel.dmesg_restrict is 1. The texts are those of drivers/net/phy/phy.c and phylink.c, the drivers named in
`_kernel_events` and the files it names, net/sched/sch_generic.c (dev_watchdog), drivers/pci/pci.c
(__pcie_print_link_status), drivers/pci/pcie/aer.c, net/netfilter/nf_conntrack_core.c,
drivers/thermal/intel/therm_throt.c and drivers/usb/core/hub.c.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterable
from datetime import UTC, datetime

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.kernel_log import KernelLog, KernelMessage
from fullrate.records.leaf import Source, always, runs
from fullrate.records.parsing import decimal
from fullrate.records.units import Seconds
from fullrate.sources._kernel_events import may_tell, told
from fullrate.sources._text import lines_of

_MOST = 32  # of one event and subject
_LONGEST = 2048  # characters; the kernel cuts its lines at 1024 (PRINTKRB_RECORD_MAX in kernel/printk/internal.h)
_LINE = re.compile(
    r"\s*(?:<\d+>)?(?:(?P<iso>\d{4}-\d\d-\d\dT[\d:]{8}(?:[,.]\d+)?(?:Z|[+-][\d:]+)) )?"
    r"(?:(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} +\d+ [\d:]{8} (?:\d{4} )?)?(?:kern\.[a-z]+ )?"
    r"(?:\S+ (?=kernel(?:\[\d+\])?: ))?(?P<kernel>kernel(?:\[\d+\])?: ?)?"
    r"(?:\[ *(?P<boot>\d+\.\d{6})\] ?(?:\[ *[TC]\d+\] ?)?"
    r"|\[(?P<human>[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ [\d:]{8} \d{4})\] ?)?(?P<text>.*)"
)
_DEVICE = re.compile(r"\b[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]\b")
# dev_printk's beginning
_BY_DRIVER = re.compile(r"[\w-]+ [0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7](?: \S+)?: ")


def _lines(payload: bytes | str) -> list[re.Match[str]]:
    return [line for text in lines_of(payload) if len(text) <= _LONGEST and (line := _LINE.fullmatch(text))]


def _is_timed(line: re.Match[str]) -> bool:
    return any((line["iso"], line["boot"], line["human"]))


def _time(line: re.Match[str]) -> Seconds | None:
    try:
        if line["iso"]:
            return datetime.fromisoformat(line["iso"]).timestamp()
        if line["human"]:
            return datetime.strptime(line["human"], "%a %b %d %H:%M:%S %Y").replace(tzinfo=UTC).timestamp()
    except ValueError as error:
        raise FormatError(f"{line[0]!r}: no time as dmesg prints it") from error
    return decimal(line["boot"]) if line["boot"] else None


def _message(text: str, time: Seconds | None) -> KernelMessage | None:
    found = told(text)
    if found is None:
        return None
    device = _DEVICE.search(text)
    return KernelMessage(
        subject=found.subject, event=found.event, text=text, time=time, device=device[0] if device else None
    )


def _newest(messages: Iterable[KernelMessage]) -> tuple[KernelMessage, ...]:
    kept: dict[str, deque[KernelMessage]] = defaultdict(lambda: deque(maxlen=_MOST))
    for message in messages:
        kept[f"{message.event} {message.subject}"].append(message)
    return tuple(message for some in kept.values() for message in some)


def parse(_: Request, payload: bytes) -> tuple[KernelLog | KernelMessage, ...]:
    """That the log was read, and what it tells. Raises FormatError on what is no log; an empty one is read as such."""
    lines = _lines(payload)
    timed = [line for line in lines if _is_timed(line)]
    said = [_message(line["text"], _time(line)) for line in lines if may_tell(line["text"])]
    messages = [message for message in said if message]
    if lines and not timed and not messages:
        raise FormatError("no line has a time of the kernel's log or tells a known event")
    kept = _newest(messages)
    first, last = (_time(timed[index]) if timed else None for index in (0, -1))
    return (KernelLog(lines=len(lines), messages=len(kept), first=first, last=last), *kept)


def _is_of_log(line: re.Match[str]) -> bool:
    text = line["text"]
    return bool(_is_timed(line) or line["kernel"] or _BY_DRIVER.match(text) or _message(text, None))


def _recognizes(text: str) -> bool:
    """A dump of many lines may stand at either end; a line of the log among another program's is not the log."""
    lines = _lines(text)
    if not lines or _is_of_log(lines[0]) or _is_of_log(lines[-1]):
        return bool(lines)
    return 2 * sum(map(_is_of_log, lines)) >= len(lines)


SOURCE = Source(
    id="dmesg",
    facts=(KernelLog, KernelMessage),
    requests=always(query("dmesg", "--time-format", "iso")),
    answers=runs("dmesg"),
    recognizes=_recognizes,
    parse=parse,
)
