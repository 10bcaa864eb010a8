"""A recording without what names its hosts and people: every text and payload of it, no field left out.

Two walks over the recording. The first learns what it names; the second replaces that, and whatever else has the form
of an address or stands where a name stands. The replacements are drawn with a secret that nothing keeps.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar, cast

from fullrate.records.errors import UsageError
from fullrate.records.evidence import Reply, parse_request
from fullrate.records.recording import EndRecord, FrameLog, Moment, ProgramOutput, Promise, Recording, TrialRecord
from fullrate.records.target import Target, TargetKind, parse_target
from fullrate.records.trial import TrialSpec
from fullrate.redact.binary import frames, socket_addresses, with_payloads, with_sockets
from fullrate.redact.draws import Draws
from fullrate.redact.forms import Kind
from fullrate.redact.learned import Learned, is_address
from fullrate.redact.rewriting import Rewriter

_SOCKETS = "sockets "  # how the key of a binary dump begins
_BYTES = "latin-1"  # one letter a byte, whatever they mean

# Words of ours, whatever a host is called.
_OURS = (
    (Recording, ("id", "started_at", "tool_version")),
    (TrialRecord, ("id", "generator")),
    (TrialSpec, ("kind", "direction", "protocol", "congestion_control", "load", "beside", "within", "program")),
    (Moment, ("name",)),
    (ProgramOutput, ("role", "generator")),
    (Promise, ("profile",)),
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """How many different identifiers of one kind were replaced."""

    kind: Kind
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """A recording that may be shown, and what was replaced in it."""

    recording: Recording
    replaced: tuple[Replaced, ...]


def redact(recording: Recording, secret: bytes) -> Redacted:
    """The recording with every identifier replaced, the same by the same; `secret` is up to 64 random bytes."""
    learned = Learned()
    _walk(recording, _Learning(learned))
    rewriter = Rewriter(learned, Draws(secret))
    made = _walk(recording, _Rewriting(rewriter))
    counts = (Replaced(kind=kind, count=len(met)) for kind, met in rewriter.forms.met.items() if met)
    return Redacted(recording=made, replaced=tuple(counts))


class _Visitor(Protocol):
    """What is done with each text and each payload; `key` is the request that it answers, or nothing."""

    def text(self, text: str, key: str) -> str: ...

    def target(self, text: str) -> str: ...

    def payload(self, data: bytes, key: str) -> bytes: ...

    def frames(self, log: FrameLog) -> bytes: ...


class _Learning:
    """Learns, and leaves everything as it stands."""

    def __init__(self, learned: Learned) -> None:
        self._learned = learned

    def text(self, text: str, key: str) -> str:
        del key
        self._learned.look(_letters(text))
        return text

    def target(self, text: str) -> str:
        target = _target(text)
        if target is not None and target.user is not None:
            self._learned.add_user(target.user)
        if target is not None:
            self._learned.add_host(target.name)
        return self.text(text, "")

    def payload(self, data: bytes, key: str, *, sampled: bool = False) -> bytes:
        if key.startswith(_SOCKETS):
            for packed in socket_addresses(data):
                self._learned.add_packed(packed)
        else:
            self._learned.look(data.decode(_BYTES), sampled=sampled)
        return data

    def frames(self, log: FrameLog) -> bytes:
        for frame in frames(log.data):
            for one in () if frame is None else frame.readings:
                self.payload(one.payload, _key(log.table, one.number), sampled=True)
        return log.data


class _Rewriting:
    """Replaces what was learned."""

    def __init__(self, rewriter: Rewriter) -> None:
        self._rewriter = rewriter

    def text(self, text: str, key: str) -> str:
        return self._rewriter.text(_letters(text), key).encode(_BYTES).decode("utf-8", "surrogateescape")

    def target(self, text: str) -> str:
        target = _target(text)
        if target is None or is_address(target.name):
            return self.text(text, "")
        user, at, host = text.rpartition("@")
        return self._rewriter.user(user) + at + host.replace(target.name, self._rewriter.host(target.name))

    def payload(self, data: bytes, key: str, *, sampled: bool = False) -> bytes:
        if key.startswith(_SOCKETS):
            return with_sockets(data, self._rewriter.forms.packed)
        return self._rewriter.text(data.decode(_BYTES), key, sampled=sampled).encode(_BYTES)

    def frames(self, log: FrameLog) -> bytes:
        keys = log.table
        return with_payloads(log.data, lambda number, payload: self.payload(payload, _key(keys, number), sampled=True))


def _letters(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode(_BYTES)


def _key(table: tuple[str, ...], number: int) -> str:
    return table[number] if number < len(table) else ""


def _target(text: str) -> Target | None:
    # of what names a host, or might: a namespace is named by people, too
    try:
        found = parse_target(text)
    except UsageError:
        return None
    return found if found.kind in {TargetKind.SSH, TargetKind.SERVER, TargetKind.NETNS} else None


def _walk(value: T, visitor: _Visitor, key: str = "") -> T:
    return cast("T", _made(value, visitor, key))


def _made(value: object, visitor: _Visitor, key: str) -> object:
    if type(value) is str:  # an enum's member is no text of a host's
        return visitor.text(value, key)
    if isinstance(value, bytes):
        return visitor.payload(value, key)
    if isinstance(value, tuple):
        return tuple(_walk(one, visitor, key) for one in value)
    if isinstance(value, Mapping):
        return {name: _walk(one, visitor, key) for name, one in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _record(value, visitor, key)
    return value


def _record(value: object, visitor: _Visitor, key: str) -> object:
    special = {name: getattr(value, name) for kind, names in _OURS if isinstance(value, kind) for name in names}
    if isinstance(value, Reply):
        key = value.request.key
        special["request"] = parse_request(visitor.text(key, ""))
        if value.cut:  # within a word, maybe: half an address has no form
            special["payload"] = visitor.payload(value.payload.rpartition(b"\n")[0], key)
    elif isinstance(value, FrameLog):
        special["data"] = visitor.frames(value)
    elif isinstance(value, EndRecord):
        special["target"] = visitor.target(value.target)
    names = (field.name for field in dataclasses.fields(value) if field.name not in special)  # type: ignore[arg-type]
    plain = {name: _walk(getattr(value, name), visitor, key) for name in names}
    return dataclasses.replace(value, **plain, **special)  # type: ignore[type-var]
