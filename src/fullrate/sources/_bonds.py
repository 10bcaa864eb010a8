"""The bonds in an answer of `ip -details link`: mode and hash policy. Binds no SOURCE.

        bond mode 802.3ad miimon 100 ... xmit_hash_policy layer3+4 resend_igmp 1 ...

Form: iproute2's ip/iplink_bond.c, bond_print_opt; the same names in JSON, below "linkinfo" and "info_data". The policy
is shown for every mode; Documentation/networking/bonding.rst says which of them use it.
"""

import re

import msgspec

from fullrate.records.facts.bonding import Bond
from fullrate.sources._json import decode, is_json

_HASHING = {"balance-xor", "802.3ad", "balance-tlb"}
_TEXT = re.compile(
    r"^\d+: (?P<link>[^:@\s]+)[:@].*\n\s+link/.*\n\s+bond mode (?P<mode>\S+)(?:.* xmit_hash_policy (?P<policy>\S+))?",
    re.MULTILINE,
)


class _Data(msgspec.Struct, frozen=True):
    mode: object = None
    xmit_hash_policy: str | None = None


class _Info(msgspec.Struct, frozen=True):
    info_kind: str | None = None
    info_data: _Data = _Data()


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    ifname: str
    linkinfo: _Info = _Info()


def bonds(payload: bytes) -> tuple[Bond, ...]:
    """Every bond of the answer. Raises FormatError."""
    if not is_json(payload):
        found = _TEXT.finditer(payload.decode(errors="replace"))
        return tuple(_bond(match["link"], match["mode"], match["policy"]) for match in found)
    rows = decode(payload, list[_Row], wanted="ip -json link")
    return tuple(
        _bond(row.ifname, row.linkinfo.info_data.mode, row.linkinfo.info_data.xmit_hash_policy)
        for row in rows
        if row.linkinfo.info_kind == "bond" and isinstance(row.linkinfo.info_data.mode, str)
    )


def _bond(link: str, mode: str, policy: str | None) -> Bond:
    return Bond(subject=link, mode=mode, hash_policy=policy if mode in _HASHING else None)
