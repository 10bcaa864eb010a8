"""`sysctl.net.ipv4.tcp_congestion_control`: the algorithm of TCP connections made afterwards.

    # cat /proc/sys/net/ipv4/tcp_congestion_control
    cubic
    # cat /proc/sys/net/ipv4/tcp_available_congestion_control
    reno cubic

Documentation/networking/ip-sysctl.rst. Of a network namespace since Linux 4.15 (that of its start is taken over). The
kernel loads a module for a name that it does not have yet, and no undo unloads it: only what is there already is set.
Outside the machine's first namespace it takes only those of tcp_allowed_congestion_control, so that what such a
namespace took over may be what cannot be set there again (tcp_set_default_congestion_control in net/ipv4/tcp_cong.c).
"""

from fullrate.knobs._sysctls import PREFIX, reading, tuned, write
from fullrate.records.evidence import ReadFile, Status
from fullrate.records.leaf import Answers, Knob
from fullrate.records.setting import CannotSetError, Setting, Writing

_KNOB = f"{PREFIX}net.ipv4.tcp_congestion_control"
_AVAILABLE = ReadFile(path="/proc/sys/net/ipv4/tcp_available_congestion_control")
_ALLOWED = ReadFile(path="/proc/sys/net/ipv4/tcp_allowed_congestion_control")
_FIRST = ReadFile(path="/proc/sys/net/core/default_qdisc")  # the machine's first namespace alone has it


def _names(answers: Answers, request: ReadFile) -> list[str]:
    reply = answers.get(request.key)
    return reply.payload.decode(errors="replace").split() if reply and reply.status is Status.OK else []


def _limit(setting: Setting, answers: Answers) -> None:
    names = _names(answers, _AVAILABLE)
    if setting.value not in names:
        known = " ".join(names) or "none that could be read"
        raise CannotSetError(
            f"{setting.value!r} is not among the algorithms loaded here: {known}; load its module first, for a module "
            "that a change loads stays"
        )
    _see_allowed(setting, answers)


def _see_allowed(setting: Setting, answers: Answers) -> None:
    if not _names(answers, _FIRST) and setting.value not in _names(answers, _ALLOWED):
        raise CannotSetError(
            f"{setting.value} cannot be set in this network namespace: the machine's first one does not allow it to "
            "others (net.ipv4.tcp_allowed_congestion_control)"
        )


def _restores(setting: Setting, answers: Answers) -> Writing:
    _see_allowed(setting, answers)
    return write(setting)


KNOB = Knob(
    id="tcp.congestion_control",
    takes=lambda setting: setting.knob == _KNOB,
    reading=reading,
    asks=lambda _: (_AVAILABLE, _ALLOWED, _FIRST),
    limit=_limit,
    write=lambda setting, _: write(setting),
    restores=_restores,
    owners=tuned,
    reference="Documentation/networking/ip-sysctl.rst, tcp_congestion_control",
)
