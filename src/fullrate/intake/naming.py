"""What a file's name says: the command that printed it or its path on the host, the end, the moment, the link.

ethtool-S_eth0_before.txt    proc_interrupts.txt    iperf3_client.txt    server/dmesg.txt    tc_qdisc_show.txt
sos_commands/networking/ethtool_-S_eth0    sosreport-nas-2024/proc/net/softnet_stat    sys/class/net/eth0/mtu
"""

import itertools
import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from fullrate.intake.commands import PROGRAMS, argv_of
from fullrate.records.ends import End
from fullrate.records.part import Moment

SOS = "sos_commands"
_SUFFIXES = {"txt", "log", "out", "output", "json", "md", "text", "html", "csv", "ndjson"}
_ENDS = {
    **dict.fromkeys(("client", "near", "sender", "local"), End.NEAR),
    **dict.fromkeys(("server", "far", "receiver", "remote", "peer"), End.FAR),
}
_MOMENTS: dict[str, Moment] = {"before": "before", "after": "after"}
_ROOTED = re.compile(r"(?:^|/)(?P<path>(?:proc|sys|etc)/.+)")
_OWN_NET = re.compile(r"proc/\d+/net/")  # as sos follows /proc/net, which is self/net
_REPORT = re.compile(r"sosreport-(?P<host>.+?)-\d{4}-?\d\d-?\d\d")  # the folder of one
_FLAT = re.compile(r"(?P<root>proc|sys|etc)[_.](?P<rest>\w[\w.-]*)")
_LINK = re.compile(r"[a-z][a-z0-9-]{0,11}\d[a-z0-9.@-]{0,10}|lo|lan|wan|eth")
_SPLIT = re.compile(r"[_\s]+|(?<=[a-z0-9])-(?=[a-zA-Z-])")
_WORDS = {
    *(
        "link",
        "addr",
        "address",
        "route",
        "rule",
        "neigh",
        "qdisc",
        "class",
        "filter",
        "show",
        "list",
        "ruleset",
        "dev",
    ),
    *("frequency-info", "active", "get", "stats"),
}
_WITHOUT_DASH = {"ip", "tc", "iperf", "iperf3"}
_MOST_BARS = 6  # `_` of a flat name, each of which may have been a `/`
_NAMES = {  # of files that are called after what is in them
    "interrupts": "/proc/interrupts",
    "softirqs": "/proc/softirqs",
    "softnet_stat": "/proc/net/softnet_stat",
    "os-release": "/etc/os-release",
    "cmdline": "/proc/cmdline",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What a name says; empty where it says nothing. `paths`: the file it may be, the likeliest first."""

    command: tuple[str, ...] | None = None
    paths: tuple[str, ...] = ()
    end: End | None = None
    moment: Moment | None = None
    link: str | None = None
    host: str | None = None
    sos: bool = False  # it is of a sosreport, where every name says what the file is


def named(name: str) -> Named:
    """What the name of a file says about its content."""
    path = PurePosixPath(name)
    stem, own_end, own_moment = _stripped(path.name)
    folder_end, folder_moment = _of_folders(path)
    end, moment = own_end or folder_end, own_moment or folder_moment
    rooted = _ROOTED.search(name)
    if SOS in path.parts:
        argv = _sos(path.name)
        return Named(command=argv, link=_link(argv), host=_host(path), sos=True)
    if rooted is not None:  # the kernel's own names, like accept_local, say nothing of the end
        end, moment = _of_folders(PurePosixPath(name[: rooted.start("path")], path.name))
        copied = _OWN_NET.sub("proc/net/", rooted["path"])
        return Named(paths=(f"/{copied}",), end=end, moment=moment, link=_of_path(copied), host=_host(path))
    flat = _FLAT.fullmatch(stem)
    if flat is not None or stem in _NAMES:
        paths = (_NAMES[stem],) if flat is None else _paths(flat["root"], flat["rest"])
        return Named(paths=paths, end=end, moment=moment)
    argv = _flat(stem)
    return Named(command=argv or None, end=end, moment=moment, link=_link(argv))


def _stripped(name: str) -> tuple[str, End | None, Moment | None]:
    """The name without what it ends with, and what that says."""
    stem = name
    while "." in stem and stem.rpartition(".")[2].lower() in _SUFFIXES:
        stem = stem.rpartition(".")[0]
    end: End | None = None
    moment: Moment | None = None
    while True:
        head, _, last = stem.replace(".", "_").rpartition("_")
        if head and last.lower() in _ENDS:
            end = _ENDS[last.lower()]
        elif head and last.lower() in _MOMENTS:
            moment = _MOMENTS[last.lower()]
        else:
            return stem, end, moment
        stem = stem[: len(head)]


def _of_folders(path: PurePosixPath) -> tuple[End | None, Moment | None]:
    """The end and the moment that the folders around a file say."""
    told = [folder.lower() for folder in path.parts[:-1] if not _REPORT.match(folder)]  # that is a host's name
    words = sorted({word for folder in told for word in re.split(r"[_.\s-]", folder)})
    end = next((_ENDS[word] for word in words if word in _ENDS), None)
    return end, next((_MOMENTS[word] for word in words if word in _MOMENTS), None)


def _host(path: PurePosixPath) -> str | None:
    """The host that the folder of a sosreport names."""
    found = next(filter(None, map(_REPORT.match, path.parts[:-1])), None)
    return None if found is None else found["host"]


def _sos(name: str) -> tuple[str, ...]:
    """The command of a file that sos wrote: every character that a name cannot have became `_`, every `/` a `.`."""
    return argv_of(name.replace("_", " "))


def _flat(stem: str) -> tuple[str, ...]:
    """The command that a name is made of; empty when its first word is no program."""
    first, _, rest = stem.partition(" ")
    if rest and first in PROGRAMS:
        return argv_of(stem)
    program = next(
        (one for one in sorted(PROGRAMS, key=len, reverse=True) if re.match(rf"{one}(?![a-z0-9])", stem)), ""
    )
    words = [word for word in _SPLIT.split(stem[len(program) :].lstrip("_. ")) if word]
    return argv_of(" ".join((program, *(_word(program, word, stem) for word in words)))) if program else ()


def _word(program: str, word: str, stem: str) -> str:
    """A word of the command: an option that lost its dash gets it back; what is neither is dropped of some programs."""
    if program == "ethtool" and f"show-{word}" in stem:
        return f"--show-{word}"
    if word.startswith("-") or _LINK.fullmatch(word):
        return word
    if program == "ethtool":
        return f"-{word}" if len(word) == 1 else ""
    if word in _WORDS:
        return word
    short = re.fullmatch(r"[a-zA-Z]{1,5}", word) is not None and program not in _WITHOUT_DASH
    return f"-{word}" if short else word


def _link(argv: tuple[str, ...] | None) -> str | None:
    """The link that a command is about."""
    words = argv or ()
    about = [after for before, after in itertools.pairwise(words) if before == "dev"]
    about += [word for word in words[1:][-1:] if words[:1] in {("ethtool",), ("ifconfig",), ("iwconfig",)}]
    return next((word for word in about if not word.startswith("-") and word not in _WORDS), None)


def link_of(argv: tuple[str, ...] | None) -> str | None:
    """The link that a command line names; None when it names none."""
    return _link(argv)


def _of_path(path: str) -> str | None:
    found = re.match(r"sys/class/net/([^/]+)/", path)
    return found[1] if found else None


def _paths(root: str, rest: str) -> tuple[str, ...]:
    """The files a flat name may stand for: each `_` was one, or a `/`."""
    words = rest.split("_")
    if len(words) > _MOST_BARS:
        return (f"/{root}/{rest}",)
    joins = itertools.product("/_", repeat=len(words) - 1)
    return tuple(
        f"/{root}/" + words[0] + "".join(join + word for join, word in zip(join_of, words[1:], strict=True))
        for join_of in joins
    )
