"""What the verbs that change a machine print of a value, and their exit codes."""

import pytest

import planned
from fullrate.cli._told import code_of, told
from fullrate.records.change import ChangeState

QDISC = '[{"kind":"noqueue","handle":"0:","root":true, "options":{}}]'


@pytest.mark.parametrize(
    ("knob", "value", "expected"),
    [
        ("link.qdisc", QDISC, "noqueue (the kernel's own)"),
        ("nic.ring.rx", "512", "512"),
        ("a.knob.of.another.version", "x", "x"),
    ],
)
def test_values(knob: str, value: str, expected: str) -> None:
    """In the words of its knob; as it is where no knob of ours knows it."""
    assert expected == told(knob, value)


def test_codes() -> None:
    """0 when every change is where it should be; none at all is well, too."""
    kept, back = planned.changed(state=ChangeState.CONFIRMED), planned.changed(state=ChangeState.REVERTED)
    assert [0, 0, 4, 0] == [
        code_of((), "confirmed"),
        code_of((kept,), "confirmed"),
        code_of((kept, back), "confirmed"),
        code_of((kept, back), "confirmed", "reverted"),
    ]
