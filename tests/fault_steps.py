"""The steps of a fault as lines a person can read."""

from collections.abc import Iterable

from fullrate.lab.fault import Await, Command, Daemon, Quota, Step


def lines(steps: Iterable[Step]) -> list[str]:
    """One line a step: where, then what."""
    return [_line(step) for step in steps]


def _line(step: Step) -> str:
    if isinstance(step, Quota):
        return f"{step.end}: quota {step.share}"
    words = " ".join(step.argv)
    if isinstance(step, Command):
        return f"{step.place}: {words}"
    return f"{step.place}: {'start' if isinstance(step, Daemon) else 'await'} {words}" + (
        f" {step.text.strip()}" if isinstance(step, Await) else ""
    )
