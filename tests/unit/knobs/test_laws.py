"""What holds of every knob there is: what is written is read, and what was found comes back.

Each has a machine in a few lines here, that takes the knob's actions and shows what the kernel or its tool would.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullrate.knobs._cpus import spelled
from fullrate.knobs._tc import ticks_of
from fullrate.records.evidence import Action, ChangeCommand, ReadFile, WriteFile
from fullrate.records.leaf import Knob
from fullrate.records.parsing import cpu_list
from fullrate.records.setting import CannotSetError, Setting, Writing
from fullrate.registry import knobs
from guarded import guard
from unit.knobs.machine import BAD_LINKS, LINK, answers, setting

FEW = st.integers(0, 4096).map(str)
LISTS = st.sets(st.integers(0, 99), min_size=1).map(spelled)
BUFFERS = st.lists(st.integers(1, 2**31 - 1), min_size=3, max_size=3).map(
    lambda three: " ".join(map(str, sorted(three)))
)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,14}", fullmatch=True)
STATES = st.sampled_from(["on", "off", "off [requested on]", "on [requested off]"])
HANDLES = st.integers(0x8000, 0xFFFE).map(lambda number: f"{number:x}:")
PRIORITIES = '"bands":3,"priomap":[1,2,2,2,1,2,0,0,1,1,1,1,1,1,1,1],"multiqueue":false'
KNOWN = answers((ReadFile(path="/proc/sys/net/core/default_qdisc"), "pfifo_fast\n"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A knob's settings, values as they are read, and its machine: what it shows of a value, and after an action."""

    settings: tuple[Setting, ...]
    values: st.SearchStrategy[str]
    shows: Callable[[str, str], str]  # (what is set, value)
    becomes: Callable[[Action, str], str]  # (action, what it is to be) -> the value after it


def file(content: str) -> str:
    """A file of the kernel."""
    return f"{content}\n"


def rows(labels: Mapping[str, str], first: str) -> Callable[[str, str], str]:
    """Two tables: the row that is asked for is the last but one of the lower."""

    def text(name: str, value: str) -> str:
        label = labels[name.rpartition(".")[2]]
        others = "".join(f"{other}:\t\tn/a\n" for other in labels.values() if other != label)
        upper = f"{label}:\t\t4096\n{others}"
        lower = f"RX Mini:\tn/a\n{others}{label}:\t\t{value}\nOther:\t\t1\n"
        return f"{first} parameters for eth3:\nPre-set maximums:\n{upper}Current hardware settings:\n{lower}"

    return text


def moderation(name: str, value: str) -> str:
    """The output of ethtool -c."""
    word = name.rpartition(".")[2]
    switches = {side: value if word == f"adaptive_{side}" else "off" for side in ("rx", "tx")}
    numbers = ("rx_usecs", "rx_frames", "tx_usecs_irq")
    lines = [f"{one.replace('_', '-')}:\t{value if one == word else 7}" for one in numbers]
    head = f"Coalesce parameters for eth3:\nAdaptive RX: {switches['rx']}  TX: {switches['tx']}\nsample-interval: n/a\n"
    return head + "\n".join(lines) + "\n"


def given_last(action: Action, _: str) -> str:
    """The last word of a command."""
    assert isinstance(action, ChangeCommand)
    return action.argv[-1]


def switched(action: Action, value: str) -> str:
    """What ethtool -K makes of a feature: the driver, or what it needs, may not let it be so."""
    word = given_last(action, value)
    requested = re.search(r"\[requested (on|off)\]", value)
    return value if requested and requested[1] == word else word


def written(action: Action, _: str) -> str:
    """What is written to a file."""
    assert isinstance(action, WriteFile)
    return action.content


def mtu(action: Action, value: str) -> str:
    """A link's by command, IPv6's by file."""
    return written(action, value) if isinstance(action, WriteFile) else given_last(action, value)


def steered(action: Action, value: str) -> str:
    """A mask in as many digits as there always are."""
    return mask(int(written(action, value).replace(",", ""), 16))


def mask(number: int, digits: int = 20) -> str:
    """Hexadecimal words of 32 bits, of a kernel that can have 80 CPUs."""
    text = f"{number:0{digits}x}"
    words = [text[max(0, end - 8) : end] for end in range(digits, 0, -8)]
    return ",".join(reversed(words))


def listed(action: Action, value: str) -> str:
    """The CPUs as the kernel writes them."""
    return spelled(cpu_list(written(action, value)))


def queue(handle: str, kind: str, options: str) -> str:
    """A qdisc as it is read."""
    return f'[{{"kind":"{kind}","handle":"{handle}","root":true, "options":{{{options}}}}}]'


