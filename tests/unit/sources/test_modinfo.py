"""The parser of `modinfo`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.facts.kernel_log import KernelModule
from fullrate.sources.modinfo import SOURCE
from tool_output import GARBAGE
from unit.sources.pasted import ASKED, pasted


def test_a_module_from_outside_the_kernel() -> None:
    """Its file and its own version."""
    expected = KernelModule(
        subject="r8125", path="/lib/modules/4.19.0-9-amd64/updates/dkms/r8125.ko", version="9.003.05-NAPI"
    )
    assert (expected,) == SOURCE.parse(ASKED, pasted("modinfo_r8125"))


def test_a_built_in_module_has_a_name() -> None:
    """And no file; names are spelled as the kernel spells them."""
    expected = KernelModule(subject="virtio_net", path="(builtin)")
    assert (expected,) == SOURCE.parse(ASKED, b"name:           virtio-net\nfilename:       (builtin)\n")


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"version: 1\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """No name."""
    with pytest.raises(FormatError):
        SOURCE.parse(ASKED, payload)
