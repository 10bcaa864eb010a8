"""What the parsers of JSON share. Binds no SOURCE."""

import re
from typing import TypeVar

from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError

T = TypeVar("T")
_DIGITS = re.compile(r"[0-9]{21}")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[0-9]{21,}')  # strings as well, whose digits are no number
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def is_json(payload: bytes) -> bool:
    """Whether the answer is a JSON list."""
    return payload.lstrip().startswith(b"[")


def decode(payload: bytes, kind: type[T], *, wanted: str) -> T:
    """The JSON document as `kind`; unknown keys are ignored. Raises FormatError.

    iproute2 writes a link's name as it is (lib/json_writer.c), and the kernel takes any byte but white space, `/` and
    `:` in one (dev_valid_name in net/core/dev.c): one odd name must not hide the other links.
    """
    text = _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", payload.decode(errors="replace"))
    if any(map(_is_huge, _TOKEN.findall(text) if _DIGITS.search(text) else ())):
        raise FormatError(f"not the JSON of {wanted}: a number that no kernel has")
    try:
        return decoded(text, kind)
    except FormatError as error:
        raise FormatError(f"not the JSON of {wanted}: {error}") from error


def _is_huge(token: str) -> bool:
    return token[:1] != '"'
