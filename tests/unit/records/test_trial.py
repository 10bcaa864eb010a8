"""A trial's specification in words, which of them a verdict rests on, and quantiles of a histogram."""

from dataclasses import fields, replace

import pytest

from fullrate.records.ends import Direction, End
from fullrate.records.trial import IDLE, Bucket, Latency, TrialKind, TrialSpec

OUT = Direction.NEAR_TO_FAR
BULK = TrialSpec(kind=TrialKind.BULK, direction=OUT)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (IDLE, "the link at rest"),
        (BULK, "tcp 1 flow near to far"),
        (
            TrialSpec(kind=TrialKind.BULK, direction=Direction.BOTH, streams=8, processes=4),
            "tcp 8 flows of 4 processes both ways",
        ),
        (TrialSpec(kind=TrialKind.BULK, direction=OUT, within=End.FAR), "tcp 1 flow within the far end"),
        (TrialSpec(kind=TrialKind.LATENCY, direction=OUT, protocol="udp"), "udp requests near to far"),
        (
            TrialSpec(kind=TrialKind.LATENCY, direction=OUT, load=Direction.FAR_TO_NEAR),
            "tcp requests near to far, with bulk TCP far to near",
        ),
        (TrialSpec(kind=TrialKind.PATH_MTU, protocol="udp"), "path MTU"),
    ],
)
def test_label(spec: TrialSpec, words: str) -> None:
    """What is sent, in what company, and which way."""
    assert words == spec.label


@pytest.mark.parametrize(
    ("spec", "usual"),
    [
        (IDLE, True),
        (BULK, True),
        (TrialSpec(kind=TrialKind.BULK, direction=OUT, protocol="udp", rate=1e9, streams=4, datagram=1448), True),
        (TrialSpec(kind=TrialKind.BULK, direction=OUT, processes=2), False),
        (TrialSpec(kind=TrialKind.BULK, direction=OUT, near_cpus=(1,)), False),
        (TrialSpec(kind=TrialKind.BULK, direction=OUT, beside="the other way"), False),
        (TrialSpec(kind=TrialKind.BULK, direction=OUT, within=End.NEAR), False),
        (TrialSpec(kind=TrialKind.BULK, direction=Direction.BOTH), False),
        (TrialSpec(kind=TrialKind.BULK, direction=OUT, protocol="udp", search=True), False),
        (TrialSpec(kind=TrialKind.BULK, direction=OUT, skip_copy=True), False),
        (TrialSpec(kind=TrialKind.LATENCY, direction=OUT), False),
    ],
)
def test_a_verdict_rests_on_the_usual(spec: TrialSpec, *, usual: bool) -> None:
    """Bulk traffic that has the link to itself, with nothing special about it."""
    assert spec.usual is usual


def test_whatever_else_is_said_of_a_test_makes_it_special() -> None:
    """A field that is added is special until somebody says that a verdict may rest on it."""
    plain = {"kind", "direction", "protocol", "streams", "rate", "max_seconds", "near_serves", "datagram", "buffer"}
    unlike: dict[str, object] = {"near_cpus": (1,), "far_cpus": (1,), "load": OUT, "within": End.NEAR, "processes": 2}
    special = {field.name for field in fields(TrialSpec)} - plain - {"whole", "path"}  # how long; of a disk only
    usual = [name for name in special if replace(BULK, **{name: unlike.get(name, "x")}).usual]  # type: ignore[arg-type]
    assert [] == usual


def test_quantiles() -> None:
    """The upper edge of the bucket that holds it; the last one ends at the maximum."""
    buckets = (Bucket(upper=1e-5, count=50), Bucket(upper=2e-5, count=49), Bucket(upper=4e-5, count=1))
    found = Latency(count=100, mean=1.2e-5, minimum=8e-6, maximum=3.1e-5, histogram=buckets)
    assert [1e-5, 2e-5, 2e-5, 3.1e-5] == [found.quantile(share) for share in (0.5, 0.51, 0.99, 1.0)]
