"""The settings that move a rate, as they were found."""

from dataclasses import replace

from fullrate.diagnose.conditions import conditions
from fullrate.records.ends import End
from fullrate.records.facts.base import Fact
from fullrate.records.facts.ethtool import Feature, Features
from fullrate.records.facts.link import Link
from fullrate.records.facts.net import Sysctl, TcpSocket
from fullrate.records.facts.processor import FrequencyControl, FrequencyPolicy
from fullrate.records.numbers import Condition
from fullrate.records.snapshot import Observation, Snapshot, Window
from fullrate.records.trial import EngineResult, Trial
from fullrate.records.view import EndView
from iperf3_recorded import FORWARD

FACTS = (
    Link(subject="eth0", ifindex=2, mtu=9000, operstate="UP", gso_max_size=65536),
    Features(
        subject="eth0",
        features=(
            Feature(name="tcp-segmentation-offload", on=True),
            Feature(name="generic-receive-offload", on=False),
        ),
    ),
    Sysctl(subject="net.ipv4.tcp_rmem", value="4096 131072 6291456"),
    FrequencyControl(subject="", policies=(FrequencyPolicy(name="policy0", governor="powersave"),)),
)
SOCKET = TcpSocket(
    subject="s",
    local_address="192.0.2.1",
    local_port=5201,
    peer_address="192.0.2.2",
    peer_port=1,
    state="ESTAB",
    congestion_control="bbr",
)


def seen(*facts: Fact) -> Snapshot:
    """A host of which this is known."""
    return Snapshot(observations=tuple(Observation(fact=fact, taken_at=0.0, source="x") for fact in facts))


def end(*facts: Fact) -> dict[End, EndView]:
    """The near end."""
    return {End.NEAR: EndView(end=End.NEAR, snapshot=seen(*facts), interface="eth0")}


def test_what_moves_a_rate_is_told() -> None:
    """Each by its name, the value as it was found."""
    trial = Trial(id="t1", spec=FORWARD, windows={End.NEAR: Window(before=seen(), after=seen(SOCKET))})
    found = {one.name: one.value for one in conditions(end(*FACTS), (trial,))}
    assert found == {
        "congestion control": "bbr",
        "MTU": "9000",
        "largest GSO packet": "65536 bytes",
        "offloads": "TSO on, GRO off",
        "largest receive buffer": "6291456 bytes",
        "CPU governor": "powersave",
    }


def test_the_tests_own_writes() -> None:
    """Where nobody asked for another size, that of the program."""
    told = EngineResult(program="iperf3", client_version="3.12")
    usual, large = (
        Trial(id="t1", spec=FORWARD, engine=told),
        Trial(id="t2", spec=replace(FORWARD, write=1), engine=told),
    )
    expected = Condition(end=None, name="writes", value="of 131,072 bytes, as iperf3 3.12 has it")
    assert ((expected,), ()) == (conditions({}, (usual, large)), conditions({}, (large,)))


def test_what_is_not_known_is_left_out() -> None:
    """No empty line, nothing of a host that nobody saw."""
    assert () == conditions(end(), ())
