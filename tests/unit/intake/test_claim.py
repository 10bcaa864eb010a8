"""Who reads a part."""

import pytest

from fullrate import registry
from fullrate.intake.claim import UNNAMED, Claim, facts_of, printed, requests_of
from fullrate.records.evidence import DumpSockets
from fullrate.records.facts.ethtool import NicCounters
from fullrate.records.leaf import Source
from unit.intake.build import DMESG, INTERRUPTS, RUN, SETTINGS, STATS, claim, part, readers, traffic, why


def read_by(found: Claim) -> tuple[str | None, str]:
    """The source and the request of a claim."""
    return (found.source.id if found.source else None, found.request.key if found.request else "")


def test_by_its_command() -> None:
    """The request is the command that was typed."""
    found = claim(part(STATS, command=("ethtool", "-S", "eth0"), link="eth0"))
    assert ("ethtool_statistics", "run ethtool -S eth0") == read_by(found)


def test_a_command_without_its_link_gets_one() -> None:
    """Of ethtool the last word is the link; a file's name may have lost it."""
    found = claim(part(STATS, command=("ethtool", "-S")))
    assert ("ethtool_statistics", f"run ethtool -S {UNNAMED}") == read_by(found)


def test_by_its_path() -> None:
    """A file of the host is what was read."""
    assert ("interrupts", "read /proc/interrupts") == read_by(claim(part(INTERRUPTS, path="/proc/interrupts")))


@pytest.mark.parametrize(
    ("text", "key"),
    [(STATS, f"run ethtool -S {UNNAMED}"), (SETTINGS, f"run ethtool {UNNAMED}"), (INTERRUPTS, "read /proc/interrupts")],
)
def test_by_its_content(text: str, key: str) -> None:
    """What nothing names is recognised, and the request is one that would have brought it."""
    assert key == read_by(claim(part(text)))[1]


def test_a_wrong_name_does_not_hide_the_content() -> None:
    """The source that the name points to cannot read it; another knows it."""
    assert "ethtool_link" == read_by(claim(part(SETTINGS, command=("ethtool", "-S", "eth0"))))[0]


def test_times_before_every_line_are_taken_away() -> None:
    """A terminal's log is read as what it holds."""
    text = "".join(f"[12:00:01] {line}\n" for line in SETTINGS.splitlines())
    assert "ethtool_link" == read_by(claim(part(text)))[0]


def test_a_traffic_program_reads_its_own() -> None:
    """Its output is a trial's, not a fact's."""
    found = claim(part(RUN), traffic())
    assert ("traffic", None) == (found.generator and found.generator.id, found.source)


def test_the_command_line_is_shown_to_traffic_programs() -> None:
    """It tells of options that the output does not."""
    assert f"$ iperf3 -c a -R\n{RUN}" == printed(part(RUN, typed="iperf3 -c a -R"))


def test_prose_is_nobodys() -> None:
    """It is said that nobody knows it."""
    assert "no source knows this text" == why(part("My link is slow, what can I do?"))


def test_words_around_an_output_are_told_apart() -> None:
    """What somebody wrote below, or above, does not hide it; each keeps its place."""
    text = f"My link is slow.\n\n{STATS}\nWhat can I do?\n\nThanks!"
    found = readers().claims(part(text))
    assert [("My link is slow.", 1), (STATS.strip(), 3), ("What can I do?\n\nThanks!", 7)] == [
        (one.part.text, one.part.line) for one in found
    ]
    assert [False, True, False] == [isinstance(one, Claim) for one in found]


def test_an_output_with_blank_lines_stays_whole() -> None:
    """Paragraphs are tried only when nobody reads it as it is."""
    assert 1 == len(readers().claims(part(SETTINGS.replace("\tLink", "\n\tLink"))))


def test_an_output_among_a_traffic_programs_own_is_told_apart() -> None:
    """A program's tables do not swallow the screen above them, nor the setting below."""
    found = readers(traffic()).claims(part(f"It is slow.\n\n{INTERRUPTS}\n{RUN}\nwith\n\n{SETTINGS}"))
    claims = [one for one in found if isinstance(one, Claim)]
    assert "traffic" == (claims[0].generator and claims[0].generator.id)
    assert ["interrupts", "ethtool_link"] == [one.source.id for one in claims if one.source]
    assert RUN.strip() in claims[0].part.text
    assert "Settings for" not in claims[0].part.text


