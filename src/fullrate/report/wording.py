"""The diagnosis' own words as the reader of one run says them: hosts by their names, requests as one types them."""

import re

from fullrate.records.ends import Direction, End
from fullrate.records.finding import Evidence
from fullrate.records.run import Run
from fullrate.records.target import server_name
from fullrate.report.words import rate

THIS_HOST = "this host"
_LOCAL = {"", "local", "localhost", THIS_HOST}
_WAYS = {"near to far": Direction.NEAR_TO_FAR, "far to near": Direction.FAR_TO_NEAR}
_WAY = re.compile(r"\b(?:from )?(near to far|far to near)\b")
_END = re.compile(r"\bthe (near|far) end\b")
_ASK = re.compile(r"(?P<what>.*?)  \((?P<end>near|far) end: (?P<why>.*)\)", re.DOTALL)
_LACK = re.compile(r"[A-Z][A-Za-z0-9]+(?: of \S+)? on the (?:near|far) end")
_LONGEST = 60  # characters of a command that is only named
_GONE = "not in the recording"
_TEST = re.compile(r"measure: (?P<protocol>tcp|udp) (?P<flows>\d+) flows? (?P<way>near to far|far to near)")
_ONLY_THERE = "only from the other end: run "
_OPTIONS = ((" -json", ""), (" --json", ""), (" -details", " -d"), (" -statistics", " -s"))  # people read text
_CAMEL = re.compile(r"\b(?:[A-Z][a-z0-9]+){2,}\b")  # the name of a fact
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_UNITS = {"bps": "", "us": " us"}


def host_name(run: Run, end: End) -> str:
    """What to call an end: the target without its user or kind; `near` or `far` when it is not in the run."""
    report = run.ends.get(end)
    if report is None:
        return str(end)
    if report.target in _LOCAL:
        return THIS_HOST
    return server_name(report.target) or report.target.rpartition("@")[2].removeprefix("netns:")


def way(run: Run, direction: Direction | None) -> str:
    """A direction as seen from the near end; empty for both."""
    peer = host_name(run, End.FAR)
    return {Direction.NEAR_TO_FAR: f"to {peer}", Direction.FAR_TO_NEAR: f"from {peer}"}.get(
        direction or Direction.BOTH, ""
    )


def in_names(run: Run, text: str) -> str:
    """The text with the hosts' names for what the diagnosis calls them."""
    text = _WAY.sub(lambda found: way(run, _WAYS[found[1]]), text)
    return _END.sub(lambda found: host_name(run, End(found[1])), text)


def lacking(run: Run, text: str) -> str:
    """What a check missed, with the fact's name in plain words."""
    return in_names(run, _CAMEL.sub(lambda found: _HUMP.sub(" ", found[0]).lower(), text, count=1))


def command(key: str) -> str:
    """A request as a person would name it: the file, or the command."""
    verb, _, rest = key.partition(" ")
    return rest if verb in {"read", "run", "list"} and rest else key


def typed(key: str) -> str:
    """The same as a person would type it, to read the answer and not to parse it."""
    text = command(key)
    for option, short in _OPTIONS:
        text = text.replace(option, short)
    return text


def cited(key: str) -> str:
    """The same where nobody will type it: without the long lists of files and settings that one of ours may name."""
    text = typed(key)
    if text.startswith("sysctl "):
        return "sysctl"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rpartition(' ')[0] or text[:_LONGEST]} ..."


def _on(run: Run, end: End) -> str:
    """On which of several hosts; empty where there is but one."""
    several = sum(server_name(report.target) is None for report in run.ends.values()) > 1
    return f"on {host_name(run, end)}" if several else ""


def asked(run: Run, text: str) -> str:
    """What would decide, for somebody who does it: what to type, on which of several hosts, and when."""
    told = run.given is not None and (_as_iperf3(run, text) or _of_the_other(text))
    found = _ASK.fullmatch(text)
    if told or found is None:
        return told or (lacking(run, text) if _LACK.fullmatch(text) else in_names(run, command(text)))
    notes = ", ".join(filter(None, (_on(run, End(found["end"])), "" if found["why"] == _GONE else found["why"])))
    return in_names(run, typed(found["what"])) + (f"  ({notes})" if notes else "")


def _as_iperf3(run: Run, text: str) -> str:
    """A test that somebody else makes, as he types it on the near end; empty when the ask is for something else."""
    found = _TEST.fullmatch(text)
    if found is None:
        return ""
    words = ["iperf3 -c", host_name(run, End.FAR), "-u -b RATE" if found["protocol"] == "udp" else ""]
    words += [f"-P {found['flows']}" if found["flows"] != "1" else "", "-R" if found["way"] == "far to near" else ""]
    return " ".join(filter(None, words))


def _of_the_other(text: str) -> str:
    """The same readings of the end that nothing was given of; empty when the ask is for something else."""
    if not text.startswith(_ONLY_THERE):
        return ""
    return f"the same from the other end; or, with SSH to it: {text.removeprefix(_ONLY_THERE)}"


def is_of_the_other(text: str) -> bool:
    """Whether an ask is only that the other end be asked."""
    return text.startswith(_ONLY_THERE)


def seen(evidence: Evidence) -> str:
    """Where something was read, which field of it, and what it said, with its unit."""
    source, field, value = cited(evidence.source), evidence.field, evidence.value
    if source.startswith("trial/"):
        source = f"test {source.removeprefix('trial/')}"
    if source.startswith("sockets "):
        source = f"socket, port {source.removeprefix('sockets ')}"
    if source.startswith("dmesg") and field.isidentifier() and " " in value:  # the line says it better than its kind
        return f"{source}  {value}"
    name, _, unit = field.rpartition("_")
    if name and unit in _UNITS and value.isdecimal():
        field, value = name, rate(float(value)) if unit == "bps" else f"{value}{_UNITS[unit]}"
    return f"{source}  {field.replace('lost_ratio', 'lost')}  {value}"
