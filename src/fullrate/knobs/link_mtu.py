"""`link.mtu`: the largest packet a link sends, in bytes; `link.mtu6`: the largest of IPv6.

    # ip -d -json link show dev eth0
    [{"ifname":"eth0","mtu":1500,"min_mtu":68,"max_mtu":9710,...}]

ip-link(8); dev_set_mtu in net/core/dev.c; ip-sysctl.rst, conf/interface/mtu. Below 1280 the kernel takes the link's
IPv6 addresses away, which no write to the MTU brings back, and with every change it sets the link's IPv6 MTU, which
takes no more than the link's (addrconf_notify and addrconf_sysctl_mtu in net/ipv6/addrconf.c). What an IPv6 route says
of its own MTU is overwritten unless it is locked (fib6_nh_mtu_change in net/ipv6/route.c). VLANs above follow when it
falls below theirs and do not rise again (vlan_device_event in net/8021q/vlan.c).
"""

import re
from dataclasses import dataclass

from fullrate.knobs._ethtool import text_of
from fullrate.knobs._links import configured, link_of, named, whole_number
from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError
from fullrate.records.evidence import Action, QueryCommand, ReadFile, Request, Status, WriteFile, change, query
from fullrate.records.leaf import Answers, Knob
from fullrate.records.setting import CannotSetError, Disruption, Reading, Setting, Writing, exactly

_IPV6_LEAST = 1280  # RFC 8200, section 5
# systemd.link(5), nm-settings-keyfile(5), netplan(5), interfaces(5), ifcfg, a udev rule, a script, sysctl.d(5)
_WORDS = (
    r"^[[:space:]]*((IPv6)?MTUBytes=|mtu=|(ipv6-)?mtu:|mtu[[:space:]]+[0-9]|(IPV6_)?MTU=)"
    r"|ATTR\{mtu\}|[[:space:]]mtu[[:space:]]+[0-9]|net\.ipv6\.conf\..*\.mtu"
)
_SECONDS = 15.0  # some drivers stop the link and allocate anew
_UPPER = "/upper_"
_ROUTE = re.compile(r" mtu (\d+)\b")  # `mtu lock 1400` is left alone
_FILES = {"link.mtu": "/sys/class/net/{}/mtu", "link.mtu6": "/proc/sys/net/ipv6/conf/{}/mtu"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Link:
    mtu: int
    min_mtu: int = 0
    max_mtu: int = 0


def _ask(link: str) -> QueryCommand:
    return query("ip", "-d", "-json", "link", "show", "dev", named(link))


def _above(link: str) -> QueryCommand:
    return query("find", f"/sys/class/net/{named(link)}/", "-maxdepth", "1", "-name", "upper_*")


def _routes(link: str) -> QueryCommand:
    return query("ip", "-6", "route", "show", "table", "all", "dev", named(link))


def _file(setting: Setting) -> ReadFile:
    return ReadFile(path=_FILES[setting.knob].format(link_of(setting)))


def _link(setting: Setting, answers: Answers) -> _Link:
    try:
        return decoded(text_of(answers, _ask(link_of(setting))), list[_Link])[0]
    except (FormatError, IndexError) as error:
        raise CannotSetError(f"`ip` does not show the MTU of {setting.link}: {error}") from error


def _limit(setting: Setting, answers: Answers) -> None:
    link = _link(setting, answers)
    wanted = whole_number(setting, 0, None)
    if wanted < _IPV6_LEAST and setting.knob == "link.mtu":
        raise CannotSetError(
            f"below {_IPV6_LEAST} the kernel takes the IPv6 addresses of {setting.link} away; no undo brings them back"
        )
    least, most = (link.min_mtu, link.max_mtu or None) if setting.knob == "link.mtu" else (_IPV6_LEAST, link.mtu)
    whole_number(setting, max(least, _IPV6_LEAST), most)
    if setting.knob == "link.mtu":
        _see_followers(setting.link, wanted, link.mtu, answers)


def _see_followers(link: str, wanted: int, now: int, answers: Answers) -> None:
    """Raise CannotSetError where something else would take the MTU over, and not come back with it."""
    above = _uppers(link, answers)
    if wanted < now and above:
        raise CannotSetError(f"what is above {link} would follow and not come back: {', '.join(above)}")
    own = [mtu for mtu in _routed(link, answers) if min(wanted, now) <= mtu != now]
    if own:
        raise CannotSetError(f"an IPv6 route over {link} has an MTU of its own, {own[0]}, which would not come back")


def _routed(link: str, answers: Answers) -> tuple[int, ...]:
    """What IPv6 routes say of their own MTU; nothing on a host without IPv6, whose `ip` fails."""
    reply = answers.get(_routes(link).key)
    text = reply.payload.decode(errors="replace") if reply is not None and reply.status is Status.OK else ""
    return tuple(map(int, _ROUTE.findall(text)))


def _uppers(link: str, answers: Answers) -> tuple[str, ...]:
    return tuple(line.rpartition(_UPPER)[2] for line in text_of(answers, _above(link)).split())


def _write(setting: Setting, _: Answers) -> Writing:
    action: Action = change("ip", "link", "set", "dev", link_of(setting), "mtu", setting.value, timeout=_SECONDS)
    if setting.knob == "link.mtu6":
        action = WriteFile(path=_file(setting).path, content=setting.value)
    return exactly(action, setting.value)


def _survey(link: str) -> tuple[Request, ...]:
    return tuple(ReadFile(path=path.format(named(link))) for path in _FILES.values())


def _shown(link: str, answers: Answers) -> tuple[Setting, ...]:
    replies = {knob: answers.get(f"read {path.format(link)}") for knob, path in _FILES.items()}
    values = {
        knob: reply.payload.decode(errors="replace").strip()
        for knob, reply in replies.items()
        if reply is not None and reply.status is Status.OK
    }
    return tuple(Setting(knob=knob, subject=link, value=value) for knob, value in values.items() if value.isdigit())


KNOB = Knob(
    id="link.mtu",
    takes=lambda setting: setting.knob in _FILES,
    reading=lambda setting: Reading(request=_file(setting), pattern=r"^(\d+)$"),
    asks=lambda setting: (_ask(link_of(setting)), _above(setting.link), _routes(setting.link)),
    limit=_limit,
    write=_write,
    survey=_survey,
    shown=_shown,
    disruption=Disruption.LINK,
    owners=lambda setting: configured(setting, _WORDS),
    reference="ip-link(8), mtu; Documentation/networking/ip-sysctl.rst, conf/interface/mtu",
)
