"""The parser of `ethtool -k`."""

import pytest

from fullrate.records.errors import FormatError
from fullrate.records.evidence import query
from fullrate.records.facts.ethtool import Feature, Features
from fullrate.records.leaf import Scope
from fullrate.sources.ethtool_features import SOURCE, parse
from tool_output import GARBAGE, ran, recorded

ASKED = ran("ethtool -k eth3")


def features(path: str) -> Features:
    """The one fact of a recorded reply."""
    (fact,) = parse(ASKED, recorded(path))
    return fact


def feature(path: str, name: str) -> Feature:
    """One feature of a recorded reply."""
    return next(feature for feature in features(path).features if feature.name == name)


@pytest.mark.parametrize(("generation", "count"), [("debian12", 65), ("debian13", 62)])
def test_every_line_is_a_feature(generation: str, count: int) -> None:
    """No feature of either generation is left out."""
    lines = recorded(f"{generation}/igb/ethtool_k.txt").decode().splitlines()
    assert len(lines) - 1 == len(features(f"{generation}/igb/ethtool_k.txt").features) == count


def test_subject_comes_from_the_header() -> None:
    """The link is named in the text."""
    assert "veth0" == features("debian13/veth/ethtool_k.txt").subject


def test_feature_that_is_on() -> None:
    """A main feature that is on can be changed."""
    expected = Feature(name="tcp-segmentation-offload", on=True)
    assert expected == feature("debian12/igb/ethtool_k.txt", "tcp-segmentation-offload")


def test_feature_that_is_off_and_fixed() -> None:
    """[fixed] is kept."""
    expected = Feature(name="large-receive-offload", on=False, fixed=True)
    assert expected == feature("debian12/igb/ethtool_k.txt", "large-receive-offload")


def test_feature_that_is_on_and_fixed() -> None:
    """What the driver forces on is on and fixed."""
    assert Feature(name="highdma", on=True, fixed=True) == feature("debian12/igb/ethtool_k.txt", "highdma")


def test_indented_feature_is_read() -> None:
    """The parts of a feature stand below it, by their kernel names."""
    assert Feature(name="tx-checksum-ip-generic", on=True) == feature(
        "debian12/igb/ethtool_k.txt", "tx-checksum-ip-generic"
    )


def test_requested_feature_is_not_fixed() -> None:
    """[requested on] is off for want of something else, not by the driver's will."""
    (fact,) = parse(ASKED, b"Features for eth3:\n\ttx-tcp-segmentation: off [requested on]\n")
    assert (Feature(name="tx-tcp-segmentation", on=False),) == fact.features


def test_names_with_underscores_are_read() -> None:
    """tx-udp_tnl-segmentation is a feature."""
    assert features("debian13/igb/ethtool_k.txt").on("tx-udp_tnl-segmentation") is True


def test_unlisted_feature_is_unknown() -> None:
    """A feature the kernel does not list is neither on nor off."""
    assert features("debian12/igb/ethtool_k.txt").on("tx-teleport") is None


def test_paste_without_header_takes_the_subject_from_the_request() -> None:
    """A grepped paste is read, about the link asked for."""
    (fact,) = parse(ASKED, b"$ ethtool -k eth3 | grep large\nlarge-receive-offload: on\n")
    assert ("eth3", True) == (fact.subject, fact.on("large-receive-offload"))


def test_truncated_text_is_refused() -> None:
    """A line cut in the middle is an error."""
    with pytest.raises(FormatError):
        parse(ASKED, recorded("debian12/igb/ethtool_k.txt")[:300])


@pytest.mark.parametrize("payload", [*GARBAGE, b"", b"Features for eth3:\n"])
def test_other_text_is_refused(payload: bytes) -> None:
    """What is not of ethtool -k raises FormatError."""
    with pytest.raises(FormatError):
        parse(ASKED, payload)


def test_each_link_is_asked() -> None:
    """One request a link under test."""
    assert (query("ethtool", "-k", "eth0"),) == SOURCE.requests(Scope(links=("eth0",)))


def test_own_request_is_answered_and_no_other() -> None:
    """-K sets, -k reads: only the latter is its own."""
    assert [True, False, False] == [
        SOURCE.answers(ran(command)) for command in ("ethtool -k eth3", "ethtool -K eth3", "ethtool eth3")
    ]
