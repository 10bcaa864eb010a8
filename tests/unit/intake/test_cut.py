"""Pastes cut into pieces: prompts, fences, headings, titles."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullrate.intake import cut as cutting
from fullrate.intake.cut import Piece, cut
from fullrate.records.ends import End

STATS = "NIC statistics:\n     rx_missed: 3740"
SETTINGS = "Settings for eth0:\n\tSpeed: 1000Mb/s"


def commands(text: str) -> list[tuple[str, ...] | None]:
    """The commands of the pieces."""
    return [piece.command for piece in cut(text)]


def only(text: str) -> Piece:
    """The one piece that has a text."""
    found = [piece for piece in cut(text) if piece.text]
    assert 1 == len(found)
    return found[0]


@pytest.mark.parametrize(
    "prompt",
    [
        "root@nas:~# ethtool -S eth0",
        "[root@nas ~]# ethtool -S eth0",
        "user@nas:/home/user$ sudo ethtool -S eth0",
        "user@nas ~ % ethtool -S eth0",
        "@nas ~  # ethtool -S eth0",
        "(venv) user@nas:~$ ethtool -S eth0 | grep miss",
        "root@nas:~# /sbin/ethtool --statistics eth0",
    ],
)
def test_a_prompt_names_host_and_command(prompt: str) -> None:
    """The forms of shells' prompts with a host's name."""
    found = only(f"{prompt}\n{STATS}\n")
    assert ("nas", ("ethtool", "-S", "eth0"), STATS) == (found.host, found.command, found.text)


@pytest.mark.parametrize(
    "line",
    [
        "$ ethtool -S eth0",
        "# ethtool -S eth0",
        "#ethtool -S eth0",
        "% ethtool -S eth0",
        "~$ ethtool -S eth0",
        "/etc# ethtool -S eth0",
        "nas# ethtool -S eth0",
        "ethtool -S eth0",
        "+ ethtool -S eth0",
        "=== ethtool -S eth0 ===",
        "### ethtool -S eth0",
        "----- ethtool -S eth0 -----",
        "**ethtool -S eth0**",
        "Here is ethtool -S eth0:",
        "Every 1.0s: ethtool -S eth0             nas: Mon Nov 30",
    ],
)
def test_a_line_may_be_a_command_without_a_host(line: str) -> None:
    """Bare prompts, headings, `set -x`, watch, and a sentence that ends in the command."""
    assert ("ethtool", "-S", "eth0") == only(f"{line}\n{STATS}\n").command


@pytest.mark.parametrize("prompt", ["C:\\iperf>", "PS C:\\Users\\me> "])
def test_prompts_of_windows(prompt: str) -> None:
    """A client there is as good."""
    assert ("iperf3", "-c", "nas") == only(f"{prompt}iperf3.exe -c nas\nConnecting to host nas, port 5201").command


@pytest.mark.parametrize(
    "text",
    [
        f"The output of `ethtool -S eth0`:\n\n```\n{STATS}\n```",
        f"Output of ethtool -S eth0:\n```text\n{STATS}\n```\n",
        f"ethtool -S eth0\n~~~\n{STATS}\n~~~\n",
        f"```\n$ ethtool -S eth0\n{STATS}\n```\n",
        f"[code]ethtool -S eth0\n{STATS}\n[/code]".replace("[code]", "[code]\n"),
    ],
)
def test_fences_hold_the_output_of_what_stands_above(text: str) -> None:
    """Whether the command is in the fence, in the sentence above, or the line above."""
    found = next(piece for piece in cut(text) if piece.text == STATS)
    assert ("ethtool", "-S", "eth0") == found.command


def test_words_around_a_fence_are_a_piece_of_their_own() -> None:
    """Prose is kept, apart from the output."""
    found = cut(f"My link is slow.\n```\n{STATS}\n```\nWhat is wrong?")
    assert ["My link is slow.", STATS, "What is wrong?"] == [piece.text for piece in found]


def test_several_commands_in_one_paste() -> None:
    """Each output goes with the command above it."""
    text = f"root@a:~# ethtool eth0\n{SETTINGS}\nroot@a:~# ethtool -S eth0\n{STATS}\nroot@a:~#\n"
    assert [("ethtool", "eth0"), ("ethtool", "-S", "eth0")] == commands(text)


def test_outputs_without_any_prompt_are_cut_at_their_titles() -> None:
    """What one command prints first ends what the one before it printed."""
    assert [SETTINGS, STATS] == [piece.text for piece in cut(f"{SETTINGS}\n{STATS}\n")]


def test_a_title_under_its_command_begins_nothing() -> None:
    """The command above it is its own."""
    assert [("ethtool", "eth0")] == commands(f"$ ethtool eth0\n{SETTINGS}")


def test_the_rule_above_iperf3s_title_stays() -> None:
    """A server prints a line of dashes first."""
    text = "-----------\nServer listening on 5201\n-----------\nAccepted connection from 192.0.2.1, port 5"
    assert 1 == len(cut(text))


def test_runs_of_iperf3_stay_together() -> None:
    """Its generator cuts them, and knows better."""
    text = "$ iperf3 -c a\nConnecting to host a, port 5201\n[ ID] Interval\nConnecting to host a, port 5201\n[ ID]"
    assert 1 == len(cut(text))


def test_an_output_of_iperf3_after_another_begins_a_piece() -> None:
    """It is no part of what stands above."""
    assert [SETTINGS, "Connecting to host a, port 5201"] == [
        piece.text for piece in cut(f"{SETTINGS}\nConnecting to host a, port 5201")
    ]


@pytest.mark.parametrize(
    ("word", "end"),
    [
        ("receiver:", End.FAR),
        ("# Client side", End.NEAR),
        ("and from my client:", End.NEAR),
        ("On the server:", End.FAR),
    ],
)
def test_a_line_may_say_whose_output_follows(word: str, end: End) -> None:
    """Sender and client are the near end."""
    assert end is only(f"{word}\n{STATS}").end


def test_a_command_may_go_on_below() -> None:
    """A backslash joins the lines."""
    assert ("iperf3", "-c", "a", "-P", "4") == only("$ iperf3 -c a \\\n   -P 4\nConnecting to host a").command


@pytest.mark.parametrize("line", ["# receiver is here", "#  CPU    %usr", "# of packets: 5", "1000 # comment"])
def test_comments_are_no_commands(line: str) -> None:
    """After a `#` only a known program is one."""
    assert [None] == commands(f"{line}\nmore")


def test_a_piece_says_where_it_begins() -> None:
    """The line number is that of the output's first line."""
    assert [1, 4] == [piece.line for piece in cut(f"{SETTINGS}\n$ ethtool -S eth0\n{STATS}")]


