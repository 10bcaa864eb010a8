"""Far's receiving program is busy with something else nearly all of the time."""

from fullrate.lab.fault import Daemon, Fault, Kind
from fullrate.lab.topology import Place
from fullrate.records.ends import Direction

# A program that has read more than it wrote receives (proc_pid_io(5): rchar, then wchar); one that sends is let be.
_HALTING = f"""
tell() {{
    for pid in $(ip netns pids {Place.FAR.namespace}); do
        case $(cat /proc/$pid/comm) in iperf3) ;; *) continue ;; esac
        {{ read -r _ got; read -r _ gave; }} </proc/$pid/io && [ "$got" -gt "$gave" ] && kill -"$1" "$pid"
    done
}}
while :; do tell STOP; sleep 0.8; tell CONT; sleep 0.03; done
"""

FAULT = Fault(
    id="app-not-draining-socket",
    doc="an iperf3 that receives at far is halted for 0.8 s and may then run for 0.03 s",
    link="wire",
    kind=Kind.EFFECT,
    cause="app-not-draining-socket",
    direction=Direction.NEAR_TO_FAR,
    inject=(Daemon(place=Place.FAR, argv=("sh", "-c", _HALTING)),),
    heal=(),
    innocent=("path-loss", "netfilter-drop", "tcp-buffers-too-small", "tc-shaper", "cpu-quota", "cpu-bound-host"),
    core=True,
)
