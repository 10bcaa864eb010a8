"""Bytes to plain text: encodings, carriage returns, colours, HTML, quote marks; what terminals and forums add."""

import codecs
import html
import itertools
import re
from collections.abc import Callable

_LOOKED_AT = 8192  # bytes, for a zero that no text has
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}  # PowerShell's `>` writes it
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|\x1b[@-Z\\-_()][0-9A-B]?")
_OTHER = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\ufeff]")
_SPACES = re.compile(r"[\u00a0\u2007\u202f]")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#\d{1,7}|#x[0-9a-fA-F]{1,6});")
# Of a web page's own; a kernel prints <UP,LOWER_UP> and <host> too.
_TAG = re.compile(
    r"</?(?:pre|code|p|br|div|span|blockquote|li|ul|ol|b|i|em|strong|tt|details|summary)(?: [^<>]{0,200})?/?>"
)
_BREAK = re.compile(r"<(?:br|/p|/div|/pre|/li)(?: [^<>]{0,200})?/?>\n?")
_QUOTED = re.compile(r"(?:> ?)+(?=\S|$)|(?:> )+")
# What stands before every line of a log that a terminal or `ts` wrote, or of a listing with numbers.
_STAMPS = (
    re.compile(r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?:? ?"),
    re.compile(r"\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]? ?"),
    re.compile(r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?!\S+ kernel:)"),
)
_NUMBERED = re.compile(r"\s{0,6}(\d{1,6})(?:\s?[|\u2502] ?|\t|[.)]? )")
_FEWEST = 3  # lines, before a prefix of all of them is one


def text_of(data: bytes) -> str | None:
    """The text in bytes, as plain lines; None when they are no text."""
    encoding = next((name for mark, name in _UTF16.items() if data.startswith(mark)), None)
    if encoding is None and b"\0" in data[:_LOOKED_AT]:
        return None
    return plain(data.decode(encoding or "utf-8", errors="replace"))


def plain(text: str) -> str:
    """The text without what a terminal or a web page added to it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _SPACES.sub(" ", _OTHER.sub("", _COLOURS.sub("", text)))
    if _ENTITY.search(text) or "<pre" in text or "<br" in text:
        text = _SPACES.sub(" ", html.unescape(_TAG.sub("", _BREAK.sub("\n", text))))
    return unquoted(text)


def unquoted(text: str) -> str:
    """The text without the `> ` of a quotation: nothing that is pasted begins with one."""
    if ">" not in text:
        return text
    return "\n".join(_QUOTED.sub("", line, count=1) if line.startswith(">") else line for line in text.split("\n"))


def without_prefix(text: str) -> str | None:
    """The text without the time, or the number, that stands before each of its lines; None where there is none."""
    for strip in (_unstamped, _unnumbered):
        found = strip(text.split("\n"))
        if found is not None:
            return "\n".join(found)
    return None


def _unstamped(lines: list[str]) -> list[str] | None:
    return next((found for stamp in _STAMPS if (found := _stripped(lines, stamp.match)) is not None), None)


def _stripped(lines: list[str], match: Callable[[str], re.Match[str] | None]) -> list[str] | None:
    said = [line for line in lines if line.strip()]
    if len(said) < _FEWEST or not all(map(match, said)):
        return None
    return [line[found.end() :] if (found := match(line)) else line for line in lines]


def _unnumbered(lines: list[str]) -> list[str] | None:
    blank = sum(1 for _ in itertools.takewhile(lambda line: not line.strip(), reversed(lines)))
    lines = lines[: len(lines) - blank]
    found = list(map(_NUMBERED.match, lines))
    numbers = [int(one[1]) for one in found if one is not None]
    if len(lines) < _FEWEST or numbers != list(range(1, len(lines) + 1)):
        return None
    return [line[one.end() :] for line, one in zip(lines, found, strict=True) if one is not None]
