"""Moving a thread off a CPU."""

from fullrate.checks._moving import move_off
from unit.checks.build import FAR

REMEDY = move_off(FAR, "4711", "3", "and more")


def test_keeps_the_affinity_found_first() -> None:
    """In a file of its own."""
    assert "taskset -cp 4711 > fullrate-thread-4711.affinity" == REMEDY.commands[0]


def test_leaves_every_other_cpu() -> None:
    """By the host's own count of CPUs."""
    assert 'taskset -cp "$(seq 0 $(($(nproc --all) - 1)) | grep -vx 3 | paste -sd,)" 4711' == REMEDY.commands[1]


def test_undo_sets_what_was_found() -> None:
    """The list after the colon of what taskset printed."""
    assert ("taskset -cp \"$(sed 's/.*: //' fullrate-thread-4711.affinity)\" 4711",) == REMEDY.undo


def test_says_where_and_what() -> None:
    """The end, the thread and the note."""
    assert (FAR, "4711", "every CPU but 3") == (REMEDY.end, REMEDY.subject, REMEDY.value)
    assert REMEDY.note.endswith("and more")
