"""Every spelling of an identifier, made without the package's help, and a search for them in a bundle's bytes."""

import io
import ipaddress
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """An identifier that is still there."""

    member: str
    spelling: bytes


def spellings_of_four(text: str) -> Iterator[bytes]:
    """An IPv4 address as text, as both hexadecimal numbers, and in the bytes of a packet."""
    packed = ipaddress.IPv4Address(text).packed
    for data in (packed, packed[::-1]):
        yield from (data.hex().encode(), data.hex().upper().encode())
    yield from (text.encode(), packed)


def spellings_of_six(text: str) -> Iterator[bytes]:
    """An IPv6 address as text, short and long, as one number, as /proc/net/tcp6 turns it round, and in its bytes."""
    address = ipaddress.IPv6Address(text)
    words = [address.packed[at : at + 4][::-1] for at in range(0, 16, 4)]
    yield from (str(address).encode(), address.exploded.encode(), address.packed)
    yield from (address.packed.hex().encode(), b"".join(words).hex().upper().encode())


def spellings_of_mac(text: str) -> Iterator[bytes]:
    """A MAC address with colons, dashes, dots or nothing between, small and capital; and what IPv6 makes of it."""
    data = bytes.fromhex(text.replace(":", ""))
    turned = bytes([data[0] ^ 2]) + data[1:3] + b"\xff\xfe" + data[3:]
    digits = data.hex()
    dotted = f"{digits[:4]}.{digits[4:8]}.{digits[8:]}"
    for one in (data.hex(":"), data.hex("-"), digits, dotted, turned.hex()):
        yield from (one.encode(), one.upper().encode())
    address = ipaddress.IPv6Address(b"\xfe\x80".ljust(8, b"\0") + turned)
    yield str(address).removeprefix("fe80::").encode()


def members(data: bytes) -> dict[str, bytes]:
    """What is in a bundle, unpacked."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def leaks(data: bytes, spellings: Iterable[bytes]) -> list[Leak]:
    """Every spelling that occurs in a bundle: in a member, or in its name."""
    unpacked = members(data)
    return [
        Leak(member=name, spelling=one)
        for one in spellings
        for name, content in unpacked.items()
        if one in content or one in name.encode()
    ]
