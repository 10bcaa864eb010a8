"""Every cause has a page that a person can work from: whole, short, with sources and with commands that exist."""

import importlib
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from click import Context

from fullrate.explaining import explain, page_of
from fullrate.records.causes import CAUSES
from fullrate.records.evidence import QueryCommand
from fullrate.records.explanation import Block, Explained, Kind, Page
from fullrate.records.leaf import Scope
from fullrate.registry import sources
from fullrate.report.explanation import render_explanation

PAGES = Path(__file__).parents[2] / "src" / "fullrate" / "data" / "causes"
WIDTH, LONGEST = 80, 60  # what a terminal shows at once, and a half more
EVERYTHING = Scope(
    links=("eth0",),
    pids=(1,),
    cgroups=((2, "/a"),),
    ports=(5201,),
    tables=(("iptables-save", "filter"),),
)
# What the pages name besides the programs that the sources run, by the package that has it.
TOOLS = frozenset(
    {
        *("cat", "dd", "echo", "ls", "nice", "uname"),  # coreutils
        *("ps", "top"),  # procps
        *("lsusb", "lspci", "modinfo", "rfkill", "taskset"),  # usbutils, pciutils, kmod, util-linux
        *("devlink", "nstat", "ping", "tcpdump"),  # iproute2, iputils, tcpdump
        *("iostat", "mpstat", "sar"),  # sysstat
        *("iptables", "iptables-legacy", "conntrack", "firewall-cmd"),
        *("cpupower", "numactl", "numastat", "perf", "sensors", "strace", "tuned-adm", "vcgencmd"),
        *("journalctl", "systemctl", "docker", "virsh"),
        *("ovs-appctl", "ovs-dpctl", "ovs-vsctl"),
        *("iperf", "iw", "fullrate"),
    }
)
SPAN = re.compile(r"`([^`]+)`")
NEIGHBOURS = re.compile(r"((?:`[a-z0-9-]+`(?:, )?)+): \S")
# A manual page, a standard, a file of the kernel, or an address of the web.
SOURCE = re.compile(
    r"\w\(\d\)|RFC \d{3,}|IEEE 802|\w+/[\w./-]+\.(?:c|h|rst|txt|yaml)|ABI/|net/|https://|SFF-|[Ss]pecification"
)


def blocks(page: Page) -> Iterator[Block]:
    """Every block of a page."""
    for field in fields(Page):
        yield from getattr(page, field.name)


def commands(block: Block) -> list[str]:
    """The commands in a block: a line to copy, and marked words of more than one that begin with no dash."""
    if block.kind is Kind.COMMAND:
        return [block.text]
    return [span for span in SPAN.findall(block.text) if " " in span and not span.startswith("-")]


def neighbours(page: Page) -> list[str]:
    """The causes that a page tells its own from."""
    return [slug for block in page.neighbours for slug in SPAN.findall(block.text.partition(": ")[0])]


def known() -> frozenset[str]:
    """The programs that a page may name."""
    asked = (request for source in sources() for request in source.requests(EVERYTHING))
    return TOOLS | {request.argv[0] for request in asked if isinstance(request, QueryCommand)}


def verbs() -> set[str]:
    """The verbs of the command line."""
    group = importlib.import_module("fullrate.cli").app
    return set(group.list_commands(Context(group)))


every_cause = pytest.mark.parametrize("slug", CAUSES)


@pytest.fixture(scope="module")
def told() -> dict[str, Explained]:
    """Every cause by its slug."""
    return {each.cause: each for each in explain().causes}


def test_every_page_has_a_cause() -> None:
    """No page is left of a cause that is gone, and no cause has none."""
    assert sorted(CAUSES) == sorted(path.stem for path in PAGES.iterdir())


@every_cause
def test_a_page_fits(told: dict[str, Explained], slug: str) -> None:
    """It has at most 60 lines of 80 columns, commands among them."""
    lines = render_explanation(told[slug], WIDTH).splitlines()
    assert (True, []) == (len(lines) <= LONGEST, [line for line in lines if len(line) > WIDTH])


@every_cause
def test_a_page_is_plain(slug: str) -> None:
    """Its file reads as well as its page: 80 columns, nothing but ASCII."""
    text = (PAGES / f"{slug}.md").read_text(encoding="utf-8")
    wide = [line for line in text.splitlines() if len(line) > WIDTH and "://" not in line]
    assert (True, []) == (text.isascii(), wide)


@every_cause
def test_neighbours_are_causes(slug: str) -> None:
    """Each is a known slug with words after it, and not the cause itself."""
    page = page_of(slug)
    assert all(NEIGHBOURS.match(block.text) for block in page.neighbours)
    assert set() == set(neighbours(page)) - set(CAUSES) | ({slug} & set(neighbours(page)))


@every_cause
def test_a_fix_says_how_to_go_back(slug: str) -> None:
    """By its undo, or by saying that there is nothing to undo."""
    assert re.search(r"\b[Uu]ndo\b", " ".join(block.text for block in page_of(slug).fix))


@every_cause
def test_a_mistake_is_more_than_one(slug: str) -> None:
    """People try more than one wrong thing."""
    assert 2 <= len(page_of(slug).mistakes)


@every_cause
def test_sources_can_be_looked_up(slug: str) -> None:
    """Each names a manual page, a standard, a file or an address."""
    assert [] == [block.text for block in page_of(slug).sources if not SOURCE.search(block.text)]


@every_cause
def test_commands_exist(slug: str) -> None:
    """Each begins with a program that a source runs or that a person knows."""
    named = [command for block in blocks(page_of(slug)) for command in commands(block)]
    assert [] == [command for command in named if command.split()[0] not in known()]


@every_cause
def test_verbs_exist(slug: str) -> None:
    """What a page tells to type of our own can be typed."""
    named = [command.split() for block in blocks(page_of(slug)) for command in commands(block)]
    assert set() == {words[1] for words in named if words[0] == "fullrate"} - verbs()


def test_commands_are_found() -> None:
    """The tests above ask something: pages name commands in lines and within sentences."""
    page = page_of("irq-single-cpu")
    found = [command.split()[0] for block in blocks(page) for command in commands(block)]
    assert {"grep", "cat", "echo", "mpstat"} <= set(found)


def test_a_foreign_command_is_found() -> None:
    """A program that nobody knows would be told."""
    (command,) = commands(Block(kind=Kind.ITEM, text="`speedup --net now` and `eth0`, `-P 4`"))
    assert ("speedup", False) == (command.split()[0], command.split()[0] in known())


def test_every_cause_is_some_page_s_neighbour() -> None:
    """Whoever reads about the wrong cause finds the right one: no page is an island."""
    named = {slug for each in CAUSES for slug in neighbours(page_of(each))}
    assert [] == [slug for slug in CAUSES if slug not in named]
