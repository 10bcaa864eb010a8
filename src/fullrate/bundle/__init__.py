"""A whole run in one file."""

from fullrate.bundle.form import (
    ANOTHER_FILE,
    CONTENTS,
    SUFFIX,
    is_bundle,
    pack,
    read_bundle,
    unpack,
    write_bundle,
)

__all__ = ["ANOTHER_FILE", "CONTENTS", "SUFFIX", "is_bundle", "pack", "read_bundle", "unpack", "write_bundle"]
