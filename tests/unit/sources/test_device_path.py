"""The source device_path."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import QueryCommand
from fullrate.records.facts.bus import BusStep, DevicePath
from fullrate.records.leaf import Scope
from fullrate.sources.device_path import SOURCE
from proc_fixtures import GARBAGE, PASTED, fixture, parsed
from tool_output import ran

GENERATIONS = pytest.mark.parametrize("generation", ["debian12", "debian13"])
HERE = "/sys/class/net/enp1s0/device"
SWITCHED = f"""\
{HERE}/uevent:DRIVER=mlx5_core
{HERE}/uevent:PCI_SLOT_NAME=0000:03:00.0
{HERE}/current_link_speed:8.0 GT/s PCIe
{HERE}/current_link_width:8
{HERE}/max_link_speed:16.0 GT/s PCIe
{HERE}/max_link_width:16
{HERE}/link/l1_aspm:1
{HERE}/iommu_group/type:DMA-FQ
{HERE}/../uevent:DRIVER=pcieport
{HERE}/../uevent:PCI_SLOT_NAME=0000:02:01.0
{HERE}/../current_link_speed:5 GT/s
{HERE}/../current_link_width:4
{HERE}/../link/l1_aspm:0
{HERE}/../../uevent:PCI_SLOT_NAME=0000:00:01.0
{HERE}/../../current_link_speed:Unknown
{HERE}/../../current_link_width:0
{HERE}/numa_node:-1
{HERE}/local_cpulist:0-3,8
"""
USB = f"""\
{HERE}/uevent:DEVTYPE=usb_interface
{HERE}/uevent:DRIVER=r8152
{HERE}/../uevent:DEVTYPE=usb_device
{HERE}/../uevent:DRIVER=usb
{HERE}/../speed:480
{HERE}/../../uevent:DEVTYPE=usb_device
{HERE}/../../speed:5000
{HERE}/../../../uevent:DRIVER=xhci_hcd
{HERE}/../../../uevent:PCI_SLOT_NAME=0000:00:14.0
"""


def path_of(text: str) -> DevicePath:
    """The one path of a text."""
    (path,) = parsed(SOURCE, text.encode(), DevicePath).values()
    return path


@GENERATIONS
def test_nic_below_a_port(generation: str) -> None:
    """The igb hangs on node 1, one lane of the first generation."""
    step = BusStep(level=0, driver="igb", pci_address="0000:81:00.0", speed=2.5, width=1, max_speed=2.5, max_width=1)
    expected = DevicePath(subject="eth3", steps=(step,), numa_node=1, local_cpus=(2, 3))
    assert {"eth3": expected} == parsed(SOURCE, fixture(f"{generation}/igb/grep_device_path.txt"), DevicePath)


@GENERATIONS
def test_virtio_is_one_level_up(generation: str) -> None:
    """A virtio link's own device is no PCI device, the one above is; its node counts."""
    path = path_of(fixture(f"{generation}/virtio_net/grep_device_path.txt").decode())
    assert ("virtio_net", ["0000:84:00.0"], 1, (2, 3)) == (
        path.driver,
        [step.pci_address for step in path.pci],
        path.numa_node,
        path.local_cpus,
    )


def test_device_on_the_root_bus() -> None:
    """Without PCIe link files a PCI device has no speed and no width."""
    path = path_of(fixture("recorded/linux-6.18/grep_device_path.txt").decode())
    assert [("0000:00:03.0", None, None)] == [(step.pci_address, step.speed, step.width) for step in path.pci]


def test_every_bridge_is_a_step() -> None:
    """The levels are told apart by the number of dots."""
    steps = path_of(SWITCHED).steps
    assert [(0, 8.0, 8), (1, 5.0, 4), (2, None, None)] == [(step.level, step.speed, step.width) for step in steps]


def test_what_the_card_could_do() -> None:
    """The maxima are read beside the values in use."""
    own = path_of(SWITCHED).steps[0]
    assert (16.0, 16) == (own.max_speed, own.max_width)


def test_aspm_is_on_off_or_not_controlled() -> None:
    """1, 0 and no file are three different answers."""
    assert [True, False, None] == [step.l1_aspm for step in path_of(SWITCHED).steps]


def test_iommu_domain() -> None:
    """The type of the IOMMU domain is kept as the kernel says it."""
    assert ["DMA-FQ", None, None] == [step.iommu for step in path_of(SWITCHED).steps]


def test_no_node_is_none() -> None:
    """-1 stands for no node; the CPUs are still listed."""
    path = path_of(SWITCHED)
    assert (None, (0, 1, 2, 3, 8)) == (path.numa_node, path.local_cpus)


def test_usb_adapter() -> None:
    """The adapter's own rate counts, not the hub's; the controller is PCI."""
    path = path_of(USB)
    usb = path.usb
    assert usb is not None
    assert (1, 480e6, ["0000:00:14.0"]) == (usb.level, usb.usb_speed, [step.pci_address for step in path.pci])


def test_pci_is_no_usb() -> None:
    """A NIC on PCI has no USB device."""
    assert path_of(SWITCHED).usb is None


def test_truncated_answer_keeps_whole_values() -> None:
    """What was read before the cut stands."""
    payload = fixture("debian13/igb/grep_device_path.txt")
    (path,) = parsed(SOURCE, payload[: payload.index(b"current_link_width")].rpartition(b"\n")[0], DevicePath).values()
    assert (2.5, None) == (path.steps[0].speed, path.steps[0].width)


@pytest.mark.parametrize(
    "payload", [b"", GARBAGE, b"/sys/class/net/eth0/device/speed:5\n", b"/etc/passwd:root\n", b"uevent\n"]
)
def test_other_text_is_refused(payload: bytes) -> None:
    """Neither garbage nor other files nor a device without its uevent is read."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, payload)


def test_bad_width_is_refused() -> None:
    """A width that is no number is not guessed."""
    with pytest.raises(FormatError):
        SOURCE.parse(PASTED, SWITCHED.replace("link_width:8", "link_width:x8").encode())


def test_one_request_a_link() -> None:
    """All levels are read by one command."""
    (request,) = SOURCE.requests(Scope(links=("eth0",)))
    assert isinstance(request, QueryCommand)
    assert SOURCE.answers(request)
    assert "/sys/class/net/eth0/device/../../current_link_width" in request.argv


def test_other_commands_are_not_its_own() -> None:
    """A grep for other files, and another program, belong to others."""
    others = ["grep -sH '' /sys/class/net/eth0/statistics/rx_missed_errors", "readlink -f /sys/class/net/eth0/device"]
    assert [False, False] == [SOURCE.answers(ran(other)) for other in others]


def test_a_device_that_tells_little_takes_no_other_along() -> None:
    """A link without a uevent has no path; the other's is read."""
    lines = b"/sys/class/net/eth1/device/numa_node:0\n/sys/class/net/eth0/device/uevent:DRIVER=igb\n"
    assert ["eth0"] == [path.subject for path in SOURCE.parse(PASTED, lines)]
