"""The source getent_ahosts."""

from pathlib import Path

import pytest

from fullrate import registry
from fullrate.records.errors import FormatError
from fullrate.records.evidence import ReadFile, query
from fullrate.records.facts.names import ResolvedAddress
from fullrate.records.leaf import Scope
from fullrate.records.probes import resolve_request
from fullrate.sources.getent_ahosts import SOURCE, parse, recognizes

FOLDER = Path(__file__).parents[2] / "fixtures/debian12/names"
NAMES = sorted(path.stem.removeprefix("getent_ahosts_") for path in FOLDER.glob("*.txt"))
PASTED = ReadFile(path="pasted")


def recorded(name: str) -> bytes:
    """What was printed for a name."""
    return (FOLDER / f"getent_ahosts_{name}.txt").read_bytes()


def addresses(name: str) -> list[str]:
    """The addresses read from it."""
    return [fact.address for fact in parse(resolve_request(name), recorded(name))]


def test_every_address_once_in_the_resolvers_order() -> None:
    """Three lines for each are one address."""
    assert ["2001:db8::7", "192.0.2.7", "192.0.2.8"] == addresses("nas")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("six", "2001:db8::9"),
        ("vm", "127.0.1.1"),
        ("localhost", "127.0.0.1"),
        ("192.0.2.7", "192.0.2.7"),
        ("mapped.example.org", "192.0.2.9"),
    ],
)
def test_one_address(name: str, expected: str) -> None:
    """Of either family; one that is IPv4 in IPv6 clothes as IPv4, and an address as itself."""
    assert [expected] == addresses(name)


def test_the_subject_is_the_name_asked_for() -> None:
    """Not the canonical one: what was asked is looked up again."""
    assert {"nas"} == {fact.subject for fact in parse(resolve_request("nas"), recorded("nas"))}


def test_a_paste_names_itself() -> None:
    """Without a request the canonical name must do."""
    assert {"nas.example.org"} == {fact.subject for fact in parse(PASTED, recorded("nas"))}


def test_musl_prints_no_trailing_blanks() -> None:
    """The same list without them is the same."""
    trimmed = b"\n".join(line.rstrip() for line in recorded("nas").splitlines())
    assert parse(resolve_request("nas"), recorded("nas")) == parse(resolve_request("nas"), trimmed)


def test_addresses_of_one_name_are_told_apart() -> None:
    """A window must not take one for the other."""
    first, second = (ResolvedAddress(subject="nas", address=f"192.0.2.{last}") for last in (7, 8))
    assert first.identity != second.identity


@pytest.mark.parametrize("payload", [b"", b"\n", b"nas\n", b"192.0.2.7 nas\n", b"x STREAM nas\n", b"\xff\xfe\x00"])
def test_garbage(payload: bytes) -> None:
    """What is no such list is refused."""
    with pytest.raises(FormatError):
        parse(resolve_request("nas"), payload)


@pytest.mark.parametrize("size", [8, 17, 21, 50])
def test_truncated(size: int) -> None:
    """A list that ends within a line is no list."""
    with pytest.raises(FormatError):
        parse(resolve_request("nas"), recorded("nas")[:size])


def test_an_impossible_address() -> None:
    """A line of the form with no address in it."""
    with pytest.raises(FormatError, match="is not an IP address"):
        parse(resolve_request("nas"), b"192.0.2.777 STREAM nas\n")


def test_nothing_is_asked_on_its_own_account() -> None:
    """Only a server that is named is looked up."""
    assert () == SOURCE.requests(Scope(links=("eth0",)))


def test_its_requests_are_its_own_alone() -> None:
    """The reply goes to this source and to no other."""
    request = resolve_request("nas")
    assert ["getent_ahosts"] == [source.id for source in registry.sources() if source.answers(request)]
    assert not SOURCE.answers(query("getent", "hosts", "nas"))


@pytest.mark.parametrize("name", NAMES)
def test_recognized_by_this_source_alone(name: str) -> None:
    """A pasted list finds its parser."""
    text = recorded(name).decode()
    assert ["getent_ahosts"] == [source.id for source in registry.sources() if source.recognizes(text)]


def test_recognized_with_the_prompt_above() -> None:
    """As people paste it."""
    assert recognizes(f"root@nas:~# getent ahosts nas\n{recorded('nas').decode()}")


@pytest.mark.parametrize("text", ["", "192.0.2.7 nas.example.org", "127.0.0.1\tlocalhost\n", "STREAM"])
def test_other_texts_are_not_claimed(text: str) -> None:
    """A hosts file is none."""
    assert not recognizes(text)
