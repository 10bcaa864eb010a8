"""Recorded runs as they would have been on a machine with a quirk. Pure.

A clock that is set, counters that start anew, more CPUs, files that are not there.
"""

import re
import struct
from collections.abc import Callable, Iterable
from dataclasses import replace

from fullrate.records.ends import End
from fullrate.records.evidence import Reply
from fullrate.records.frames import Frame, Reading, read_frames
from fullrate.records.recording import EndRecord, FrameLog, Moment, Recording, TrialRecord
from fullrate.records.units import Seconds

ENOENT = 2
_CPU_COLUMN = 12  # of softnet_stat
MANY_CPUS = 200
Frames = tuple[Frame, ...]
Rewrite = Callable[[str, bytes], bytes]  # a request's key and the payload: the payload instead


def packed(frames: Iterable[Frame]) -> bytes:
    """Frames as the agent sends them."""
    return b"".join(map(_frame, frames))


def _frame(frame: Frame) -> bytes:
    readings = b"".join(
        struct.pack(">HHfI", one.number, one.error, one.seconds, len(one.payload)) + one.payload
        for one in frame.readings
    )
    body = struct.pack(">QddH", frame.seq, frame.monotonic, frame.wall, len(frame.readings)) + readings
    return struct.pack(">I", len(body)) + body


# --- the wall clock


def clock_off(recording: Recording, end: End, seconds: Seconds) -> Recording:
    """The run with one host's wall clock so far ahead all the time."""
    ends = {e: _record_moved(record, seconds) if e is end else record for e, record in recording.ends.items()}
    trials = tuple(_trial_moved(trial, end, seconds, after=-1.0) for trial in recording.trials)
    return replace(recording, ends=ends, trials=trials)


def clock_set(recording: Recording, end: End, seconds: Seconds) -> Recording:
    """The run with one host's wall clock set forwards, or back, in the middle of each trial, and again at its end."""
    trials = tuple(_trial_moved(trial, end, seconds, after=0.5) for trial in recording.trials)
    return replace(recording, trials=trials)


def _trial_moved(trial: TrialRecord, end: End, seconds: Seconds, *, after: float) -> TrialRecord:
    """A trial whose readings of one end come so much later by the wall clock, from a part of its frames on."""
    late = ("late", "after") if after >= 0 else ("before", "early", "late", "after")
    moments = tuple(
        _moment_moved(moment, seconds) if moment.end is end and moment.name in late else moment
        for moment in trial.moments
    )

    def moved(frames: Frames) -> Frames:
        first = after * len(frames)
        return tuple(
            replace(frame, wall=frame.wall + seconds) if place >= first else frame for place, frame in enumerate(frames)
        )

    return replace(trial, moments=moments, frames=_logs(trial, end, moved))


def _record_moved(record: EndRecord, seconds: Seconds) -> EndRecord:
    return replace(record, moments=tuple(_moment_moved(moment, seconds) for moment in record.moments))


def _moment_moved(moment: Moment, seconds: Seconds) -> Moment:
    replies = tuple(
        replace(reply, started=reply.started + seconds, finished=reply.finished + seconds) for reply in moment.replies
    )
    return replace(moment, replies=replies)


# --- counters that start anew


def counters_reset(recording: Recording, end: End) -> Recording:
    """The run with all sampled counters of one end thrown back in the middle of each trial, to run on from there."""

    def thrown_back(frames: Frames) -> Frames:
        half = len(frames) // 2
        return frames[:half] + tuple(
            replace(frame, readings=past.readings) for frame, past in zip(frames[half:], frames, strict=False)
        )

    trials = tuple(replace(trial, frames=_logs(trial, end, thrown_back)) for trial in recording.trials)
    return replace(recording, trials=trials)


# --- other files


