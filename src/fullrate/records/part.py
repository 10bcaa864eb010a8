"""Parts: one command's output or one file, cut out of what a person gave us, and how it was understood."""

from dataclasses import dataclass
from typing import Literal

from fullrate.records.ends import End

Moment = Literal["before", "after"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One piece of evidence. What its name, its prompt or the user did not say is None."""

    name: str  # the file it stood in
    text: str
    command: tuple[str, ...] | None = None  # that printed it
    path: str | None = None  # of the file on its host
    end: End | None = None
    moment: Moment | None = None
    link: str | None = None
    host: str | None = None  # as its prompt names it
    typed: str = ""  # the command line above it, as it stands there
    line: int = 1  # of the file, where it begins
    said: bool = False  # the user said which end it is of


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something given that was not read, or not understood."""

    name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How one part was understood; `why` says why nobody reads it (`reader` None), or that it was refused there."""

    name: str  # the file it stood in
    line: int  # of it, where the part begins
    reader: str | None = None  # a source's id, or a traffic program's
    key: str = ""  # of the request it answers, or the trial it tells of
    end: End | None = None
    moment: Moment | None = None
    link: str | None = None
    first: str = ""  # what it begins with
    size: int = 0  # characters
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Everything that was given instead of two live hosts: what was read of it, and what was not."""

    readings: tuple[Reading, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    unused: int = 0  # files of a sosreport that no source reads


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the user says about the paths named: which end, which moment. None: to be inferred."""

    path: str
    end: End | None = None
    moment: Moment | None = None
