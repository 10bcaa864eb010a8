r"""A text to pieces, one a command: at prompts, markdown fences, headings, and the titles that commands print.

    root@nas:~# ethtool -S eth0 | grep miss        [user@host ~]$ ip -s link        $ iperf3 -c 192.0.2.1
    ```                                            === ethtool -g eth0 ===          C:\iperf> iperf3.exe -c nas
    Output of `ethtool eth0`:                      Every 1.0s: nstat -az            + sysctl -a

What stands between is kept as a piece without a command: it may be output too, and if not it is listed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from fullrate.intake.commands import argv_of, is_command, known
from fullrate.records.ends import End

MAX_PIECES = 2000  # of one text; what follows stays together
_LONGEST = 400  # characters of a line that may be a prompt
_LONGEST_SAID = 4000  # characters of a command over several lines
_MORE = "\\"
_SENTENCE = 200  # characters of a line that announces a command
_HOST = re.compile(
    r"\s{0,4}(?:\([\w.-]+\) ?)?\[?(?P<user>[\w.-]*)@(?P<host>[\w.-]+)\]?(?:[: ][^#$%>]{0,120}?)?\]?\s?[#$%>\u276f]"
    r"(?:\s+(?P<command>\S.*))?"
)
_PLAIN = re.compile(r"\s{0,3}(?:[$%\u276f\u279c]|>>>?)\s+(?P<command>[\w./~-].*)")
_ROOT = re.compile(r"\s{0,3}(?:[\w.~/:-]{1,40}(?: \w{1,20})?\s?)?[#$]\s*(?P<command>\w.*)")
_WINDOWS = re.compile(r"(?:PS )?[A-Za-z]:\\[^>]{0,200}>\s*(?P<command>\S.*)")
_WATCH = re.compile(r"Every \d+(?:\.\d+)?s: (?P<command>.+?)(?:\s{2,}\S.*)?")
_HEADING = re.compile(r"(?:[=#*+~_-]{1,80}|\*\*)\s*`?(?P<command>[\w/.].*?)`?\s*[:=#*~_-]*")
_QUOTED = re.compile(r"`([^`]{2,200})`")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)\s*[\w.+-]{0,20}\s*|\[/?(?:code|CODE)[^\]]{0,40}\]")
_SIDE = re.compile(
    r"[#*= -]{0,80}(?:and )?(?:(?:on|from|of|at) )?(?:the |my )?(?P<side>client|sender|server|receiver)"
    r"(?: side| end| host| output)?[:*#= -]{0,80}",
    re.IGNORECASE,
)
# A line that names a machine: of several in a text each gets its own, as prompts do. `host A:`, `=== node2 ===`.
_MACHINE = re.compile(
    r"[#*= -]{0,80}(?:(?:on|from|of|at) )?(?:the |my )?"
    r"(?P<name>(?:host|machine|box|node|server|computer|pc|peer|vm|guest|system)[ _#-]?(?:[A-D]|\d{1,2})"
    r"|nas|router|gateway|desktop|laptop|workstation|hypervisor|raspberry pi|pi|vm|guest|pc|proxmox(?: host)?|vm host)"
    r"(?: side| end| output)?(?: ?:[*#= -]{0,80}|[*#=-]{2,80}| [*#=-]{2,80})",
    re.IGNORECASE,
)
_NEAR = {"client", "sender", "near"}
_FORMS = ((_ROOT, known), (_WINDOWS, known), (_WATCH, known), (_HEADING, is_command))
# What commands print first; none stands within the output of another.
_TITLES = re.compile(
    r"Settings for \S+:?$|NIC statistics|(?:Ring|Channel|Coalesce|Pause|FEC) parameters for |Features for \S+:"
    r"|EEE [Ss]ettings for |RX flow hash indirection table for |Ethernet Channel Bonding Driver|Inter-\|   Receive"
    r"|Chain [A-Z]+ \(policy"
)
_TRAFFIC = re.compile(r"Connecting to host |Server listening on |Client connecting to ")  # it cuts its runs itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Lines of a text that belong together; `line` is where they begin, `said` the command line as it stands there."""

    text: str
    line: int
    said: str = ""
    host: str | None = None
    end: End | None = None

    @property
    def command(self) -> tuple[str, ...] | None:
        """The command that printed it; None when nothing says so."""
        return argv_of(self.said) or None


@dataclass(slots=True)
class _Draft:
    """The piece that is being collected."""

    line: int = 1
    said: str = ""
    host: str | None = None
    end: End | None = None
    goes_on: bool = False  # the line that said the command ends in a backslash
    lines: list[str] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        return not any(line.strip() for line in self.lines)

    def piece(self) -> Piece:
        """What it has become, without the blank lines around it."""
        text = "\n".join(self.lines)
        return Piece(text=text.strip("\n"), line=self.line, said=self.said, host=self.host, end=self.end)


