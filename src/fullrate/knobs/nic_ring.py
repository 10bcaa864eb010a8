"""`nic.ring.rx`, `nic.ring.tx`: how many descriptors a NIC's rings have.

    # ethtool -g eth0
    Pre-set maximums:
    RX:             4096
    TX:             4096
    Current hardware settings:
    RX:             512
    TX:             512

ethtool(8), -G; ETHTOOL_MSG_RINGS_SET in Documentation/networking/ethtool-netlink.rst. Drivers round the number (a power
of two, a multiple of 8); what is then read back is not what was asked for, and the change is taken back. Most drivers
stop the link while they allocate anew.
"""

from fullrate.knobs._ethtool import ask, now_of, rows, within, written
from fullrate.knobs._links import configured, typed
from fullrate.records.leaf import Knob
from fullrate.records.setting import Disruption

_LABELS = {"rx": "RX", "tx": "TX"}
_FLAG = "-g"
_WORDS = rf"^[[:space:]]*((Rx|Tx)BufferSize|ring-(rx|tx)=|hardware-dma-ring-)|{typed('-G', '--set-ring')}"

KNOB = Knob(
    id="nic.ring",
    takes=lambda setting: setting.knob in {f"nic.ring.{word}" for word in _LABELS},
    reading=lambda setting: now_of(setting, _FLAG, _LABELS),
    limit=lambda setting, answers: within(setting, answers, _FLAG, _LABELS, least=1),
    write=lambda setting, _: written(setting, "-G"),
    survey=lambda link: (ask(link, _FLAG),),
    shown=lambda link, answers: rows(link, answers, _FLAG, "nic.ring", _LABELS),
    disruption=Disruption.LINK,
    owners=lambda setting: configured(setting, _WORDS),
    reference="ethtool(8), --set-ring",
)
