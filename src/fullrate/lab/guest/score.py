"""Scoring a diagnosis in the hardware lab: what lab/score.py needs to know of the guest."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from fullrate.host.protocol import Host
from fullrate.lab.guest.build import down, up
from fullrate.lab.guest.catalog import guest_fault_named
from fullrate.lab.guest.control import break_guest, heal_guest, standing
from fullrate.lab.guest.proof import guest_rate
from fullrate.lab.guest.state import load_state
from fullrate.lab.score import Ground, Task
from fullrate.records.errors import UsageError

GUEST = "guest:"


def guest_ground(host: Host) -> Ground:
    """The guest that is up, each of its wires to be checked without a fault. Raises UsageError without one."""
    return Ground(
        target=GUEST,
        healthy=tuple((wire.model, None) for wire in standing(host).wires),
        rate=partial(guest_rate, host),
        put_in=partial(break_guest, host),
        heal=partial(heal_guest, host),
    )


def guest_tasks(ids: Iterable[str]) -> tuple[Task, ...]:
    """The tasks of these faults, one at a time. Raises UsageError on an unknown one."""
    return tuple(Task(faults=(guest_fault_named(name),)) for name in ids)


@contextmanager
def practising_in_guest(host: Host, generation: str) -> Iterator[Ground]:
    """A healthy guest; one that was made for this is removed afterwards. Raises UsageError when a fault is in it."""
    found = load_state(host)
    if found is not None and found.faults:
        raise UsageError(f"the guest has the fault {' with '.join(found.faults)}; `fullrate lab heal --guest` first")
    try:
        if found is None or found.generation != generation:
            up(host, generation)
        yield guest_ground(host)
    finally:
        if found is None:
            down(host)
        else:
            heal_guest(host)
