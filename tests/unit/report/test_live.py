"""The picture of a running job: what a newcomer reads at 80 columns and at 120."""

from dataclasses import replace

from fullrate.records.ends import Direction, End
from fullrate.records.event import AnyEvent, Cpu, Drops, Finished, Measured, PhaseBegan, Sampled, Suspected
from fullrate.records.finding import Confidence
from fullrate.records.run import State
from fullrate.records.trial import Estimate
from fullrate.report.live import Board

PHASE = PhaseBegan(name="measuring tcp 1 flow near to far, port 5201", seconds=5)
NEAR = Sampled(
    trial="t2",
    end=End.NEAR,
    host="lab:a",
    link="wire0",
    direction=Direction.NEAR_TO_FAR,
    seconds=0.5,
    sent_bps=372.9e6,
    received_bps=0.0,
    retransmits_per_second=1300.4,
    cpus=(Cpu(number=1, busy=0.09, softirq=0.02), Cpu(number=0, busy=0.05, softirq=0.0)),
)
FAR = Sampled(
    trial="t2",
    end=End.FAR,
    host="lab:b",
    link="wire0",
    direction=Direction.NEAR_TO_FAR,
    seconds=0.5,
    sent_bps=0.0,
    received_bps=186.4e6,
    retransmits_per_second=None,
    drops=(Drops(place="backlog", per_second=1204.0), Drops(place="link_rx", per_second=1204.0)),
    cpus=(Cpu(number=3, busy=1.0, softirq=0.97),),
)
SUSPECTED = Suspected(cause="netfilter-drop", end="far", confidence=Confidence.HIGH, sentence="a rule discards packets")


def measured(name: str, direction: Direction, rate: float | None, streams: int = 1) -> Measured:
    """One result."""
    estimate = None if rate is None else Estimate(n=1, median=rate, ci_low=rate, ci_high=rate)
    return Measured(
        measurement=name,
        direction=direction,
        protocol="tcp",
        streams=streams,
        runs=1,
        throughput_bps=estimate,
        ceiling_bps=None,
    )


def board(*events: AnyEvent) -> Board:
    """A board that was told all this."""
    made = Board()
    for event in events:
        made.take(event)
    return made


def lines(made: Board, width: int = 79, height: int = 23, *, blocks: bool = True) -> list[str]:
    """What it shows after three seconds."""
    return [line.text for line in made.lines(3.2, width, height, blocks=blocks)]


def test_both_ends_at_80_columns() -> None:
    """Who sends and receives how much, what the busiest CPU does, what is sent again and dropped, and the suspect."""
    assert [
        "measuring tcp 1 flow near to far, port 5201  3 of about 5 s",
        "            near: lab:a, wire0               far: lab:b, wire0",
        "  rate      sends 372.9 Mbit/s █             receives 186.4 Mbit/s ▄",
        "  busiest   CPU 1 9 %, softirq 2 %           CPU 3 100 %, softirq 97 %",
        "  resent    1,300 segments/s                 -",
        "  dropped   none at link, backlog or socket  1,204/s at the backlog",
        "suspect: netfilter-drop (sure: high): a rule discards packets",
    ] == lines(board(PHASE, NEAR, FAR, SUSPECTED))


def test_more_at_120_columns() -> None:
    """The next busy CPU, and the next place."""
    shown = lines(board(PHASE, NEAR, FAR), 119)
    assert "CPU 1 9 %, softirq 2 %; CPU 0 5 %, softirq 0 %" in shown[3]
    assert "1,204/s at the backlog; 1,204/s at the link (rx)" in shown[5]


def test_a_course_grows_and_then_moves() -> None:
    """One character for each look, the newest last, as many as there is room for; ASCII where it has to be."""
    made = board(PHASE, *[NEAR] * 40, replace(NEAR, sent_bps=None), NEAR)
    (row,) = [line for line in lines(made, blocks=False) if "rate" in line]
    assert row.endswith("#####?#")
    assert len(row) <= 79


def test_a_step_forgets_the_figures_of_the_one_before() -> None:
    """They are of another test; what came out stays."""
    made = board(PHASE, NEAR, measured("m1", Direction.NEAR_TO_FAR, 372.9e6), PhaseBegan(name="reading", seconds=0))
    assert ["reading", "so far: near to far 372.9 Mbit/s"] == lines(made)


def test_results() -> None:
    """The newest of each measurement; one that failed is not shown."""
    made = board(
        PHASE,
        measured("m1", Direction.NEAR_TO_FAR, 1e6),
        measured("m1", Direction.NEAR_TO_FAR, 2e9),
        measured("m2", Direction.FAR_TO_NEAR, None),
        measured("m3", Direction.BOTH, 3e9, streams=8),
    )
    assert "so far: near to far 2.00 Gbit/s, both ways 8 flows 3.00 Gbit/s" == lines(made)[1]


def test_a_test_both_ways() -> None:
    """Each end sends and receives."""
    both = [replace(one, direction=Direction.BOTH) for one in (NEAR, FAR)]
    shown = lines(board(PHASE, *both))
    assert ["sends", "372.9", "Mbit/s", "█", "0", "bit/s", "▁"] == shown[2].split()
    assert ["receives", "0", "bit/s", "▁", "186.4", "Mbit/s", "▄"] == shown[3].split()


def test_one_end_alone() -> None:
    """Of a mere server nothing is seen."""
    shown = lines(board(PHASE, NEAR))
    assert ["near:", "lab:a,", "wire0"] == shown[1].split()
    assert ["rate", "sends", "372.9", "Mbit/s", "█"] == shown[2].split()


def test_no_suspect_any_more() -> None:
    """The line goes."""
    assert [PHASE.name + "  3 of about 5 s"] == lines(board(PHASE, SUSPECTED, Suspected()))


def test_little_height() -> None:
    """What is being done, the rates and the suspect stay longest, in their order."""
    made = board(PHASE, NEAR, FAR, SUSPECTED, measured("m1", Direction.NEAR_TO_FAR, 1e9))
    assert ["measuring", "rate", "suspect:"] == [line.split()[0] for line in lines(made, height=3)]
    assert [] == lines(made, height=0)


def test_nothing_told() -> None:
    """Nothing shown, and the end of a job changes nothing."""
    over = Finished(run="r", state=State.FULL, summary="full")
    assert [] == lines(board(over))


def test_one_line() -> None:
    """Everything that fits in one: the rate is what arrives; of a sender that alone is seen, what it sends."""
    assert "measuring tcp 1 flow near to far, port 5201  3 of about 5 s  186.4 Mbit/s" == board(PHASE, FAR, NEAR).line(
        3, 79
    )
    assert "measuring tcp 1 flow near to far, port 5201  3 of about 5 s  372.9 Mbit/s" == board(PHASE, NEAR).line(3, 79)
    assert "measuring tcp..." == board(PHASE).line(3, 16)
