"""Command lines as people type them: which words are a command, and what is asked by it."""

import re

from fullrate.records.parsing import shell_words

# A first word that makes a line a command even without a prompt. What prints is read, or listed as not understood.
PROGRAMS = frozenset(
    (
        *("brctl", "bridge", "cat", "chrt", "conntrack", "cpupower", "devlink", "dmesg", "dmidecode", "ethtool"),
        *("free", "grep", "head", "hostnamectl", "htop", "hwinfo", "ifconfig", "inxi", "ip", "ip6tables"),
        *("ip6tables-save", "iperf", "iperf3", "iptables", "iptables-save", "iw", "iwconfig", "iwinfo", "journalctl"),
        *("lsb_release", "lscpu", "lshw", "lsmod", "lspci", "lsusb", "mii-tool", "modinfo", "mpstat", "mtr", "netperf"),
        *("netstat", "nft", "nmcli", "nproc", "nstat", "ntttcp", "numactl", "nuttcp", "ovs-dpctl", "ovs-vsctl", "perf"),
        *("pidstat", "ping", "ping6", "qperf", "rdma", "route", "sar", "sensors", "sockperf", "speedtest"),
        *("speedtest-cli", "ss", "sysctl", "systemd-detect-virt", "tail", "taskset", "tc", "tcpdump", "teamdctl"),
        *("tracepath", "traceroute", "tshark", "tuned-adm", "uname", "uptime", "vcgencmd", "vmstat", "wg"),
    )
)
_ALONE = frozenset(
    (
        "dmesg",
        "free",
        "htop",
        "ifconfig",
        "lscpu",
        "lshw",
        "lsmod",
        "lspci",
        "lsusb",
        "nproc",
        "sensors",
        "top",
        "uptime",
    )
)
_WITH_OPTIONS = frozenset({"top", "iperf", "iperf3"})  # whose own words begin with their names
_OF_NAMES = frozenset({"ethtool", "ifconfig", "iwconfig", "modinfo"})  # whose one word is a link's or driver's name
_READERS = frozenset({"cat", "head", "tail", "less", "more"})
_LONGEST = 300  # characters of a command line
_ENDS = re.compile(r"\s(?:\|\|?|&&?|;|\d?>>?|<)(?:\s|$)|;\s|\|(?=\s*\w)|\s2>&1")
_PROSE = re.compile(r"[.!?,]$|\b(?:is|are|was|the|and|that|this|shows|says|output|command|version)\b", re.IGNORECASE)
_ASSIGNS = re.compile(r"[A-Za-z_]\w*=")
# Commands that only start another one, with how many words of their own that are no options.
_WRAPPERS = {"timeout": 1, "taskset": 1} | dict.fromkeys(
    ("sudo", "doas", "time", "nice", "env", "nohup", "stdbuf", "watch"), 0
)
# The same within a container or a namespace, whose name comes before the command.
_INSIDE = (("docker", "exec"), ("podman", "exec"), ("kubectl", "exec"), ("ip", "netns", "exec"), ("nerdctl", "exec"))
_WITH_VALUE = {"sudo": {"-u", "-g"}, "nice": {"-n"}, "watch": {"-n"}, "timeout": {"-s", "-k"}}
_ETHTOOL = {
    "--statistics": "-S",
    "--driver": "-i",
    "--show-features": "-k",
    "--show-offload": "-k",
    "--show-ring": "-g",
    "--show-channels": "-l",
    "--show-coalesce": "-c",
    "--show-pause": "-a",
    "--show-rxfh": "-x",
    "--show-rxfh-indir": "-x",
    "--module-info": "-m",
    "--dump-module-eeprom": "-m",
}
_IP_OBJECTS = ("link", "addr", "route", "rule", "neigh")
_TC_OBJECTS = ("qdisc", "class", "filter")