def bucket(rate: int, size: int, limit: int) -> str:
    """The options of a tbf."""
    raw = ticks_of(size, rate)
    return (
        f'"rate":{rate},"burst":"{raw * 64 * rate // 10**9}b/1","mpu":0,"burst_raw":"{raw:x}","limit":{limit},'
        '"linklayer":"ethernet"'
    )


def fifo(kind: str, handle: str, limit: str) -> str:
    """A queue with a limit alone."""
    return queue(handle, kind, f'"limit":{limit}')


RATES, SIZES = st.integers(10**7, 10**10), st.integers(1, 10**8)
QUEUES = st.one_of(
    st.builds(fifo, st.sampled_from(["pfifo", "bfifo"]), HANDLES, FEW),
    st.builds(lambda handle, *numbers: queue(handle, "tbf", bucket(*numbers)), HANDLES, RATES, SIZES, SIZES),
    HANDLES.map(lambda handle: queue(handle, "pfifo_fast", PRIORITIES)),
    st.just(queue("0:", "noqueue", "")),
    st.just(queue("0:", "pfifo_fast", PRIORITIES)),
)


def made(action: Action, value: str) -> str:
    """What tc makes of its words; deleted, the kernel attaches its own."""
    assert isinstance(action, ChangeCommand)
    if action.argv[2] == "del":
        return value if '"handle":"0:"' in value else queue("0:", "noqueue", "")
    handle, kind, *words = action.argv[7:]
    options = dict(zip(words[::2], words[1::2], strict=True))
    if kind == "tbf":
        rate = int(options["rate"].removesuffix("bit")) // 8
        return queue(handle, kind, bucket(rate, int(options["burst"]), int(options["limit"])))
    return queue(handle, kind, f'"limit":{options["limit"]}' if options else PRIORITIES)


def tc(_: str, value: str) -> str:
    """Tc's line."""
    return value.replace('"root":true, ', '"root":true,"refcnt":9,') + "\n"


def of(*names: str, subject: str = LINK) -> tuple[Setting, ...]:
    """Settings of a subject; a kernel setting is its own."""
    keys = [name.removeprefix("sysctl.") for name in names]
    return tuple(setting(name, "", subject if key == name else key) for name, key in zip(names, keys, strict=True))


def feature(name: str, value: str) -> str:
    """The output of ethtool -k."""
    word = name.removeprefix("nic.feature.")
    return f"Features for eth3:\nrx-checksumming: on\n\t{word}: {value}\nlarge-receive-offload: off [fixed]\n"


def masks(name: str, queue: str) -> Case:
    """A file with a mask."""
    return Case(
        settings=of(name, subject=queue),
        values=st.integers(0, 2**80 - 1).map(mask),
        shows=lambda _, value: file(value),
        becomes=steered,
    )


RINGS = rows({"rx": "RX", "tx": "TX"}, "Ring")
CHANNELS = rows({"rx": "RX", "tx": "TX", "combined": "Combined"}, "Channel")
CASES = {
    "irq.affinity": Case(
        settings=of("irq.affinity", subject="61"), values=LISTS, shows=lambda _, value: file(value), becomes=listed
    ),
    "link.mtu": Case(settings=of("link.mtu", "link.mtu6"), values=FEW, shows=lambda _, value: file(value), becomes=mtu),
    "link.qdisc": Case(settings=of("link.qdisc"), values=QUEUES, shows=tc, becomes=made),
    "net.rps_cpus": masks("net.rps_cpus", "eth3/rx-0"),
    "net.rps_flow_cnt": Case(
        settings=of("net.rps_flow_cnt", subject="eth3/rx-0"),
        values=st.one_of(st.just("0"), st.integers(0, 24).map(lambda power: str(1 << power))),
        shows=lambda _, value: file(value),
        becomes=written,
    ),
    "net.xps_cpus": masks("net.xps_cpus", "eth3/tx-0"),
    "net.xps_rxqs": masks("net.xps_rxqs", "eth3/tx-0"),
    "nic.channels": Case(
        settings=of("nic.channels.rx", "nic.channels.tx", "nic.channels.combined"),
        values=FEW,
        shows=CHANNELS,
        becomes=given_last,
    ),
    "nic.coalesce": Case(
        settings=of("nic.coalesce.rx_usecs", "nic.coalesce.rx_frames", "nic.coalesce.tx_usecs_irq"),
        values=FEW,
        shows=moderation,
        becomes=given_last,
    ),
    "nic.feature": Case(
        settings=of("nic.feature.tx-tcp-segmentation", "nic.feature.generic-receive-offload"),
        values=STATES,
        shows=lambda name, value: (
            f"Features for eth3:\nrx: on\n\t{name.removeprefix('nic.feature.')}: {value}\nx: off [fixed]\n"
        ),
        becomes=switched,
    ),
    "nic.ring": Case(
        settings=of("nic.ring.rx", "nic.ring.tx"),
        values=FEW,
        shows=RINGS,
        becomes=given_last,
    ),
    "tcp.buffers": Case(
        settings=of("sysctl.net.ipv4.tcp_rmem", "sysctl.net.ipv4.tcp_wmem"),
        values=BUFFERS,
        shows=lambda _, value: file(value.replace(" ", "\t")),
        becomes=written,
    ),
    "tcp.congestion_control": Case(
        settings=of("sysctl.net.ipv4.tcp_congestion_control"),
        values=NAMES,
        shows=lambda _, value: file(value),
        becomes=written,
    ),
}
SWITCHES = Case(
    settings=of("nic.coalesce.adaptive_rx", "nic.coalesce.adaptive_tx"),
    values=st.sampled_from(["on", "off"]),
    shows=moderation,
    becomes=given_last,
)
EVERY = [(knob, case) for knob in knobs() for case in (CASES[knob.id], SWITCHES) if knob.takes(case.settings[0])]
each = pytest.mark.parametrize(("knob", "case"), EVERY, ids=[case.settings[0].knob for _, case in EVERY])


