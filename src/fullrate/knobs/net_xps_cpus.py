"""`net.xps_cpus`: the CPUs whose packets go out by a transmit queue (XPS).

    # cat /sys/class/net/eth0/queues/tx-0/xps_cpus
    f

Documentation/networking/scaling.rst; xps_cpus_store in net/core/net-sysfs.c. A link that has one queue in all does not
show it (ENOENT): there is nothing to set. __netif_set_xps_queue in net/core/dev.c keeps the CPUs that are online.
"""

from fullrate.knobs._queue_files import QueueFile, cpus_knob

KNOB = cpus_knob(QueueFile(knob="net.xps_cpus", side="tx", words="xps_cpus"))
