"""Whether every reader takes time in proportion to its text: the regular expression that walks back is found here.

    bench/fuzz/run growth [READER...]

Takes lines of the fixtures that a reader knows, blows up one place of each, and looks at the CPU time. What takes long
is tried again with half as much: in proportion, that takes half the time. Prints what does not; ends with 1 then.
"""

import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests"), str(Path(__file__).parent)]

from groups import texts  # noqa: E402 - the same

import laws  # noqa: E402 - after the path is set
from fullrate import registry  # noqa: E402 - the same
from fullrate.intake.cut import cut  # noqa: E402 - the same
from fullrate.intake.texts import plain, without_prefix  # noqa: E402 - the same
from fullrate.records.errors import FormatError  # noqa: E402 - the same

TIMES = 20_000  # characters that stand in one place
SLOW = 0.05  # seconds of CPU time: linear ones take 1 ms, quadratic ones 1 s
GROWS = 2.6  # times as long for twice as much
FILLS = (" ", "\n", "0", "a", ".", ":", "-", "@", "(", "a ", "0.", "0 ", "0.0 ", " \n", "a:", "\ta\n", "=", "%CPU ")
SHAPE = re.compile(r"[0-9]+")
MOST_TEXTS, LARGEST_TEXT, MOST_SHAPES, MOST_PLACES = 2, 6000, 6, 12  # of a reader, of a text, of a line
MOST_TOLD = 6  # of a reader

Work = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """A text with one place that can be blown up."""

    before: str
    fill: str
    after: str

    def grown(self, times: int) -> str:
        """The text with so many characters in that place."""
        return self.before + self.fill * (times // len(self.fill)) + self.after


class Hangs(BaseException):
    """The time of one text is over."""


def _ring(_: int, __: FrameType | None) -> None:
    raise Hangs


def seconds(work: Work, text: str) -> float:
    """The CPU time that a reader takes for a text; when it was stopped, that of a hang."""
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, 10 * SLOW)
    try:
        with suppress(FormatError):
            work(text)
    except Hangs:
        return 10 * SLOW
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return time.process_time() - begun


def grows(work: Work, text: Hostile) -> bool:
    """Whether a text takes long, and far more than twice as long as half of it."""
    spent = seconds(work, text.grown(TIMES))
    if spent <= SLOW:
        return False
    return spent > GROWS * min(seconds(work, text.grown(TIMES // 2)) for _ in range(3))


def readers() -> Iterator[tuple[str, Callable[[str], bool], tuple[Work, ...]]]:
    """Every reader's name, which texts it knows, and what it does with them."""
    for source in registry.sources():
        kinds = dict.fromkeys((laws.PASTED, laws.requests_for(source)[-1]))
        ways = [lambda text, request=kind: source.parse(request, text.encode()) for kind in kinds]  # type: ignore[misc] # noqa: B023 - used at once
        yield source.id, source.recognizes, (source.recognizes, *ways)
    for program in registry.generators():
        yield program.id, program.recognizes, (program.recognizes, program.runs, lambda text: laws.tells(program, text))  # noqa: B023 - the same
    yield "intake", lambda _: True, (plain, cut, without_prefix)


def hostile(text: str) -> Iterator[Hostile]:
    """Each of a text's first kinds of lines, with a place at every change of its characters."""
    lines, seen = text.splitlines(keepends=True), set[str]()
    for number, line in enumerate(lines):
        shape = SHAPE.sub("0", line)
        if shape in seen or len(seen) > MOST_SHAPES:
            continue
        seen.add(shape)
        before, after = "".join(lines[:number]), "".join(lines[number + 1 :])
        for place in places(line):
            for fill in FILLS:
                yield Hostile(before=before + line[:place], fill=fill, after=line[place:] + after)


def places(line: str) -> list[int]:
    """Where a line changes from one class of characters to another."""
    found = [0, *(match.end() for match in re.finditer(r"\w+|\s+|[^\w\s]+", line.rstrip("\n")))]
    return found[:MOST_PLACES]


def slow_ones(name: str, texts_known: list[str], ways: tuple[Work, ...]) -> Iterator[str]:
    """What a reader walks back in."""
    for text in [*texts_known, "x\n"]:
        for bad in hostile(text):
            for number, work in enumerate(ways):
                if grows(work, bad):
                    yield f"{name} ({number}): {bad.before[-60:]!r} then many {bad.fill!r} then {bad.after[:60]!r}"


def main() -> None:
    """Try every reader, or those named; print what is slow."""
    signal.signal(signal.SIGPROF, _ring)
    fixtures = [text.decode(errors="replace") for text in texts() if len(text) < LARGEST_TEXT]
    found = 0
    for name, knows, ways in readers():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        slow = 0
        for line in slow_ones(name, [text for text in fixtures if knows(text)][:MOST_TEXTS], ways):
            print(line, flush=True)
            slow += 1
            if slow == MOST_TOLD:
                break
        print(f"{name}: {'in proportion' if not slow else 'slow'}", flush=True)
        found += slow
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
