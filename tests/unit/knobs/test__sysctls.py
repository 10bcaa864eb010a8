"""What knobs of kernel settings share."""

import pytest

from fullrate.knobs._sysctls import key_of, path_of, reading, tuned, write
from fullrate.records.evidence import QueryCommand, ReadFile, WriteFile
from fullrate.records.setting import CannotSetError
from unit.knobs.machine import named_by, setting

KEY = "net.ipv4.tcp_rmem"
RMEM = setting(f"sysctl.{KEY}", "4096 131072 6291456", KEY)
BALANCED, FAST = "/usr/lib/tuned/balanced/tuned.conf", "/usr/lib/tuned/network-throughput/tuned.conf"
INCLUDES = (
    f"{FAST}:include=throughput-performance\n/usr/lib/tuned/profiles/mine/tuned.conf:include=network-throughput\n"
)


def test_the_file_of_a_key() -> None:
    """Dots are slashes (sysctl(8))."""
    assert "/proc/sys/net/ipv4/tcp_rmem" == path_of(RMEM)
    assert KEY == key_of(setting(f"sysctl.{KEY}", "", ""))


@pytest.mark.parametrize(
    "key", ["..", "net.ipv4../x", "net/ipv4/x", "net.ipv4.tcp rmem", "-a", "net", "net..x", "net.x\n"]
)
def test_what_is_no_key(key: str) -> None:
    """Nothing that leaves the folder of kernel settings."""
    with pytest.raises(CannotSetError, match="names no kernel setting"):
        path_of(setting(f"sysctl.{key}", "1", key))


def test_a_key_is_its_own_subject() -> None:
    """Another one beside it is a mistake."""
    with pytest.raises(CannotSetError, match=r"sysctl.net.ipv4.tcp_rmem of 'eth0' names no kernel setting"):
        key_of(setting(f"sysctl.{KEY}", "1", "eth0"))


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [
        (3, "4096\t131072\t6291456\n", "4096 131072 6291456"),
        (3, "4096 131072 6291456\n", "4096 131072 6291456"),
        (3, "4096\t131072\n", None),
        (3, "4096\t131072\t6291456\t1\n", None),
        (1, "cubic\n", "cubic"),
        (1, "", None),
    ],
)
def test_words_are_read(words: int, text: str, expected: str | None) -> None:
    """The kernel puts tabs between numbers."""
    assert expected == reading(RMEM, words=words).value(text)
    assert ReadFile(path="/proc/sys/net/ipv4/tcp_rmem") == reading(RMEM).request


def test_a_value_is_written_as_it_is() -> None:
    """And read back the same."""
    writing = write(RMEM)
    assert WriteFile(path="/proc/sys/net/ipv4/tcp_rmem", content="4096 131072 6291456") == writing.action
    assert r"4096\ 131072\ 6291456" == writing.expect


@pytest.mark.parametrize(
    ("active", "includes", "setters", "expected"),
    [
        ("network-throughput\n", "", f"{FAST}\n", ["tuned"]),
        ("balanced\n", "", f"{FAST}\n", []),
        ("network-throughput\n", "", f"{BALANCED}\n", []),
        ("", INCLUDES, f"{FAST}\n", []),
        ("network-throughput\n", INCLUDES, "", []),
        ("mine\n", INCLUDES, f"{BALANCED}\n{FAST}\n", ["tuned"]),
        ("mine\n", INCLUDES, "/usr/lib/tuned/throughput-performance/tuned.conf\n", ["tuned"]),
        ("mine\n", INCLUDES, f"{BALANCED}\n", []),
        ("balanced\n", INCLUDES, f"{FAST}\n", []),
        ("balanced mine\n", INCLUDES, f"{FAST}\n", ["tuned"]),
        ("throughput\n", INCLUDES, f"{FAST}\n", []),
        ("network\n", "", f"{FAST}\n", []),
        ("mine\n", "/etc/tuned/mine/tuned.conf:include=a, network-throughput\n", f"{FAST}\n", ["tuned"]),
    ],
)
def test_tuned_owns_what_its_active_profile_sets(active: str, includes: str, setters: str, expected: list[str]) -> None:
    """By itself, or by one that it includes, or that this includes; no other profile counts."""
    assert expected == named_by(tuned(RMEM), active, includes, includes, setters)


def test_tuned_is_asked_for_the_key() -> None:
    """Its dots are dots."""
    request = tuned(RMEM)[0].requests[3]
    assert isinstance(request, QueryCommand)
    assert r"^[[:space:]]*net\.ipv4\.tcp_rmem[[:space:]]*=" == request.argv[2]


def test_tuned_has_many_profiles() -> None:
    """Which of them includes which is looked for in proportion: 200 of them are no reason to wait."""
    includes = "".join(
        f"/usr/lib/tuned/profile-{number}/tuned.conf:include=profile-{number + 1}\n" for number in range(200)
    )
    setters = "".join(f"/usr/lib/tuned/profile-{number}/tuned.conf\n" for number in range(5, 200))
    assert [] == named_by(tuned(RMEM), "profile-1\n", includes, includes, setters)
    assert ["tuned"] == named_by(tuned(RMEM), "profile-3\n", includes, includes, setters)
