"""/proc/cmdline: the parameters the kernel was booted with.

    BOOT_IMAGE=/boot/vmlinuz-6.12 root=/dev/sda1 ro quiet isolcpus=2-3 mitigations=auto

proc(5), Documentation/admin-guide/kernel-parameters.rst: words parted by spaces; double quotes protect spaces in a
value.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, Request
from fullrate.records.facts.processor import KernelCommandLine
from fullrate.records.leaf import Source, always, reads
from fullrate.sources._text import lines_of

_PATH = "/proc/cmdline"
_WORD = re.compile(r'(?:[^\s"]|"[^"]*")+')
_TYPICAL = re.compile(r"(?:^| )(?:BOOT_IMAGE|root|console)=\S+")


def _one_line(text: bytes | str) -> str:
    lines = lines_of(text)
    return lines[0] if len(lines) == 1 else ""


def _parse(_: Request, payload: bytes) -> tuple[KernelCommandLine, ...]:
    line = _one_line(payload)
    if not line or not line.isprintable() or "\ufffd" in line:
        raise FormatError("/proc/cmdline: not one line of words")
    return (KernelCommandLine(parameters=tuple(_WORD.findall(line))),)


SOURCE = Source(
    id="kernel_command_line",
    facts=(KernelCommandLine,),
    requests=always(ReadFile(path=_PATH)),
    answers=reads(_PATH),
    recognizes=lambda text: _TYPICAL.search(_one_line(text)) is not None,
    parse=_parse,
)