@pytest.mark.parametrize("text", [f"Before:\n{STATS}", f"{STATS}and what now?", f"Look:\n{STATS}and now?"])
def test_a_line_right_at_an_output_does_not_hide_it(text: str) -> None:
    """A heading of somebody's own, a question below."""
    found = readers().claims(part(text.replace("NIC statistics:\n", "")))
    assert ["ethtool_statistics"] == [one.source.id for one in found if isinstance(one, Claim) and one.source]


def test_tables_below_another_commands_output_are_told_apart() -> None:
    """As who pastes a test below a route, without its command."""
    text = f"192.0.2.2 dev eth0 src 192.0.2.1 uid 0\n    cache\n{RUN}"
    found = readers(traffic()).claims(part(text, command=("ip", "route", "get", "192.0.2.2")))
    claims = [one for one in found if isinstance(one, Claim)]
    assert [("ip_route", None), (None, "traffic")] == [
        (one.source and one.source.id, one.generator and one.generator.id) for one in claims
    ]


def test_lines_between_tables_are_told_apart() -> None:
    """Without a blank line, too."""
    found = readers(traffic()).claims(part(f"{SETTINGS}{RUN}"))
    assert [RUN.strip(), SETTINGS.strip()] == [one.part.text.strip() for one in found]


def test_a_traffic_program_alone_keeps_all_of_its_text() -> None:
    """Blank lines stand between its tables."""
    text = f"It is slow.\n\n{RUN}\n{RUN}"
    (found,) = readers(traffic()).claims(part(text))
    assert text == found.part.text


def test_why_the_named_source_failed_is_said() -> None:
    """A reader can see what is wrong with the piece."""
    assert why(part("nothing like it", command=("ethtool", "-S", "eth0"))).startswith("ethtool_statistics: ")


def test_only_named() -> None:
    """A sosreport's names say what its files are: content is not searched."""
    assert "no source knows this text" == why(part(STATS, path="/etc/motd"), only_named=True)


def test_facts_of_a_claim() -> None:
    """What the source makes of it."""
    found = facts_of(claim(part(STATS)))
    assert [3740] == [fact.counters["rx_missed"] for fact in found if isinstance(fact, NicCounters)]


@pytest.mark.parametrize("source", registry.sources(), ids=lambda source: source.id)
def test_every_source_has_a_request_for_a_pasted_text(source: Source) -> None:
    """Else what it recognises could not be kept as a reply; only the kernel's bytes are never pasted."""
    assert requests_of(source, "eth0") or source.answers(DumpSockets(ports=(1,)))


@pytest.mark.parametrize(("text", "sources"), [(RUN + DMESG + RUN, ["dmesg"]), (RUN, []), (DMESG, ["dmesg"])])
def test_what_the_kernel_logs_between_the_lines_of_a_run_is_read(text: str, sources: list[str]) -> None:
    """A serial console shows both."""
    found = [one for one in readers(traffic()).claims(part(text)) if isinstance(one, Claim)]
    assert sources == [one.source.id for one in found if one.source]


@pytest.mark.parametrize(
    "text",
    [
        "netlink error: Operation not supported\n",
        "Ring parameters for eth0:\nCannot get device ring settings: Operation not supported\n",
        "Channel parameters for eth0:\nCannot get device channel parameters\n: Operation not supported\n",
    ],
)
def test_a_refusal_is_an_answer(text: str) -> None:
    """The driver offers no such thing: that is known, and holds no facts."""
    found = claim(part(text, command=("ethtool", "-g", "eth0"), link="eth0"))
    assert ("ethtool_rings", True, ()) == (found.source and found.source.id, found.refused, facts_of(found))


def test_a_refusal_among_other_words_is_none() -> None:
    """What somebody wrote about it is no answer."""
    text = "I tried it\nand again\nbut it says\nOperation not supported\n"
    assert why(part(text, command=("ethtool", "-g", "eth0"), link="eth0")).startswith("ethtool_rings: ")
