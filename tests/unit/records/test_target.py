"""TARGET as the user writes it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fullrate.records.errors import UsageError
from fullrate.records.target import LOCAL, Target, TargetKind, one_sided, parse_target, server_name, two_sided


def ssh(text: str, name: str, user: str | None = None, port: int | None = None) -> Target:
    """A target reached over SSH."""
    return Target(kind=TargetKind.SSH, text=text, name=name, user=user, port=port)


@pytest.mark.parametrize(
    "target",
    [
        ssh("nas", "nas"),
        ssh("root@nas", "nas", "root"),
        ssh("root@nas.example.org", "nas.example.org", "root"),
        ssh("root@nas:2222", "nas", "root", 2222),
        ssh("nas:65535", "nas", None, 65535),
        ssh("192.0.2.1", "192.0.2.1"),
        ssh("ada@192.0.2.1:22", "192.0.2.1", "ada", 22),
        ssh("[2001:db8::1]", "2001:db8::1"),
        ssh("root@[2001:db8::1]:22", "2001:db8::1", "root", 22),
        ssh("[fe80::1%eth0]", "fe80::1%eth0"),
        ssh("[fe80::1%br-lan.7]", "fe80::1%br-lan.7"),
        ssh("[::ffff:192.0.2.1]", "::ffff:192.0.2.1"),
        ssh("host_1", "host_1"),
        ssh("bücher.example", "bücher.example"),
        ssh("ada@example.org@nas", "nas", "ada@example.org"),
        ssh("DOMAIN\\ada@nas", "nas", "DOMAIN\\ada"),
        ssh("a-b@c-d", "c-d", "a-b"),
        ssh("netns", "netns"),
        ssh("lab", "lab"),
        ssh("localhost", "localhost"),
    ],
    ids=lambda target: target.text,
)
def test_ssh_target(target: Target) -> None:
    """User, host and port as ssh(1) takes them; an IPv6 address loses its brackets."""
    assert target == parse_target(target.text)


@pytest.mark.parametrize("name", ["blue", "frt-a", "a b", "ns.1", "größe"])
def test_network_namespace(name: str) -> None:
    """As `ip netns list` shows it."""
    text = f"netns:{name}"
    assert Target(kind=TargetKind.NETNS, text=text, name=name) == parse_target(text)


@pytest.mark.parametrize(("text", "link"), [("lab:", ""), ("lab:10g", "10g")])
def test_lab(text: str, link: str) -> None:
    """The practice network, with or without a link's name."""
    assert Target(kind=TargetKind.LAB, text=text, name=link) == parse_target(text)


def test_no_target_is_this_host() -> None:
    """It has no name to reach it by."""
    assert (TargetKind.LOCAL, "this host", "") == (LOCAL.kind, LOCAL.text, LOCAL.name)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param(" ", id="blank"),
        pytest.param("two words", id="two words"),
        pytest.param("nas\n", id="line end"),
        pytest.param("n\x00as", id="zero byte"),
        pytest.param("n\x1b[31mas", id="escape"),
        pytest.param("user@", id="no host"),
        pytest.param("@host", id="no user"),
        pytest.param("nas:", id="no port"),
        pytest.param("nas:ssh", id="port in words"),
        pytest.param("nas:-1", id="negative port"),
        pytest.param("nas:123456", id="long port"),
        pytest.param("nas:\N{ARABIC-INDIC DIGIT TWO}", id="digits of another script"),
        pytest.param("ssh://root@nas", id="address of the web kind"),
        pytest.param("2001:db8::1", id="IPv6 without brackets"),
        pytest.param("[2001:db8::1", id="open bracket"),
        pytest.param("[]", id="empty brackets"),
        pytest.param("[nas]", id="name in brackets"),
        pytest.param("runs/01RUN.fullrate", id="a file"),
        pytest.param("-oProxyCommand=id", id="an option"),
        pytest.param("root@-oProxyCommand=id", id="an option for a host"),
        pytest.param("-l@nas", id="an option for a user"),
        pytest.param("$(id)", id="substitution for a host"),
        pytest.param("`id`@nas", id="substitution for a user"),
        pytest.param("a;id@nas", id="command for a user"),
        pytest.param("nas;id", id="command for a host"),
        pytest.param("user:secret@nas", id="password"),
    ],
)
def test_what_is_no_target_is_refused_with_the_forms(text: str) -> None:
    """The message shows what may be written."""
    with pytest.raises(UsageError, match="is no target; TARGET is user@host, netns:NAME, lab: or lab:LINK"):
        parse_target(text)


@pytest.mark.parametrize("port", [0, 65536, 99999])
def test_port_out_of_range_is_refused(port: int) -> None:
    """The message names the range."""
    with pytest.raises(UsageError, match=f"names port {port}; ports are 1 to 65535"):
        parse_target(f"nas:{port}")


