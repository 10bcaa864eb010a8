"""What outputs that somebody pasted tell where the list of links is not among them.

Live it was read, or could not be and nothing is concluded; pasted, other outputs show the device as well.
"""

import re

from fullrate.records.evidence import Status
from fullrate.records.facts.ethtool import DriverInfo, LinkMode
from fullrate.records.facts.kernel_log import KernelMessage
from fullrate.records.facts.link import Link
from fullrate.records.view import EndView

# Names that udev makes of where a device sits: on board, in a slot, on a bus, by its address; links that the kernel
# makes get none (systemd.net-naming-scheme(7)). `eth0` may be one end of a container's pair.
_PLACED = re.compile(r"en(?:P\d+)?[ospx][0-9a-f]\w*")


def is_device(end: EndView, link: str) -> bool:
    """Whether pasted outputs show that a link of which no more was given is a device, not made by the kernel."""
    pasted = any(gap.status is Status.NOT_RECORDED for gap in end.gaps(Link))
    if end.want(Link, link) is not None or not pasted:
        return False
    mode, driver = end.want(LinkMode, link), end.want(DriverInfo, link)
    return bool(
        (mode is not None and mode.supported)  # only a PHY has any
        or (driver is not None and driver.bus_info)
        or _PLACED.fullmatch(link)
        or any(said.subject == link for said in end.all(KernelMessage))
    )
