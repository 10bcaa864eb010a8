"""`net.rps_flow_cnt`: for how many flows a receive queue remembers the CPU whose program reads them (RFS).

    # cat /sys/class/net/eth0/queues/rx-0/rps_flow_cnt
    4096

Documentation/networking/scaling.rst; store_rps_dev_flow_table_cnt in net/core/net-sysfs.c, which takes the next power
of two.
"""

from fullrate.knobs._links import whole_number
from fullrate.knobs._queue_files import QueueFile, queue_knob
from fullrate.records.evidence import ReadFile, WriteFile
from fullrate.records.leaf import Answers
from fullrate.records.setting import CannotSetError, Setting, Writing

_MOST = 1 << 24  # 128 MiB of a table for one queue


def _limit(setting: Setting, _: Answers) -> None:
    number = whole_number(setting, 0, _MOST)
    if number & (number - 1):
        made = 1 << number.bit_length()
        raise CannotSetError(f"{setting.knob} is a power of two or 0: the kernel would make {made} of {number}")


def _write(setting: Setting, file: ReadFile) -> Writing:
    number = whole_number(setting, 0, None)
    return Writing(action=WriteFile(path=file.path, content=str(number)), expect=str(number))


KNOB = queue_knob(QueueFile(knob="net.rps_flow_cnt", side="rx", words="rps_flow_cnt"), _write, limit=_limit)
