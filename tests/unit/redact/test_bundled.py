"""Whatever names a host or a person, wherever it is planted: the redacted bundle does not hold it."""

import ipaddress
import struct
from dataclasses import dataclass, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from fullrate.bundle import pack
from fullrate.records.ends import Direction, End
from fullrate.records.evidence import DumpSockets, ReadFile, Reply, Request, Status, parse_request, query
from fullrate.records.recording import EndRecord, FrameLog, Moment, ProgramOutput, Promise, Recording, TrialRecord
from fullrate.records.trial import TrialKind, TrialSpec
from fullrate.redact import Kind, redact
from identifying import leaks, spellings_of_four, spellings_of_mac, spellings_of_six

SECRET = b"secret"
# Each names something in its own way; a text is made of some of them, in any order.
TEMPLATES = (
    '[{{"ifname":"eth0","address":"{mac}","addr_info":[{{"local":"{four}","prefixlen":24}},{{"local":"{six}","prefixlen":64}}]}}]',
    "    inet {four}/24 brd 255.255.255.255 scope global eth0",
    "    inet6 {six}/64 scope global",
    "ESTAB 0 0 {four}:5201 [::ffff:{four}]:40000 users",
    "ESTAB 0 0 [{six}]:5201 [{linked}]:22",
    "   1: {turned4}:1451 00000000:0000 0A",
    "   2: {turned6}:1451 00000000000000000000000000000000:0000 0A",
    "eth0\t{turned4}\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0",
    "{packed6} 02 40 00 80     eth0",
    "  match {packed4}/ffffffff at 16",
    "        +-- {four}/32 2 0 2",
    "IN=eth0 OUT= MAC={mac}:02:00:00:00:00:09:08:00 SRC={four} DST=127.0.0.1",
    "igb 0000:03:00.0: {mac}",
    "Device Serial Number {dashed}",
    "link/ether {MAC} brd ff:ff:ff:ff:ff:ff",
    "  lladdr {dots} REACHABLE",
    "3: enx{bare}: <BROADCAST> mtu 1500",
    "bridge id 8000.{bare}",
    "Linux {host} 6.1.0-13-amd64 #1 SMP x86_64",
    "Connecting to host {host}.corp.example.com, port 5201",
    "systemd[1]: Hostname set to <{host}>.",
    "kernel: {host} is a word of this line",
    "{user}@{host}:~$ ip addr",
    "open /home/{user}/.ssh/known_hosts: from {user}@{host}.corp.example.com",
    "        Vendor SN                                 : {serial}",
    '   "serial": "{serial}", "product": "X710"',
    "ata1: model {serial} removed",
    "Kernel command line: ip={four}::{four}:255.255.255.0:{host}:eth0:off root=UUID={uuid}",
    "0::/docker/{number}",
    '-A INPUT -s {four}/32 -m comment --comment "{user}\'s laptop" -j DROP',
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """The identifiers of one made-up host."""

    four: str
    six: str
    mac: str
    host: str
    user: str
    serial: str
    uuid: str
    number: str

    def fill(self, template: str) -> str:
        """A line of some program's output."""
        packed4, packed6 = ipaddress.IPv4Address(self.four).packed, ipaddress.IPv6Address(self.six).packed
        data = bytes.fromhex(self.mac.replace(":", ""))
        own = bytes([data[0] ^ 2]) + data[1:3] + b"\xff\xfe" + data[3:]
        return template.format(
            **{
                name: getattr(self, name) for name in ("four", "six", "mac", "host", "user", "serial", "uuid", "number")
            },
            MAC=self.mac.upper(),
            bare=data.hex(),
            dashed=(data[:3] + b"\xff\xff" + data[3:]).hex("-"),
            dots=f"{data.hex()[:4]}.{data.hex()[4:8]}.{data.hex()[8:]}",
            linked=ipaddress.IPv6Address(b"\xfe\x80".ljust(8, b"\0") + own),
            turned4=packed4[::-1].hex().upper(),
            packed4=packed4.hex(),
            packed6=packed6.hex(),
            turned6="".join(packed6[at : at + 4][::-1].hex().upper() for at in range(0, 16, 4)),
        )

    def spellings(self) -> list[bytes]:
        """How each of them could be found again."""
        plain = [self.host, self.user, self.serial, self.uuid, self.number, self.host.upper()]
        texts = [one.encode() for one in plain]
        return [*spellings_of_four(self.four), *spellings_of_six(self.six), *spellings_of_mac(self.mac), *texts]


fours = st.ip_addresses(v=4).filter(
    lambda one: 0 < int(one) >> 24 < 224 and int(one) >> 24 != 127 and 0 < int(one) & 255 < 255
)
sixes = st.sampled_from(["2001:db8", "2a01:4f8", "fd12:3456", "fe80:0"]).flatmap(
    lambda start: st.integers(min_value=1 << 33, max_value=(1 << 64) - 1).map(
        lambda own: str(ipaddress.IPv6Address(int(ipaddress.IPv6Address(f"{start}::")) | own))
    )
)
macs = st.binary(min_size=5, max_size=5).filter(lambda one: len(set(one)) > 3).map(lambda one: (b"\x02" + one).hex(":"))
names = st.from_regex(r"[a-z]{4}[0-9][a-z]{2}", fullmatch=True)
planted = st.builds(
    Planted,
    four=fours.map(str),
    six=sixes,
    mac=macs,
    host=names.map("h{}".format),
    user=names.map("u{}".format),
    serial=st.from_regex(r"[A-Z]{2}[1-9]{7}[A-Z]", fullmatch=True),
    uuid=st.uuids(version=4).map(str),
    number=st.binary(min_size=32, max_size=32).filter(any).map(bytes.hex),
)


def reply(request: Request, payload: bytes) -> Reply:
    """A good answer."""
    return Reply(request=request, status=Status.OK, payload=payload)


def sockets(host: Planted) -> bytes:
    """A dump of two sockets, one of each version."""
    made = b""
    for family, text in ((2, host.four), (10, host.six)):
        packed = ipaddress.ip_address(text).packed
        body = struct.pack(
            "<BB2x2s2s16s16sI8sIIIII", family, 1, b"\x14\x51", b"\x90\0", packed, packed, 0, b"", 0, 0, 0, 0, 0
        )
        made += struct.pack("<IHHII", 16 + len(body), 20, 2, 0, 0) + body
    return made


def stream(*payloads: bytes) -> bytes:
    """One frame with these readings."""
    body = struct.pack(">QddH", 1, 2.5, 3.5, len(payloads))
    body += b"".join(struct.pack(">HHfI", at, 0, 0.5, len(one)) + one for at, one in enumerate(payloads))
    return struct.pack(">I", len(body)) + body


def recording(host: Planted, templates: list[str]) -> Recording:
    """A run whose every kind of place names the host: requests, replies, frames, dumps, outputs, notes, targets."""
    text = "\n".join(map(host.fill, templates)).encode()
    dump = DumpSockets(ports=(5201,))
    replies = (
        reply(query("dmesg"), text),
        reply(query("ip", "-json", "route", "get", host.four), text),
        reply(ReadFile(path=f"/sys/fs/cgroup/docker/{host.number}/cpu.stat"), b""),
        Reply(request=query("ssh", host.host), status=Status.FAILED, error=f"no route to {host.four} ({host.host})"),
        reply(dump, sockets(host)),
    )
    trial = TrialRecord(
        id="t1",
        spec=TrialSpec(kind=TrialKind.BULK, direction=Direction.NEAR_TO_FAR),
        generator="iperf3",
        moments=(Moment(name="before", end=End.FAR, replies=replies),),
        frames=(FrameLog(end=End.FAR, table=("read /proc/net/dev", dump.key), data=stream(text, sockets(host)) * 2),),
        outputs=(
            ProgramOutput(role="client", end=End.NEAR, argv=("iperf3", "-c", host.six), stdout=text, stderr=text),
        ),
        notes=(f"{host.host} does not answer",),
        failure=f"lost {host.user}@{host.host}",
    )
    ends = {
        End.NEAR: EndRecord(target="this host", moments=(Moment(name="collect", end=End.NEAR, replies=replies),)),
        End.FAR: EndRecord(target=f"{host.user}@{host.host}", address=host.six, unreachable=f"{host.four} is silent"),
    }
    return Recording(
        id="01",
        started_at="2026-11-30",
        tool_version="0",
        promise=Promise(),
        ends=ends,
        trials=(trial,),
        notes=(host.mac,),
    )


@settings(deadline=None, max_examples=20)
@given(planted, st.lists(st.sampled_from(TEMPLATES), min_size=1, max_size=12, unique=True))
def test_nothing_planted_is_left(host: Planted, templates: list[str]) -> None:
    """In any form, in any member."""
    # The link's MAC, serial, UUID and container's number are known by their form or by a label: told once each.
    told = [TEMPLATES[0], TEMPLATES[1], TEMPLATES[24], TEMPLATES[27], TEMPLATES[28]]
    made = redact(recording(host, [*told, *templates]), SECRET).recording
    assert [] == leaks(pack(made), host.spellings())


HOST = Planted(
    four="10.1.2.3",
    six="2a01:4f8:1:2:3:4:5:6",
    mac="52:54:00:12:34:56",
    host="nas7",
    user="alice",
    serial="MT1743X01",
    uuid="77eaa255-db84-4585-906f-3fd1648bcd91",
    number="f5" * 32,
)


def test_what_was_replaced_is_counted() -> None:
    """Each once, however often and in how many forms it stands there."""
    counts = {one.kind: one.count for one in redact(recording(HOST, list(TEMPLATES)), SECRET).replaced}
    assert {Kind.HOST: 1, Kind.USER: 1, Kind.SERIAL: 1, Kind.FOUR: 1, Kind.MAC: 2} == {
        kind: counts[kind] for kind in (Kind.HOST, Kind.USER, Kind.SERIAL, Kind.FOUR, Kind.MAC)
    }


def test_the_run_itself_keeps_its_name() -> None:
    """And its time, its version, its promise."""
    old = recording(HOST, [])
    made = redact(old, SECRET).recording
    assert (old.id, old.started_at, old.tool_version, old.promise) == (
        made.id,
        made.started_at,
        made.tool_version,
        made.promise,
    )


def test_words_of_ours_are_no_names() -> None:
    """A host may be called as a moment of the run."""
    made = redact(recording(replace(HOST, host="before"), []), SECRET).recording
    assert "before" == made.trials[0].moments[0].name


def test_a_test_keeps_its_words_and_its_folder_names_nobody() -> None:
    """A host may be called as a traffic program or a protocol; a folder may be called after a user."""
    disk = TrialSpec(kind=TrialKind.DISK, within=End.FAR, path=f"/home/{HOST.user}/data", program="probe", beside="tcp")
    old = recording(replace(HOST, host="probe"), [])
    output = ProgramOutput(role="client", end=End.FAR, argv=("fio",), generator="probe")
    trial = replace(old.trials[0], spec=disk, outputs=(output,))
    asked = replace(old, trials=(trial,), promise=replace(old.promise, profile="full", tests=(disk,)))
    made = redact(asked, SECRET).recording
    spec = made.trials[0].spec
    assert (TrialKind.DISK, "probe", "tcp", End.FAR) == (spec.kind, spec.program, spec.beside, spec.within)
    assert ("probe", "full") == (made.trials[0].outputs[0].generator, made.promise.profile)
    assert not [one.path for one in (spec, *made.promise.tests) if HOST.user in one.path]


def test_a_target_stays_a_target() -> None:
    """The user and the host each have their own replacement, in requests as well."""
    made = redact(recording(HOST, []), SECRET).recording
    user, _, host = made.ends[End.FAR].target.partition("@")
    assert (user[:5], host[:5]) == ("user-", "host-")
    assert parse_request(f"run ssh {host}") in {one.request for one in made.ends[End.NEAR].moments[0].replies}


def test_half_a_line_of_a_cut_answer_is_left_out() -> None:
    """Half an address has no form."""
    cut = Reply(request=query("dmesg"), status=Status.FAILED, error="output cut at 9 bytes", payload=b"all\n10.1.2")
    end = EndRecord(target="this host", moments=(Moment(name="collect", end=End.NEAR, replies=(cut,)),))
    old = Recording(id="1", started_at="", tool_version="", promise=Promise(), ends={End.NEAR: end})
    assert b"all" == redact(old, SECRET).recording.ends[End.NEAR].moments[0].replies[0].payload