def cut(text: str) -> tuple[Piece, ...]:
    """The pieces of a text, in order; those without a line are commands that printed nothing."""
    return tuple(draft.piece() for draft in _drafts(text) if draft.said or not draft.empty)


def _drafts(text: str) -> Iterator[_Draft]:
    draft, count = _Draft(), 0
    for number, line in enumerate(text.split("\n"), 1):
        found = _begins(line, draft, number) if count < MAX_PIECES else None
        if found is None:
            draft.lines.append(line)
            continue
        yield draft
        draft, count = found, count + 1
    yield draft


def _begins(line: str, draft: _Draft, number: int) -> _Draft | None:
    """The draft that a line begins; None when it goes on with the one before."""
    if len(line) > _LONGEST:
        return None
    if draft.goes_on and draft.empty and len(draft.said) < _LONGEST_SAID:
        said = f"{draft.said.rstrip().removesuffix(_MORE)} {line.strip()}"
        return replace(draft, line=number + 1, said=said, goes_on=_goes_on(line), lines=[])
    if not line.strip():
        return None
    return _marked(line, draft, number) or _commanded(line, draft, number) or _titled(line, draft, number)


def _marked(line: str, draft: _Draft, number: int) -> _Draft | None:
    """After a fence, or a line that only names a side or a machine."""
    if _FENCE.fullmatch(line):
        said = draft.said if draft.said and draft.empty else _announced(draft)
        return replace(draft, line=number + 1, said=said, goes_on=False, lines=[])
    side, machine = _SIDE.fullmatch(line), _MACHINE.fullmatch(line)
    if machine is not None:
        return _Draft(line=number + 1, host=machine["name"].lower())
    if side is None:
        return None
    return _Draft(line=number + 1, end=End.NEAR if side["side"].lower() in _NEAR else End.FAR)


def _commanded(line: str, draft: _Draft, number: int) -> _Draft | None:
    """After a prompt, with or without a host's name, or a command line without one."""
    after = replace(draft, line=number + 1, goes_on=_goes_on(line), lines=[])
    prompt = _HOST.fullmatch(line)
    if prompt is not None:
        return replace(after, said=prompt["command"] or "", host=prompt["host"])
    said = _command(line)
    return None if said is None else replace(after, said=said)


def _goes_on(line: str) -> bool:
    """Whether a command goes on below; a backslash before what closes a heading or a quotation is none of it."""
    return line.rstrip().endswith(_MORE)


def _titled(line: str, draft: _Draft, number: int) -> _Draft | None:
    """From a title on, when something else stands before it."""
    begins = _TITLES.match(line) or (_TRAFFIC.match(line) and not _is_traffic(draft))
    if not begins or draft.empty or _is_rule(draft):
        return None
    return replace(draft, line=number, said="", goes_on=False, lines=[line])


def _command(line: str) -> str | None:
    """The command that a line without a host's name says; None when it is output or prose."""
    plain = _PLAIN.fullmatch(line)
    if plain is not None:
        return str(plain["command"])
    if is_command(line):
        return line
    for form, accepts in _FORMS:
        match = form.fullmatch(line)
        if match is not None and accepts(match["command"]):
            return str(match["command"])
    return _said_before_colon(line) or None


def _said_before_colon(line: str) -> str:
    """The command at the end of a sentence that announces it: `Here is ethtool eth0:`."""
    words = line.rstrip().removesuffix(":").split() if line.rstrip().endswith(":") and len(line) <= _SENTENCE else []
    tails = (" ".join(words[place:]) for place in range(1, len(words)))
    return next(filter(is_command, tails), "")


def _announced(draft: _Draft) -> str:
    """The command that the last words before a fence name: `Output of ...:`, or one in backticks."""
    last = next((line for line in reversed(draft.lines) if line.strip()), "")
    quoted = [match[1] for match in _QUOTED.finditer(last) if known(match[1])]
    return quoted[-1] if quoted else _said_before_colon(f"> {last}")


def _is_rule(draft: _Draft) -> bool:
    """Whether the draft is only the rule that iperf3 prints above its title."""
    return all(not line.strip() or set(line.strip()) == {"-"} for line in draft.lines)


def _is_traffic(draft: _Draft) -> bool:
    """Whether the draft is what a traffic program prints already."""
    return "iperf" in draft.said or any("[ ID]" in line or "iperf" in line for line in draft.lines)
