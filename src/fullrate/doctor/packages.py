"""How each distribution installs a program: its command, and the package's name there.

The names are those of Debian 13 and Ubuntu, of Fedora and RHEL 8, of CentOS 7 (whose iproute holds tc too), of openSUSE
(whose iperf is version 3, /usr/bin/iperf3), of Arch, of Alpine (aports main/iproute2, main/util-linux: its subpackages
lscpu, util-linux-misc), of OpenWrt (package/network/utils/iproute2/Makefile: ip-full, tc-full, ss; its packages feed).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fullrate.records.evidence import Reply

_FIELD = re.compile(r"""^(ID|ID_LIKE|VERSION_ID)=["']?([\w. -]+)""", re.MULTILINE)  # os-release(5)

_TABLE = """
program apt-get        dnf             yum             zypper          pacman     apk            opkg
iperf3  iperf3         iperf3          iperf3          iperf           iperf3     iperf3         iperf3
ip      iproute2       iproute         iproute         iproute2        iproute2   iproute2       ip-full
ethtool ethtool        ethtool         ethtool         ethtool         ethtool    ethtool        ethtool
tc      iproute2       iproute-tc      iproute         iproute2        iproute2   iproute2       tc-full
ss      iproute2       iproute         iproute         iproute2        iproute2   iproute2       ss
nft     nftables       nftables        nftables        nftables        nftables   nftables       nftables
ping    iputils-ping   iputils         iputils         iputils         iputils    iputils        iputils-ping
lspci   pciutils       pciutils        pciutils        pciutils        pciutils   pciutils       pciutils
lscpu   util-linux     util-linux      util-linux      util-linux      util-linux lscpu          lscpu
taskset util-linux     util-linux      util-linux      util-linux      util-linux util-linux-misc taskset
sysctl  procps         procps-ng       procps-ng       procps          procps-ng  procps-ng      procps-ng-sysctl
ssh     openssh-client openssh-clients openssh-clients openssh-clients openssh    openssh-client openssh-client
python3 python3        python3         python3         python3         python     python3        python3
"""
# What a distribution is, or says it is like, and its manager. OpenWrt's lists are gone after every boot.
_FAMILIES = (
    ("openwrt", "opkg"),
    ("alpine", "apk"),
    ("arch", "pacman"),
    ("suse", "zypper"),
    ("opensuse", "zypper"),
    ("debian", "apt-get"),
    ("ubuntu", "apt-get"),
    ("fedora", "dnf"),
    ("rhel", "dnf"),
    ("centos", "dnf"),
)
_COMMANDS = {
    "apt-get": "apt-get install",
    "dnf": "dnf install",
    "yum": "yum install",
    "zypper": "zypper install",
    "pacman": "pacman -S",
    "apk": "apk add",
    "opkg": "opkg update && opkg install",
}
_OPENWRT_APK = "apk update && apk add"
_FIRST_DNF = 8  # RHEL's and its likes'; Amazon Linux 2 has yum, 2023 has dnf
_FIRST_APK = 25  # OpenWrt 25.12 is the first release with apk in opkg's place, with the same packages


def _read() -> Mapping[str, Mapping[str, str]]:
    head, *rows = (line.split() for line in _TABLE.strip().splitlines())
    return {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in rows}


_PACKAGES = _read()


@dataclass(frozen=True, slots=True, kw_only=True)
class Installer:
    """How one host installs programs."""

    command: str
    column: str

    def line(self, programs: Iterable[str], *, before: str = "") -> str:
        """The command that brings the programs, each package once; `before` stands before it, like `sudo `."""
        packages = dict.fromkeys(package_of(one, self.column) for one in programs)
        return before + " ".join((self.command.replace("&& ", f"&& {before}"), *packages))


def package_of(program: str, manager: str) -> str:
    """The package that holds a program, by the name it has for a manager; one that is not known is named alike."""
    return _PACKAGES.get(program, {}).get(manager, program)


def installer_of(os_release: Reply | None) -> Installer | None:
    """How the host of this /etc/os-release installs programs; None when its distribution is not known."""
    text = os_release.payload.decode(errors="replace") if os_release else ""
    fields = dict(_FIELD.findall(text))
    names = {word for key in ("ID", "ID_LIKE") for word in fields.get(key, "").split()}
    names |= {word.partition("-")[0] for word in names}  # opensuse-leap
    column = next((manager for family, manager in _FAMILIES if family in names), None)
    if column is None:
        return None
    major = re.match(r"\d+", fields.get("VERSION_ID", ""))
    return _of_age(column, int(major[0]) if major else None)


def _of_age(column: str, major: int | None) -> Installer:
    """The same manager, or the one it had before or has since; a version without a number is the newest."""
    if column == "dnf" and major is not None and major < _FIRST_DNF:
        return Installer(command=_COMMANDS["yum"], column="yum")
    if column == "opkg" and (major is None or major >= _FIRST_APK):
        return Installer(command=_OPENWRT_APK, column="opkg")
    return Installer(command=_COMMANDS[column], column=column)
