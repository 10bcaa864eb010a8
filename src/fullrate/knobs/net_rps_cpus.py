"""`net.rps_cpus`: the CPUs that take the packets of a receive queue over from the one it interrupts (RPS).

    # cat /sys/class/net/eth0/queues/rx-0/rps_cpus
    00000000,0000000f

Documentation/networking/scaling.rst; store_rps_map in net/core/net-sysfs.c, which keeps the CPUs of a mask that are
online and not isolated.
"""

import re

from fullrate.knobs._queue_files import QueueFile, cpus_knob
from fullrate.records.finding import Remedy
from fullrate.records.setting import Setting

_ID = "net.rps_cpus"
_COMMAND = re.compile(r"echo (\S+) > /sys/class/net/([^/\s]+)/queues/(rx-\d+)/rps_cpus")


def _wanted(remedy: Remedy) -> tuple[Setting, ...]:
    found = [match for command in remedy.commands if (match := _COMMAND.fullmatch(command))]
    return tuple(Setting(knob=_ID, subject=f"{match[2]}/{match[3]}", value=match[1]) for match in found)


# systemd.link(5) has the first since 256; the other is in a script, or a udev rule's ATTR
KNOB = cpus_knob(QueueFile(knob=_ID, side="rx", words="ReceivePacketSteeringCPUMask|rps_cpus"), _wanted)
