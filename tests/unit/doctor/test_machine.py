"""Rights, kernel and Python, from replies."""

import pytest

from doctored import Replies, changed, failed, machine_replies, named, told
from fullrate.doctor import machine
from fullrate.records.doctor import Item, Standing, Topic
from fullrate.records.evidence import ReadFile, Reply, Request, Status

OWN = "3.11.7"
NAMES = (
    *("user", "capabilities", "release", "counters", "sock_diag", "tcp", "conntrack"),
    *("cgroups", "namespaces", "tun", "python3"),
)


def item(name: str, replies: Replies, python: str | None = OWN) -> Item:
    """One item of a machine."""
    return named(machine.machine_items(replies, python), name)


def seen(name: str, *others: Reply, user: str = "root") -> tuple[Standing, str]:
    """How an item stands and its value, when these answers differ from a whole machine's."""
    found = item(name, changed(machine_replies(user), *others))
    return found.standing, found.value


def advice(name: str, *others: Reply, user: str = "root") -> str:
    """What is said of an item."""
    return item(name, changed(machine_replies(user), *others)).advice


def test_a_whole_machine_is_good() -> None:
    """Every item, in this order, without a word of advice."""
    items = machine.machine_items(machine_replies(), OWN)
    assert NAMES == tuple(found.name for found in items)
    assert {(Standing.GOOD, "")} == {(found.standing, found.advice) for found in items}


def test_nothing_answered() -> None:
    """Everything missing is told as such, and raises nothing; capabilities are not guessed at."""
    items = machine.machine_items({}, None)
    assert (set(NAMES) - {"capabilities"}) == {found.name for found in items}
    assert not [found.name for found in items if found.standing is Standing.GOOD]


def test_garbage() -> None:
    """Bytes of no form make nothing good that has a form."""
    replies = {request.key: told(request, b"\xff\x00<html>") for request in machine.REQUESTS}
    items = machine.machine_items(replies, None)
    names = ("user", "tcp", "namespaces")
    assert not [name for name in names if named(items, name).standing is Standing.GOOD]


def test_everything_needed_is_asked() -> None:
    """A request that an item reads is among those made, each once."""
    assert len(machine.REQUESTS) == len({request.key for request in machine.REQUESTS})
    assert {request.key for request in machine.REQUESTS} == set(machine_replies())


@pytest.mark.parametrize(
    ("user", "expected"),
    [("root", (Standing.GOOD, "root")), ("user", (Standing.LIMITED, "uid 65534"))],
)
def test_user(user: str, expected: tuple[Standing, str]) -> None:
    """The effective user decides."""
    assert expected == seen("user", user=user)


def test_a_user_reads_what_is_hidden() -> None:
    """And what needs root."""
    assert "hidden without root: filter rules" in advice("user", user="user")


def test_an_effective_user_counts() -> None:
    """The second number of four: real, effective, saved, file system."""
    status = told(machine.PROCESS, "Uid:\t1000\t0\t1001\t1002\n")
    assert (Standing.GOOD, "root") == seen("user", status)
    assert machine.is_root({status.request.key: status})


def test_user_unknown() -> None:
    """Without /proc the reason is told, and root is not assumed."""
    denied = failed(machine.PROCESS, Status.DENIED)
    assert (Standing.UNKNOWN, "") == seen("user", denied)
    assert "/proc/self/status: denied" == advice("user", denied)
    assert not machine.is_root({denied.request.key: denied})


def test_root_of_a_container() -> None:
    """What it lacks is named, and nothing else."""
    found = item("capabilities", machine_replies("container"))
    assert Standing.LIMITED is found.standing
    assert "without CAP_NET_ADMIN, CAP_SYS_ADMIN:" in found.advice


def test_of_a_user_no_capabilities_are_expected() -> None:
    """That there are none is what being no root means."""
    assert "capabilities" not in {found.name for found in machine.machine_items(machine_replies("user"), OWN)}


def test_release() -> None:
    """As the kernel names itself."""
    assert (Standing.GOOD, "6.12.48+deb13-amd64") == seen("release")


@pytest.mark.parametrize(
    ("gone", "expected"),
    [
        ((), (Standing.GOOD, "7 of 7")),
        (("/proc/interrupts",), (Standing.LIMITED, "6 of 7")),
        (("/proc/net/dev",), (Standing.MISSING, "6 of 7")),
    ],
)
def test_counters(gone: tuple[str, ...], expected: tuple[Standing, str]) -> None:
    """Without the interfaces' counters there is no rate; each other file is a loss."""
    assert expected == seen("counters", *(failed(ReadFile(path=path), Status.DENIED) for path in gone))


def test_counters_are_essential() -> None:
    """And the unreadable ones are named."""
    found = item("counters", changed(machine_replies(), failed(ReadFile(path="/proc/stat"))))
    assert (True, "not readable: /proc/stat") == (found.essential, found.advice)


@pytest.mark.parametrize("status", [Status.DENIED, Status.UNSUPPORTED, Status.ABSENT])
def test_without_sock_diag_ss_is_run(status: Status) -> None:
    """It is a cost, no obstacle."""
    denied = failed(machine.SOCKETS, status)
    assert (Standing.LIMITED, str(status)) == seen("sock_diag", denied)
    assert "ss is run instead" in advice("sock_diag", denied)


