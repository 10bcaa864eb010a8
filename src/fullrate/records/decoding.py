"""JSON of somebody else's as a record."""

from typing import TypeVar

import msgspec

from fullrate.records.errors import FormatError

T = TypeVar("T")


def decoded(text: bytes | str, kind: type[T], *, strict: bool = True) -> T:
    """The document as `kind`, unknown keys ignored; not `strict`: numbers may stand for true and false.

    Raises FormatError: no JSON, not of that form, no UTF-8, or nested deeper than an interpreter goes.
    """
    try:
        return msgspec.json.decode(text, type=kind, strict=strict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(str(error)) from error
