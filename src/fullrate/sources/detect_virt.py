"""`hostnamectl`, `systemd-detect-virt`: whether the machine is a virtual one, and whose; or one line of lscpu says so.

           Chassis: vm
    Virtualization: kvm
    Hypervisor vendor:               KVM

The first is printed by systemd's src/hostname/hostnamectl.c, and the bare word, `none` on real hardware, by
src/detect-virt/detect-virt.c; the words are those of src/basic/virt.c. The last is left of `lscpu | grep -i hyper`.
Containers count for none: they have their host's network devices.
"""

import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.processor import Machine
from fullrate.records.leaf import Source, no_requests, runs
from fullrate.sources._text import lines_of

_FIELD = re.compile(r"\s*(Virtualization|Hypervisor vendor|Hardware Vendor|Hardware Model|Chassis): +(\S.*)")
_WORD = re.compile(r"[a-z][a-z0-9-]{1,20}")
_CONTAINERS = {
    "none",
    "lxc",
    "lxc-libvirt",
    "docker",
    "podman",
    "systemd-nspawn",
    "openvz",
    "rkt",
    "wsl",
    "proot",
    "pouch",
}
_OURS = re.compile(r"^[ \t]*(?:Virtualization: +[a-z]|Hypervisor vendor: |Static hostname: )", re.MULTILINE)
_OF_LSCPU = re.compile(r"^CPU\(s\):", re.MULTILINE)


def _hypervisor(word: str | None) -> str | None:
    return None if word is None or word in _CONTAINERS else word


def parse(request: Request, payload: bytes) -> tuple[Machine, ...]:
    """The machine. Raises FormatError."""
    lines = lines_of(payload)
    if request == query("systemd-detect-virt") and len(lines) == 1 and _WORD.fullmatch(lines[0]):
        return (Machine(hypervisor=_hypervisor(lines[0])),)
    fields = {found[1]: found[2] for line in lines if (found := _FIELD.fullmatch(line))}
    if not fields:
        raise FormatError("neither hostnamectl's fields nor one word of systemd-detect-virt")
    return (
        Machine(
            vendor=fields.get("Hardware Vendor"),
            product=fields.get("Hardware Model"),
            hypervisor=_hypervisor(fields.get("Virtualization")) or fields.get("Hypervisor vendor"),
        ),
    )


_commands = (runs("hostnamectl"), runs("systemd-detect-virt"))

SOURCE = Source(
    id="detect_virt",
    facts=(Machine,),
    requests=no_requests,
    pasted=lambda _: query("hostnamectl"),
    answers=lambda request: any(asks(request) for asks in _commands),
    recognizes=lambda text: _OURS.search(text) is not None and _OF_LSCPU.search(text) is None,
    parse=parse,
)
