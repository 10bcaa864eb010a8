"""Pasted text about CPUs: each fixture is recognised by its own source and by no other of all there are."""

from pathlib import Path

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.base import Fact
from fullrate.records.leaf import Scope, Source
from fullrate.registry import sources
from proc_fixtures import FIXTURES, GARBAGE, PASTED, fixture

OWNERS = {
    "debian12/machine/lscpu_p": "cpu_places",
    "debian12/machine/proc_cmdline": "kernel_command_line",
    "debian12/machine/proc_cpuinfo": "cpu_clock",
    "debian13/machine/lscpu_p": "cpu_places",
    "debian13/machine/proc_cmdline": "kernel_command_line",
    "debian13/machine/proc_cpuinfo": "cpu_clock",
    "recorded/linux-6.18/cpu_clock": "cpu_clock",
    "recorded/linux-6.18/cpu_idle_states": "cpu_idle_states",
    "recorded/linux-6.18/cpu_isolation": "cpu_isolation",
    "recorded/linux-6.18/lscpu_p": "cpu_places",
    "recorded/linux-6.18/process_threads": "process_threads",
    "recorded/linux-6.18/ps_eL": "running_threads",
    "recorded/reports/cpufreq": "cpu_frequency",
    "recorded/reports/isolation_debian12": "cpu_isolation",
    "recorded/reports/isolation_debian13": "cpu_isolation",
    "recorded/reports/thermal_throttle": "cpu_throttling",
}
MINE = (
    *("cpu_clock", "cpu_frequency", "cpu_idle_states", "cpu_isolation", "cpu_places", "cpu_pressure", "cpu_throttling"),
    *("kernel_command_line", "napi_threaded", "process_threads", "running_threads", "setting_owners", "tuned_profile"),
)
SOURCES: dict[str, Source] = {source.id: source for source in sources()}
SCOPE = Scope(links=("eth0",), pids=(11,), cgroups=((1, "/a"), (2, "/b")), ports=(5201,))
owners = pytest.mark.parametrize("name", OWNERS)


def claims(text: str) -> list[str]:
    """The sources that take a text for their own."""
    return [source.id for source in SOURCES.values() if source.recognizes(text)]


def facts_or_none(source: Source, payload: bytes) -> tuple[Fact, ...]:
    """What a source reads, nothing when it refuses."""
    try:
        return source.parse(PASTED, payload)
    except FormatError:
        return ()


@owners
def test_one_source_claims_a_fixture(name: str) -> None:
    """The source that can read it claims it, and nobody else does."""
    assert [OWNERS[name]] == claims(fixture(f"{name}.txt").decode())


@owners
def test_prompt_of_a_paste_changes_nothing(name: str) -> None:
    """People paste the command along with its answer: same owner, same facts."""
    source, payload = SOURCES[OWNERS[name]], fixture(f"{name}.txt")
    prompted = b"root@nas:~# the command\n" + payload
    assert ([source.id], source.parse(PASTED, payload)) == (claims(prompted.decode()), source.parse(PASTED, prompted))


@owners
def test_a_cut_fixture_is_read_or_refused(name: str) -> None:
    """Wherever a paste or a reply is cut off, the answer is facts of the right kind or FormatError."""
    source, payload = SOURCES[OWNERS[name]], fixture(f"{name}.txt")
    cuts = [payload[: len(payload) * part // 11] for part in range(11)]
    assert all(isinstance(fact, source.facts) for cut in cuts for fact in facts_or_none(source, cut))


@pytest.mark.parametrize("folder", ["debian12", "debian13", "recorded"])
def test_claims_no_other_fixture(folder: str) -> None:
    """What other sources read is none of these."""
    names = sorted(Path(FIXTURES, folder).rglob("*.txt"))
    others = [name for name in names if str(name.relative_to(FIXTURES)).removesuffix(".txt") not in OWNERS]
    texts = {str(name): name.read_bytes().decode(errors="replace") for name in others}
    assert [] == [(name, mine) for name, text in texts.items() for mine in MINE if SOURCES[mine].recognizes(text)]


@pytest.mark.parametrize("text", ["", "\n", "hello\n", GARBAGE.decode(errors="replace"), "0\n", "1 2 3\n", "/a:b\n"])
def test_nobody_claims_other_text(text: str) -> None:
    """What no source can read is claimed by none."""
    assert [] == [mine for mine in MINE if SOURCES[mine].recognizes(text)]


@pytest.mark.parametrize("name", MINE)
def test_every_request_has_one_owner(name: str) -> None:
    """The reply to a request goes to the source that asked, and to no other."""
    requests = SOURCES[name].requests(SCOPE)
    assert [[name]] * len(requests) == [
        [other.id for other in SOURCES.values() if other.answers(request)] for request in requests
    ]


@pytest.mark.parametrize("name", MINE)
def test_answers_no_other_request(name: str) -> None:
    """What the others ask does not come here."""
    everything = [request for other in SOURCES.values() for request in other.requests(SCOPE)]
    mine = SOURCES[name].requests(SCOPE)
    assert list(mine) == [request for request in everything if SOURCES[name].answers(request)]
