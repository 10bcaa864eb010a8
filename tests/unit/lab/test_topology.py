"""The lab's addresses, speeds and steps."""

import pytest

from fullrate.lab import topology
from fullrate.lab.topology import ENDS, LINKS, Place, link_named
from fullrate.records.errors import UsageError
from fullrate.records.evidence import ChangeCommand

WIRE, CPU = LINKS
BOTH = (0, 1)


def _lines(cpus: tuple[int, ...] = BOTH) -> list[str]:
    return [action.key for action in topology.build(cpus)]


def _first(part: str) -> int:
    return next(number for number, line in enumerate(_lines()) if part in line)


@pytest.mark.parametrize(("place", "expected"), [*zip(Place, ("fullrate-a", "fullrate-r", "fullrate-b"), strict=True)])
def test_namespaces(place: Place, expected: str) -> None:
    """Near is a, the router r, far b."""
    assert expected == place.namespace


def test_addresses() -> None:
    """Each end of each link has its own subnet."""
    expected = ["10.77.1.2", "10.77.2.2", "10.77.3.2", "10.77.4.2"]
    assert expected == [link.address(end) for link in LINKS for end in ENDS]


def test_addresses6() -> None:
    """The IPv6 subnets carry the same numbers."""
    assert ["fd77:1::2", "fd77:2::2"] == [WIRE.address6(end) for end in ENDS]


def test_router_ports() -> None:
    """The router's interfaces are named by link and end."""
    assert ["cpu-a", "cpu-b"] == [CPU.port(end) for end in ENDS]


def test_link_by_name() -> None:
    """A link is found by its name."""
    assert CPU is link_named("cpu")


def test_unknown_link() -> None:
    """An unknown link is refused, with those there are."""
    with pytest.raises(UsageError, match="it has wire and cpu"):
        link_named("fibre")


@pytest.mark.parametrize(("end", "expected"), [(Place.NEAR, Place.FAR), (Place.FAR, Place.NEAR)])
def test_other(end: Place, expected: Place) -> None:
    """The other end is the opposite one."""
    assert expected is topology.other(end)


@pytest.mark.parametrize(("speed", "expected"), [(1e9, 984_395_319), (5e9, 4_921_976_593)])
def test_shaped_rate(speed: float, expected: int) -> None:
    """Tbf does not count preamble, FCS and gap: 24 of 1538 bytes."""
    assert expected == topology.shaped_rate(speed)


@pytest.mark.parametrize(("speed", "expected"), [(1e9, 131_072), (5e9, 615_247)])
def test_burst(speed: float, expected: int) -> None:
    """The bucket holds a millisecond, and never less than two superframes."""
    assert expected == topology.burst(speed)


@pytest.mark.parametrize(
    ("cpu", "expected"), [(0, "1"), (1, "2"), (5, "20"), (32, "1,00000000"), (65, "2,00000000,00000000")]
)
def test_cpu_mask(cpu: int, expected: str) -> None:
    """A mask is hexadecimal with a comma between 32-bit words."""
    assert expected == topology.cpu_mask(cpu)


def test_first_step() -> None:
    """Nothing comes before the first namespace."""
    assert "ip netns add fullrate-a" == _lines()[0]


@pytest.mark.parametrize(
    "step", [action for action in topology.build(BOTH) if isinstance(action, ChangeCommand)], ids=str
)
def test_every_step_is_inside(step: ChangeCommand) -> None:
    """Each step names a namespace of the lab: nothing is made in the host's own."""
    assert {place.namespace for place in Place} & set(step.argv)


def test_every_step_is_a_command() -> None:
    """No step writes a file of the host."""
    assert all(isinstance(action, ChangeCommand) for action in topology.build(BOTH))


@pytest.mark.parametrize("port", ["wire-a", "wire-b"])
def test_speed_of_the_wire(port: str) -> None:
    """Both directions of a link are shaped at the router."""
    shape = "tbf rate 984395319bit burst 131072 limit 4000000"
    assert f"tc -n fullrate-r qdisc replace dev {port} root handle 1: {shape}" in _lines()


@pytest.mark.parametrize(
    "route",
    [
        "ip -n fullrate-a route replace 10.77.2.0/24 via 10.77.1.1 dev wire0 congctl cubic",
        "ip -n fullrate-b route replace 10.77.3.0/24 via 10.77.4.1 dev cpu0 congctl cubic",
        "ip -n fullrate-b -6 route replace fd77:1::/64 via fd77:2::1 dev wire0 congctl cubic",
    ],
)
def test_routes(route: str) -> None:
    """Each end reaches the other by the router, with cubic."""
    assert route in _lines()


def test_a_link_has_fixed_addresses() -> None:
    """Two labs have the same MAC addresses, so their settings can be compared."""
    ends = "cpu-a address 02:00:0a:4d:03:01 type veth peer name cpu0 address 02:00:0a:4d:03:02 netns fullrate-a"
    assert f"ip -n fullrate-r link add {ends}" in _lines()


def test_routes_come_after_the_addresses() -> None:
    """A gateway must be reachable before it can be used."""
    assert _first("route replace 10.77.4.0/24") > _first("addr add 10.77.3.2/24")


def test_forwarding() -> None:
    """The router, and only the router, forwards."""
    (line,) = [line for line in _lines() if "ip_forward" in line]
    assert line.startswith("ip netns exec fullrate-r sysctl -qw ")


def test_steering() -> None:
    """An end's interface, and the router's towards it, are served by the end's CPU."""
    steps = [a for a in topology.build((2, 5)) if isinstance(a, ChangeCommand) and a.argv[-1].endswith("rps_cpus")]
    assert 4 * ["4"] + 4 * ["20"] == sorted((step.stdin for step in steps), key=lambda mask: (len(mask), mask))


def test_one_cpu() -> None:
    """With one CPU nothing is steered."""
    assert not [line for line in _lines(()) if "rps_cpus" in line]


def test_price_of_a_packet() -> None:
    """Only the cpu link's packets pass the list of rules."""
    (rules,) = [
        action.stdin for action in topology.build(BOTH) if isinstance(action, ChangeCommand) and "nft" in action.argv
    ]
    assert (150, True) == (rules.count("drop"), 'iifname != { "cpu-a", "cpu-b" } accept' in rules)


def test_removal_names_every_namespace() -> None:
    """What is built is taken away."""
    lines = [action.key for action in topology.remove()]
    assert [f"ip netns del {place.namespace}" for place in Place] == lines[-3:]


def test_removal_begins_with_the_links() -> None:
    """Links go first, in case a person's shell keeps a namespace alive."""
    lines = [action.key for action in topology.remove()]
    assert "ip -n fullrate-a link del wire0" == lines[0]
