"""What tc shows of qdiscs, and the words that make one again."""

import pytest

from fullrate.knobs._tc import Qdisc, sending, ticks_of, words_of
from fullrate.records.setting import CannotSetError
from tool_output import recorded

MADE = "debian12/recorded/tc_d_r_j_qdisc_{}.txt"


def shown(name: str) -> tuple[Qdisc, ...]:
    """The qdiscs of a fixture."""
    return sending(recorded(MADE.format(name)).decode())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tbf", "rate 941501232bit burst 131034 limit 4000000"),
        ("tbf_short", "rate 8000000bit burst 1514 limit 1000"),
        ("pfifo", "limit 500"),
        ("bfifo", "limit 1000000"),
        ("pfifo_fast", ""),
        ("clsact", "limit 77"),
    ],
)
def test_words_that_make_it_again(name: str, words: str) -> None:
    """Of a burst the largest that takes as many ticks."""
    assert tuple(words.split()) == words_of(shown(name)[0])


@pytest.mark.parametrize("name", ["tbf_mpu", "tbf_peakrate", "htb", "noqueue", "mq"])
def test_what_is_not_known_to_be_made_again(name: str) -> None:
    """A peak rate and a least size have more to them; the others are no kinds we make."""
    assert words_of(shown(name)[0]) is None


def test_what_comes_in_is_left_out() -> None:
    """Clsact hangs beside the root."""
    assert ["pfifo"] == [one.kind for one in shown("clsact")]


def test_a_size_table_is_seen() -> None:
    """Its options do not tell."""
    assert [True, False] == [shown(name)[0].shared for name in ("stab", "pfifo")]


@pytest.mark.parametrize("text", ["", "[]", "what?", '[{"kind":"fq"}]', '[{"kind":"fq","handle":"0:","options":{}}]'])
def test_no_root_no_answer(text: str) -> None:
    """A link that is down shows none."""
    with pytest.raises(CannotSetError):
        sending(text)


def test_two_roots_are_none() -> None:
    """Tc was asked of one link."""
    one = recorded(MADE.format("pfifo")).decode().strip()[1:-1]
    with pytest.raises(CannotSetError, match="no single queueing discipline at the root"):
        sending(f"[{one},{one}]")


@pytest.mark.parametrize(
    ("size", "rate", "raw"),
    [
        (131027, 117687654, "43f4"),  # measured: Linux 6.18
        (1514, 1000000, "5c68"),
        (4194304, 1856, "38a91a70"),  # 2260 seconds: the upper bits are lost
    ],
)
def test_ticks_as_the_kernel_has_them(size: int, rate: int, raw: str) -> None:
    """By its own multiplication."""
    assert raw == f"{ticks_of(size, rate):x}"


def test_a_burst_without_its_upper_bits() -> None:
    """No size takes what is left of them."""
    options: dict[str, object] = {"rate": 1856, "burst": "112916b/1", "mpu": 0, "burst_raw": "38a91a70", "limit": 9}
    assert words_of(Qdisc(kind="tbf", handle="1:", options=options | {"linklayer": "ethernet"}, root=True)) is None


@pytest.mark.parametrize(
    "odd",
    [{"rate": 0}, {"rate": "1Gbit"}, {"burst_raw": 7}, {"burst_raw": "0x43f4"}, {"burst_raw": "143f443f4"}, {"x": 1}],
)
def test_numbers_of_another_form(odd: dict[str, object]) -> None:
    """What a tc of some other version may show is not guessed at."""
    options = shown("tbf")[0].options | odd
    assert words_of(Qdisc(kind="tbf", handle="1:", options=options, root=True)) is None