def test_pieces_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes after many pieces stays in one."""
    monkeypatch.setattr(cutting, "MAX_PIECES", 2)
    assert 2 == len(cut("\n".join(f"$ cmd{number}\nout" for number in range(9))))


@given(st.text(alphabet="#$> `\n:=abeh toli-S01@[]\\", max_size=300))
def test_no_line_of_output_is_lost(text: str) -> None:
    """Every line is in a piece, is a command or a mark, and pieces keep their order."""
    found = cut(text)
    assert all(one.line <= other.line for one, other in pairwise(found))


def test_cutting_takes_linear_time() -> None:
    """A megabyte of lines like prompts is cut at once."""
    begun = time.process_time()
    cut("user@host:" + "a" * 350 + "\n" + ("= " * 150 + "\n") * 2000)
    assert time.process_time() - begun < 2


def test_a_command_that_goes_on_without_end() -> None:
    """A thousand lines that end in a backslash are no command: each would be kept with all before it."""
    found = cut("$ x \\\n" + ("y" * 300 + " \\\n") * 1000)
    assert 5_000_000 > sum(len(piece.said) for piece in found)


def test_output_below_a_command_of_two_lines() -> None:
    """It begins below both."""
    assert 3 == only("$ iperf3 -c a \\\n   -P 4\nConnecting to host a").line


@pytest.mark.parametrize("heading", ["host A:", "Host B :", "### node 2 ###", "on the NAS:", "Server 1:", "=== VM ==="])
def test_a_heading_names_a_machine(heading: str) -> None:
    """Of several in a text each has its own, as with prompts."""
    assert only(f"{heading}\n{SETTINGS}\n").host


@pytest.mark.parametrize("line", ["host", "on the NAS", "The NAS is slow:", "host unreachable:", "guest network:"])
def test_prose_names_none(line: str) -> None:
    """Words about machines."""
    assert None is next(piece for piece in cut(f"{line}\n$ ethtool eth0\n{SETTINGS}\n") if piece.command).host
