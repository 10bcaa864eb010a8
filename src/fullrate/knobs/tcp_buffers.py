"""`sysctl.net.ipv4.tcp_rmem`, `.tcp_wmem`: the smallest, first and largest buffer of a TCP socket, in bytes.

    # cat /proc/sys/net/ipv4/tcp_rmem
    4096	131072	6291456

Documentation/networking/ip-sysctl.rst, tcp_rmem. Of a network namespace since Linux 4.15. They hold for connections
made afterwards; the kernel takes any three numbers from 1 (proc_dointvec_minmax with SYSCTL_ONE in
net/ipv4/sysctl_net_ipv4.c) and shows them with tabs between.
"""

import re

from fullrate.knobs._sysctls import PREFIX, reading, tuned, write
from fullrate.records.leaf import Answers, Knob
from fullrate.records.setting import CannotSetError, Setting

_KNOBS = frozenset(f"{PREFIX}net.ipv4.tcp_{word}" for word in ("rmem", "wmem"))
_MOST = (1 << 31) - 1  # an int
_THREE = re.compile(r"[1-9][0-9]{0,9}(?: [1-9][0-9]{0,9}){2}")


def _limit(setting: Setting, _: Answers) -> None:
    if not _THREE.fullmatch(setting.value):
        raise CannotSetError(f"{setting.knob} takes three numbers, the smallest first, not {setting.value!r}")
    least, first, largest = map(int, setting.value.split())
    if not 1 <= least <= first <= largest <= _MOST:
        raise CannotSetError(f"the numbers of {setting.knob} rise, to {_MOST} at most: {setting.value} do not")


KNOB = Knob(
    id="tcp.buffers",
    takes=lambda setting: setting.knob in _KNOBS,
    reading=lambda setting: reading(setting, words=3),
    limit=_limit,
    write=lambda setting, _: write(setting),
    owners=tuned,
    reference="Documentation/networking/ip-sysctl.rst, tcp_rmem, tcp_wmem",
)