@pytest.mark.parametrize("name", ["", ".", "..", "/etc/passwd", "../x", "-n", "a\x00b", "a\nb"])
def test_what_names_no_namespace_is_refused(name: str) -> None:
    """A path or an option is none."""
    with pytest.raises(UsageError, match="names no network namespace; `ip netns list` shows them"):
        parse_target(f"netns:{name}")


@pytest.mark.parametrize(
    ("text", "name", "ports"),
    [
        ("iperf3://nas", "nas", ()),
        ("iperf3://nas:5201", "nas", (5201,)),
        ("iperf3://speed.example.org:5201-5203", "speed.example.org", (5201, 5202, 5203)),
        ("iperf3://192.0.2.7:65535", "192.0.2.7", (65535,)),
        ("iperf3://[2001:db8::7]", "2001:db8::7", ()),
        ("iperf3://[2001:db8::7]:5201", "2001:db8::7", (5201,)),
        ("iperf3://nas:1-100", "nas", tuple(range(1, 101))),
    ],
)
def test_server(text: str, name: str, ports: tuple[int, ...]) -> None:
    """A host's name or address, and the ports to try, if any were named."""
    assert Target(kind=TargetKind.SERVER, text=text, name=name, ports=ports) == parse_target(text)


@pytest.mark.parametrize(
    "text",
    [
        "iperf3:",
        "iperf3://",
        "iperf3:nas",
        "iperf3:/nas",
        "iperf3://user@nas",
        "iperf3://nas/",
        "iperf3://nas:",
        "iperf3://nas:5201-",
        "iperf3://nas:-5201",
        "iperf3://2001:db8::7",
        "iperf3://-s",
        "iperf3://nas\n",
        "iperf3://a;id",
    ],
)
def test_what_names_no_server_is_refused(text: str) -> None:
    """The message shows the forms."""
    with pytest.raises(UsageError, match="names no server; write iperf3://host, iperf3://host:5201 or"):
        parse_target(text)


@pytest.mark.parametrize("ports", ["0", "65536", "0-5", "65535-65536", "5203-5201", "1-101"])
def test_ports_that_no_server_has(ports: str) -> None:
    """Out of range, the wrong way round, or a mistyped range."""
    with pytest.raises(UsageError, match="names no ports; they are 1 to 65535"):
        parse_target(f"iperf3://nas:{ports}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("iperf3://nas:5201", "nas"),
        ("iperf3://[2001:db8::7]:5201-5203", "2001:db8::7"),
        ("nas", None),
        ("netns:iperf3", None),
        ("lab:a", None),
        ("", None),
        ("iperf3://", None),
    ],
)
def test_only_a_servers_target_names_a_server(text: str, expected: str | None) -> None:
    """Of the text as it stands in every recording."""
    assert expected == server_name(text)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("nas", "fullrate check user@nas"), ("2001:db8::7", "fullrate check user@[2001:db8::7]")],
)
def test_how_the_other_end_is_read_too(name: str, expected: str) -> None:
    """As it would be typed: what it names is a target."""
    assert expected == two_sided(name)
    assert TargetKind.SSH is parse_target(expected.rpartition(" ")[2]).kind


@pytest.mark.parametrize(("text", "name"), [("guest:", ""), ("guest:b", "b"), ("guest:igb", "igb")])
def test_the_hardware_lab(text: str, name: str) -> None:
    """An end, a wire, or all of it: what there is, only the guest knows."""
    assert (TargetKind.GUEST, name) == ((found := parse_target(text)).kind, found.name)


def test_ipv6_without_brackets_is_told_about_them() -> None:
    """The commonest slip."""
    with pytest.raises(UsageError, match=r"an IPv6 address stands in \[brackets\]"):
        parse_target("2001:db8::1")


@given(st.text(max_size=20))
@example("netns:")
@example("iperf3://a")
def test_any_text_is_a_target_or_refused(text: str) -> None:
    """Nothing else happens, and what is taken is kept as written."""
    try:
        found = parse_target(text)
    except UsageError:
        return
    assert text == found.text
    assert (found.kind is TargetKind.SERVER) is (server_name(text) is not None)


@pytest.mark.parametrize(
    ("expected", "name", "port"),
    [("iperf3://nas", "nas", None), ("iperf3://nas:5203", "nas", 5203), ("iperf3://[fd00::2]:5203", "fd00::2", 5203)],
)
def test_what_to_type_for_one_side(expected: str, name: str, port: int | None) -> None:
    """It is a target that names that server."""
    assert f"fullrate check {expected}" == one_sided(name, port)
    assert TargetKind.SERVER is parse_target(expected).kind


@given(st.text(max_size=12), st.text(min_size=1, max_size=12))
def test_no_ssh_host_reads_as_an_option_or_a_shell_word(user: str, host: str) -> None:
    """Whatever is passed to ssh and its ProxyCommand is a plain name."""
    try:
        found = parse_target(f"{user}@{host}" if user else host)
    except UsageError:
        return
    if found.kind is TargetKind.SSH:
        assert not found.name.startswith("-")
        assert not set(found.name + (found.user or "")) & set("'\"`;&<>|(){}$ \n\x00")