def rewritten(recording: Recording, rewrite: Rewrite) -> Recording:
    """The run with other payloads, wherever they were read."""

    def of_reply(reply: Reply) -> Reply:
        return replace(reply, payload=rewrite(reply.request.key, reply.payload))

    def of_moments(moments: tuple[Moment, ...]) -> tuple[Moment, ...]:
        return tuple(replace(one, replies=tuple(map(of_reply, one.replies))) for one in moments)

    def of_log(log: FrameLog) -> FrameLog:
        def of_reading(one: Reading) -> Reading:
            return replace(one, payload=rewrite(log.table[one.number], one.payload))

        frames = (replace(one, readings=tuple(map(of_reading, one.readings))) for one in read_frames(log.data))
        return replace(log, data=packed(frames))

    ends = {end: replace(record, moments=of_moments(record.moments)) for end, record in recording.ends.items()}
    trials = tuple(
        replace(one, moments=of_moments(one.moments), frames=tuple(map(of_log, one.frames))) for one in recording.trials
    )
    return replace(recording, ends=ends, trials=trials)


def unsampled(recording: Recording, end: End, key: str) -> Recording:
    """The run of a kernel where one of the sampled files of one end is not there."""

    def of(trial: TrialRecord) -> TrialRecord:
        numbers = {number for log in trial.frames for number, one in enumerate(log.table) if one == key}

        def without(frames: Frames) -> Frames:
            return tuple(replace(frame, readings=tuple(map(absent, frame.readings))) for frame in frames)

        def absent(one: Reading) -> Reading:
            return replace(one, error=ENOENT, payload=b"") if one.number in numbers else one

        return replace(trial, frames=_logs(trial, end, without))

    return replace(recording, trials=tuple(map(of, recording.trials)))


def with_many_cpus(key: str, payload: bytes) -> bytes:
    """What a kernel with 200 online CPUs would have said instead; those that were not there are idle."""
    text = payload.decode(errors="surrogateescape")
    grown = {
        "read /proc/stat": _stat,
        "read /proc/net/softnet_stat": _softnet,
        "read /proc/interrupts": _table,
        "read /proc/softirqs": _table,
        "run lscpu -p=CPU,CORE,SOCKET,NODE": _lscpu,
    }.get(key)
    return payload if grown is None or not payload else grown(text).encode(errors="surrogateescape")


def _stat(text: str) -> str:
    lines = text.splitlines(keepends=True)
    own = sum(bool(re.match(r"cpu\d", line)) for line in lines)
    more = [f"cpu{cpu} 0 0 0 1000 0 0 0 0 0 0\n" for cpu in range(own, MANY_CPUS)]
    return "".join(lines[: own + 1] + more + lines[own + 1 :])


def _softnet(text: str) -> str:
    own = text.splitlines(keepends=True)
    width = len(own[0].split())
    more = [
        " ".join(f"{cpu if column == _CPU_COLUMN else 0:08x}" for column in range(width))
        for cpu in range(len(own), MANY_CPUS)
    ]
    return "".join(own) + "".join(f"{line}\n" for line in more)


def _table(text: str) -> str:
    """A table with a column a CPU: the head and every row that has a count for each."""
    head, *rows = text.splitlines()
    own = len(head.split())
    wide = [f"{head}{''.join(f' CPU{cpu}' for cpu in range(own, MANY_CPUS))}"]
    for row in rows:
        label, _, rest = row.partition(":")
        words = rest.split(maxsplit=own)
        counts, action = words[:own], words[own:]
        full = len(counts) == own and all(map(str.isdecimal, counts))
        wide.append(f"{label}: {' '.join(counts + ['0'] * (MANY_CPUS - own) + action)}" if full else row)
    return "\n".join(wide) + "\n"


def _lscpu(text: str) -> str:
    own = sum(not line.startswith("#") for line in text.splitlines())
    return text + "".join(f"{cpu},{cpu},0,0\n" for cpu in range(own, MANY_CPUS))


def _logs(trial: TrialRecord, end: End, change: Callable[[Frames], Frames]) -> tuple[FrameLog, ...]:
    return tuple(
        replace(log, data=packed(change(tuple(read_frames(log.data))))) if log.end is end else log
        for log in trial.frames
    )