def back(knob: Knob, one: Setting, found: str) -> Writing:
    """What brings back what was found, as planning makes it."""
    return (knob.restores or knob.write)(replace(one, value=found), KNOWN)


def read(knob: Knob, case: Case, one: Setting, value: str) -> str | None:
    """What is read where something is so."""
    return knob.reading(one).value(case.shows(one.knob, value))


def test_every_knob_has_a_case() -> None:
    """A new knob comes with its machine, whose settings are the knob's."""
    assert sorted(CASES) == [knob.id for knob in knobs()]
    assert all(knob.takes(one) for knob in knobs() for one in CASES[knob.id].settings)


@each
@given(data=st.data())
def test_what_is_shown_is_read(knob: Knob, case: Case, data: st.DataObject) -> None:
    """Whole, and nothing beside it."""
    value = data.draw(case.values)
    assert [value] * len(case.settings) == [read(knob, case, one, value) for one in case.settings]


@each
@given(data=st.data())
def test_what_is_written_is_read_back(knob: Knob, case: Case, data: st.DataObject) -> None:
    """The action leads to the value, and the value is what is expected."""
    value = data.draw(case.values)
    for one in case.settings:
        writing = back(knob, one, value)
        after = read(knob, case, one, case.becomes(writing.action, value))
        assert value == after
        assert re.fullmatch(writing.expect, value, re.DOTALL)


@each
@given(data=st.data())
def test_a_change_and_its_inverse_leave_nothing(knob: Knob, case: Case, data: st.DataObject) -> None:
    """Whatever is set between."""
    found, wanted = data.draw(st.tuples(case.values, case.values))
    for one in case.settings:
        between = case.becomes(back(knob, one, wanted).action, wanted)
        assert found == read(knob, case, one, case.becomes(back(knob, one, found).action, found))
        assert (between == found) == (re.fullmatch(back(knob, one, found).expect, between, re.DOTALL) is not None)


@pytest.mark.parametrize("link", BAD_LINKS)
@pytest.mark.parametrize("knob", knobs(), ids=lambda knob: knob.id)
def test_what_is_no_link_is_not_asked_about(knob: Knob, link: str) -> None:
    """No request has it in it, and nothing is shown of it."""
    with suppress(CannotSetError):
        assert () == knob.survey(link)
    assert () == knob.shown(link, {})


PIECES = st.one_of(
    st.sampled_from(
        [
            "Current hardware settings:\n",
            "Pre-set maximums:\n",
            "RX:\t\t512\n",
            "Combined:\t4\n",
            "rx-usecs:\t3\n",
            "Adaptive RX: on  TX: off\n",
            "\ttx-tcp-segmentation: off [requested on]\n",
            "generic-receive-offload: on\n",
            '[{"kind":"mq","handle":"0:","root":true,"refcnt":2,"options":{}}]\n',
            "4096\t131072\t6291456\n",
            "0-3,5\n",
            "00000000,0000000f\n",
            "cubic\n",
            "1500\n",
        ]
    ),
    st.text(max_size=12),
)


@each
@given(text=st.lists(PIECES, max_size=6).map("".join))
def test_the_guard_reads_alike(knob: Knob, case: Case, text: str) -> None:
    """The program on the machine has a reader of its own."""
    readings = [knob.reading(one) for one in case.settings]
    assert [one.value(text) for one in readings] == [guard.value_of(one.pattern, text) for one in readings]
