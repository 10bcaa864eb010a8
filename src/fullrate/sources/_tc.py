"""What the parsers of `tc` share: statistics, sizes and rates in words, the shapers' rates in JSON. Binds no SOURCE.

JSON rates are bytes per second (iproute2's tc/tc_util.c, tc_print_rate); the text prints bits, by powers of 1000.
Sizes in words are rounded powers of 1024 (lib/utils.c, print_size), so a text's backlog and burst are approximate.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fullrate.records.errors import FormatError
from fullrate.records.parsing import bit_rate, decimal, whole
from fullrate.records.units import BITS_PER_BYTE, BitsPerSecond, Bytes
from fullrate.sources._text import lines_of

_SENT = re.compile(r"Sent (\d+) bytes (\d+) pkt \(dropped (\d+), overlimits (\d+) requeues (\d+)\)")
_BACKLOG = re.compile(r"^[ \t]*(?:rate \S+ \S+ )?backlog (\S+) \d+p requeues \d+", re.MULTILINE)
_SIZE = re.compile(r"(\d+(?:\.\d+)?)([KMG]?)b?")
_POWER = {"": 0, "K": 1, "M": 2, "G": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """The counters below a qdisc or class; all zero when `tc` ran without -s."""

    sent_bytes: int = 0
    sent_packets: int = 0
    dropped: int = 0
    overlimits: int = 0
    requeues: int = 0
    backlog: Bytes = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One qdisc or class in words: its own line, and what stands below it."""

    head: str
    below: str


def blocks(payload: bytes, word: str) -> Iterator[Block]:
    """The blocks that begin with `word`. Raises FormatError when the text begins with anything else."""
    starts: list[list[str]] = []
    for line in lines_of(payload):
        if line.startswith(f"{word} "):
            starts.append([line])
        elif not starts or not line[0].isspace():
            raise FormatError(f"{line!r} is not of tc {word} show")
        else:
            starts[-1].append(line)
    return (Block(head=lines[0], below="\n".join(lines[1:])) for lines in starts)


def statistics(block: Block) -> Statistics:
    """The block's counters. Raises FormatError when they are cut short."""
    sent = _SENT.search(block.below)
    if sent is None:
        if "Sent" in block.below:
            raise FormatError(f"the counters below {block.head!r} are cut short")
        return Statistics()
    backlog = _BACKLOG.search(block.below)
    return Statistics(
        sent_bytes=whole(sent[1]),
        sent_packets=whole(sent[2]),
        dropped=whole(sent[3]),
        overlimits=whole(sent[4]),
        requeues=whole(sent[5]),
        backlog=size(backlog[1]) if backlog else 0,
    )


def size(word: str) -> Bytes:
    """Bytes of a size as tc prints it: 60564b, 32Kb, 4Mb. Raises FormatError."""
    match = _SIZE.fullmatch(word)
    if match is None:
        raise FormatError(f"{word!r} is no size as tc prints it")
    return int(decimal(match[1]) * 1024 ** _POWER[match[2]])


def rate(head: str, *names: str) -> BitsPerSecond | None:
    """The rate that follows one of the names; None when there is none, or it is unlimited."""
    match = re.search(rf"\s(?:{'|'.join(names)}) (\d+\S*bit)\b", head)
    return bit_rate(match[1]) if match else None


def bits(value: object) -> BitsPerSecond | None:
    """The rate of a JSON number in bytes per second; None for a word (`unlimited`) or nothing."""
    return float(value * BITS_PER_BYTE) if isinstance(value, int) and not isinstance(value, bool) else None
