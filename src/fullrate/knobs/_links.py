"""What knobs of a link share: its name, and whose configuration sets it."""

import re

from fullrate.records.evidence import query
from fullrate.records.setting import CannotSetError, Owner, Setting

# What dev_valid_name in net/core/dev.c allows (15 bytes, no slash, colon or white space, neither `.` nor `..`), and of
# that what no tool takes for an option and no path or pattern for anything but a name.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@-]{0,14}")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")  # tools take 010 for eight: strtoull(3) with base 0
# Where the link's configuration stands, and whose it is: systemd.link(5), systemd.network(5), nm-settings-keyfile(5),
# netplan(5), udev(7), interfaces(5), sysconfig's ifcfg files.
_PLACES = {
    "/etc/systemd/network": "systemd-networkd",
    "/run/systemd/network": "systemd-networkd",
    "/etc/NetworkManager/system-connections": "NetworkManager",
    "/run/NetworkManager/system-connections": "NetworkManager",
    "/etc/netplan": "netplan",
    "/etc/udev/rules.d": "a udev rule",
    "/etc/network/interfaces": "ifupdown",
    "/etc/network/interfaces.d": "ifupdown",
    "/etc/sysconfig/network-scripts": "the network scripts",
}


def link_of(setting: Setting) -> str:
    """The link that is a setting's subject. Raises CannotSetError where no link can be called so."""
    return named(setting.subject)


def named(link: str) -> str:
    """The name of a link. Raises CannotSetError where no link can be called so."""
    if not _NAME.fullmatch(link):
        raise CannotSetError(f"{link!r} is no name of a link")
    return link


def typed(*flags: str) -> str:
    """An extended regular expression for an ethtool command with one of these flags, in a script or a configuration."""
    return f"(ethtool|ETHTOOL_OPTS=).*[[:space:]'\"=]({'|'.join(flags)})[[:space:]]"


def configured(setting: Setting, words: str) -> tuple[Owner, ...]:
    """Whose files both name the link and set what `words`, an extended regular expression, finds there."""
    link = named(setting.link).replace(".", r"\.")
    setting_files = query("grep", "-rslE", words, *_PLACES)
    naming_files = query("grep", "-rslE", f"(^|[^[:alnum:]_.@-]){link}($|[^[:alnum:]_.@-])", *_PLACES)
    return tuple(
        Owner(
            name=name,
            requests=(setting_files, naming_files),
            pattern=rf"(?s)^({re.escape(place)}(?:/[^\n]*)?)\n(?:.*\n)?--\n(?:.*\n)?\1\n",
            way=f"set it in {place}",
        )
        for place, name in _PLACES.items()
    )


def whole_number(setting: Setting, least: int, most: int | None) -> int:
    """The number a value spells. Raises CannotSetError when it is none, or out of range."""
    if not _NUMBER.fullmatch(setting.value):
        raise CannotSetError(f"{setting.knob} takes a whole number, not {setting.value!r}")
    number = int(setting.value)
    if number < least or (most is not None and number > most):
        upper = " at least" if most is None else f" to {most}"
        raise CannotSetError(f"{setting.knob} of {setting.subject} can be {least}{upper}, not {number}")
    return number
