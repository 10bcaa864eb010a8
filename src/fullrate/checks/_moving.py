"""The change that moves one thread off a CPU, and back."""

from fullrate.records.ends import End
from fullrate.records.finding import Remedy


def move_off(end: End, tid: str, cpu: str, note: str) -> Remedy:
    """The remedy that lets a thread run on every CPU but one; its affinity as found is kept in a file."""
    copy = f"fullrate-thread-{tid}.affinity"
    others = f"$(seq 0 $(($(nproc --all) - 1)) | grep -vx {cpu} | paste -sd,)"
    return Remedy(
        knob="process.affinity",
        subject=tid,
        value=f"every CPU but {cpu}",
        end=end,
        commands=(f"taskset -cp {tid} > {copy}", f'taskset -cp "{others}" {tid}'),
        undo=(f"taskset -cp \"$(sed 's/.*: //' {copy})\" {tid}",),
        note=f"the first command keeps the affinity found in a file of the current folder; {note}",
    )