@pytest.mark.parametrize(
    ("known", "standing", "words"),
    [
        ("reno bbr cubic\n", Standing.GOOD, ""),
        ("reno cubic\n", Standing.GOOD, "not loaded: bbr (modprobe tcp_bbr"),
        ("reno\n", Standing.LIMITED, "not loaded: cubic, bbr (modprobe tcp_cubic"),
    ],
)
def test_congestion_control(known: str, standing: Standing, words: str) -> None:
    """That bbr is there is an offer, cubic is expected."""
    reply = told(machine.CONGESTION, known)
    assert (standing, known.strip()) == seen("tcp", reply)
    assert advice("tcp", reply).startswith(words)


def test_congestion_control_unknown() -> None:
    """A list that cannot be read is not an empty one."""
    assert (Standing.UNKNOWN, "") == seen("tcp", failed(machine.CONGESTION))


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (told(machine.CONNTRACK, "17\n"), (Standing.GOOD, "17 of 262144")),
        (failed(machine.CONNTRACK), (Standing.GOOD, "not in use")),
        (failed(machine.CONNTRACK, Status.DENIED), (Standing.UNKNOWN, "denied")),
    ],
)
def test_conntrack(reply: Reply, expected: tuple[Standing, str]) -> None:
    """A module that is not loaded tracks nothing; one that may not be read is not known."""
    assert expected == seen("conntrack", reply)


V2_WITHOUT_CPU = told(machine.CGROUP2, "cpuset io memory hugetlb\n")
V1 = told(machine.CGROUP1, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us\n")


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        ((), (Standing.GOOD, "version 2")),
        ((failed(machine.CGROUP2), V1), (Standing.GOOD, "version 1")),
        ((V2_WITHOUT_CPU, V1), (Standing.GOOD, "version 1")),
        ((V2_WITHOUT_CPU,), (Standing.LIMITED, "no cpu controller")),
        ((failed(machine.CGROUP2),), (Standing.LIMITED, "no cpu controller")),
    ],
)
def test_cgroups(replies: tuple[Reply, ...], expected: tuple[Standing, str]) -> None:
    """The version is that of the hierarchy with the cpu controller."""
    assert expected == seen("cgroups", *replies)


@pytest.mark.parametrize(
    ("reply", "user", "expected"),
    [
        (told(machine.NAMESPACES, "96365\n"), "root", (Standing.GOOD, "up to 96365")),
        (told(machine.NAMESPACES, "96365\n"), "user", (Standing.LIMITED, "up to 96365")),
        (told(machine.NAMESPACES, "0\n"), "root", (Standing.MISSING, "0")),
        (failed(machine.NAMESPACES), "root", (Standing.MISSING, "absent")),
    ],
)
def test_namespaces(reply: Reply, user: str, expected: tuple[Standing, str]) -> None:
    """The lab needs room for them, and root."""
    assert expected == seen("namespaces", reply, user=user)


@pytest.mark.parametrize("reply", [told(machine.TUN, b""), failed(machine.TUN)])
def test_without_tun_delay_cannot_be_practised(reply: Reply) -> None:
    """The rest of the lab can."""
    assert (Standing.LIMITED, "") == seen("tun", reply)
    assert "modprobe tun" in advice("tun", reply)


@pytest.mark.parametrize(
    ("own", "told_by_it", "expected"),
    [
        ("3.11.7", "Python 3.9.2", (Standing.GOOD, "3.11.7", "runs fullrate")),
        ("3.10.1", "Python 3.11.2", (Standing.MISSING, "3.10.1", "runs fullrate")),
        (None, "Python 3.6.8", (Standing.GOOD, "3.6.8", "runs the agent")),
        (None, "Python 3.13.5", (Standing.GOOD, "3.13.5", "runs the agent")),
        (None, "Python 3.5.3", (Standing.MISSING, "3.5.3", "runs the agent")),
        (None, "", (Standing.LIMITED, "", "runs the agent")),
    ],
)
def test_python(own: str | None, told_by_it: str, expected: tuple[Standing, str, str]) -> None:
    """Here our own counts, on a far end its own, which may be older; an agent that answers has one."""
    found = item("python3", changed(machine_replies(), told(machine.PYTHON, told_by_it)), own)
    assert (*expected, True) == (found.standing, found.value, found.purpose, found.essential)


@pytest.mark.parametrize(("name", "topic"), [("user", Topic.RIGHTS), ("tcp", Topic.KERNEL), ("python3", Topic.PYTHON)])
def test_topics(name: str, topic: Topic) -> None:
    """Each item stands under its heading."""
    assert topic is item(name, machine_replies()).topic


@pytest.mark.parametrize("request_", machine.REQUESTS, ids=lambda request: request.key)
def test_one_answer_missing_leaves_the_others(request_: Request) -> None:
    """No item depends on one that is not its own."""
    replies = changed(machine_replies(), failed(request_))
    bad = [found.name for found in machine.machine_items(replies, OWN) if found.standing is not Standing.GOOD]
    assert len(bad) <= 2
