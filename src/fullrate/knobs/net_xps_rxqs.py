"""`net.xps_rxqs`: the receive queues whose connections answer by a transmit queue (XPS).

    # cat /sys/class/net/eth0/queues/tx-0/xps_rxqs
    1

Documentation/networking/scaling.rst; xps_rxqs_store in net/core/net-sysfs.c, with a bit for each receive queue that the
link can have.
"""

from fullrate.knobs._queue_files import QueueFile, mask_of, queue_knob, write_mask
from fullrate.records.leaf import Answers
from fullrate.records.setting import Setting


def _limit(setting: Setting, _: Answers) -> None:
    mask_of(setting)


KNOB = queue_knob(QueueFile(knob="net.xps_rxqs", side="tx", words="xps_rxqs"), write_mask, limit=_limit)