def argv_of(line: str) -> tuple[str, ...]:
    """The words of the first command of a line, without what starts or filters it; empty when there are none."""
    end = _ENDS.search(line)
    words = _words(line[: end.start()] if end else line)
    words = _unwrapped(words)
    if not words:
        return ()
    program = re.sub(r"(?:-darwin|\.exe)$", "", words[0].rsplit("/", 1)[-1].rsplit("\\", 1)[-1], flags=re.IGNORECASE)
    return _spelled_out((program, *words[1:]))


def path_of(argv: tuple[str, ...]) -> str | None:
    """The one file whose content a command shows; None when it shows none, or several."""
    files = [word for word in argv[1:] if word.startswith("/")]
    shows = argv[:1] and (argv[0] in _READERS or (argv[0] == "grep" and files == list(argv[-1:])))
    return files[0] if shows and len(files) == 1 and "*" not in files[0] else None


def is_command(line: str) -> bool:
    """Whether a line without a prompt is a command line, and no sentence about one."""
    if len(line) > _LONGEST or line[:1].isspace() or not line.strip():
        return False
    argv = argv_of(line)
    if not _is_known(argv):
        return False
    if len(argv) == 1:
        return argv[0] in _ALONE or line.split(maxsplit=1)[0] != argv[0]
    return _is_option(argv[1]) or (_is_object(argv) and _PROSE.search(line) is None)


def known(line: str) -> bool:
    """Whether the first command of a line is one of those that tell about a host."""
    return _is_known(argv_of(line))


def _is_known(argv: tuple[str, ...]) -> bool:
    return bool(argv) and (argv[0] in PROGRAMS or argv[0] in _ALONE)


def _is_option(word: str) -> bool:
    return re.fullmatch(r"-{1,2}[A-Za-z0-9][\w.,=-]*", word) is not None


def _is_object(argv: tuple[str, ...]) -> bool:
    word = argv[1]
    if argv[0] in {"ip", "tc"}:
        return word in (*_IP_OBJECTS, *_TC_OBJECTS, "addr", "netns")
    if argv[0] in _READERS or argv[0] == "sysctl":
        return word.startswith(("/", "net.", "kernel.", "vm."))
    named = re.fullmatch(r"[a-z0-9][\w.@:-]{1,40}", word) is not None
    return named and argv[0] not in _WITH_OPTIONS and (argv[0] in _OF_NAMES or re.search(r"[\d.:]", word) is not None)


def _words(line: str) -> tuple[str, ...]:
    try:
        return shell_words(line)
    except ValueError:  # a quote that is not closed, an apostrophe
        return tuple(line.split())


def _inside(words: tuple[str, ...]) -> tuple[str, ...]:
    """What is run in a container, a pod or a namespace; the words themselves where nothing is."""
    started = next((start for start in _INSIDE if words[: len(start)] == start), None)
    if started is None:
        return words
    if "--" in words:
        return words[words.index("--") + 1 :]
    left = words[len(started) :]
    while left and left[0].startswith("-"):
        left = left[1:]
    return left[1:]


def _unwrapped(words: tuple[str, ...]) -> tuple[str, ...]:
    while (words := _inside(words)) and (words[0] in _WRAPPERS or _ASSIGNS.match(words[0])):
        if words[0] == "taskset" and "p" in "".join(words[1:2]):  # of a process that runs
            return words
        head, words = words[0], words[1:]
        while words and words[0].startswith("-"):
            words = words[2:] if words[0] in _WITH_VALUE.get(head, ()) else words[1:]
        words = words[_WRAPPERS.get(head, 0) :]
    return words


def _spelled_out(argv: tuple[str, ...]) -> tuple[str, ...]:
    """The command with the short or long forms of its words that the sources ask with."""
    if argv[0] == "ethtool":
        return tuple(_ETHTOOL.get(word, word) for word in argv)
    objects = {"ip": _IP_OBJECTS, "tc": _TC_OBJECTS}.get(argv[0], ())
    place = next((place for place, word in enumerate(argv) if place and not word.startswith("-")), None)
    if place is None or not objects:
        return argv
    full = next((one for one in objects if one.startswith(argv[place]) or argv[place] == "address"), argv[place])
    return (*argv[:place], "addr" if argv[place] == "address" else full, *argv[place + 1 :])
