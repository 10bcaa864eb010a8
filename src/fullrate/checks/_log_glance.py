"""What a log that was shown says of a link: nobody tells when it was read, so no line of it is too old."""

from collections import defaultdict
from typing import Any

from fullrate.checks._glance import suspect
from fullrate.checks._link_events import RECENT, line
from fullrate.records.facts.bus import DevicePath
from fullrate.records.facts.ethtool import DriverInfo
from fullrate.records.facts.kernel_log import KernelMessage, LogEvent
from fullrate.records.facts.link import Link
from fullrate.records.finding import Evidence, Finding
from fullrate.records.view import View


def told(view: View, *events: LogEvent) -> tuple[KernelMessage, ...]:
    """The lines about these events and the link, or about a device of which no link is known; oldest first."""
    link, known = view.here.interface or "", _known(view)
    found = [one for one in view.here.all(KernelMessage) if one.event in events]
    about = [one for one in found if one.subject == link or one.device in known.get(link, ())]
    others = {bus for name, buses in known.items() if name != link for bus in buses} | (known.keys() - {link})
    unnamed = [one for one in found if one.subject not in others and one.device not in others]
    return tuple(dict.fromkeys(about or unnamed))


def _known(view: View) -> dict[str, set[str]]:
    """The bus addresses of each link that has one."""
    end = view.here
    known: dict[str, set[str]] = {}
    for fact in (*end.all(Link), *end.all(DriverInfo), *end.all(DevicePath)):
        bus = getattr(fact, "parent_device", None) or getattr(fact, "bus_info", None)
        known.setdefault(fact.subject, set()).update({bus} if bus else set())
    return known


def host_told(view: View, cause: str, event: LogEvent, words: str, **more: Any) -> Finding | None:  # noqa: ANN401 - fields of Finding
    """What the log says of the whole host, in the kernel's own words."""
    found = tuple(one for one in view.here.all(KernelMessage) if one.event is event)
    if not found:
        return None
    said = f"{words}, as the kernel's log says: {found[-1].text.strip()}"
    return suspect(view, cause, said, lines(view, found), subject="", **more)


def bursts(messages: tuple[KernelMessage, ...]) -> tuple[KernelMessage, ...]:
    """The most lines about one subject that came within an hour; a line without a time comes with any."""
    about: dict[str, list[KernelMessage]] = defaultdict(list)
    for one in messages:
        about[one.subject].append(one)
    groups = (tuple(one for one in some if _near(one, last)) for some in about.values() for last in some)
    return max(groups, key=len, default=())


def _near(one: KernelMessage, last: KernelMessage) -> bool:
    return one.time is None or last.time is None or 0 <= last.time - one.time <= RECENT


def newest(messages: tuple[KernelMessage, ...], others: tuple[KernelMessage, ...]) -> bool:
    """Whether the last of some lines came after the last of others."""
    mine, theirs = (max((one.time or 0.0 for one in some), default=-1.0) for some in (messages, others))
    return mine > theirs


def lines(view: View, messages: tuple[KernelMessage, ...]) -> tuple[Evidence, ...]:
    """The first and the last of some lines as evidence."""
    return tuple(line(view.here, one) for one in dict.fromkeys((messages[0], messages[-1])))


def name_of(view: View, message: KernelMessage) -> str:
    """What a message is about, in words."""
    return message.subject or message.device or view.here.interface or "the link"
