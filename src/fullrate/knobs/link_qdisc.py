"""`link.qdisc`: the queueing discipline at a link's root, as tc(8) is told of it; `default` is the kernel's own.

    # tc -d -r -json qdisc show dev eth0
    [{"kind":"pfifo","handle":"8001:","root":true,"refcnt":2,"options":{"limit":1000}}]

tc(8), tc-tbf(8), tc-pfifo(8). With the handle 0: it is what the kernel attached itself, and attaches again when ours is
deleted, as long as net.core.default_qdisc says so (attach_default_qdiscs in net/sched/sch_generic.c). What is none of
the kinds in _tc.py, or has others below it, cannot be made again exactly and is not touched. The count of references,
which is that of the transmit queues, is no part of the value.
"""

import re

from fullrate.knobs import _tc
from fullrate.knobs._ethtool import text_of
from fullrate.knobs._links import configured, link_of, named
from fullrate.knobs._tc_words import wish_of
from fullrate.records.evidence import ChangeCommand, ReadFile, Status, change
from fullrate.records.finding import Remedy
from fullrate.records.leaf import Answers, Knob
from fullrate.records.setting import CannotSetError, Disruption, Reading, Setting, Writing

_ID = "link.qdisc"
_DEFAULT = "default"
_DEFAULT_KIND = ReadFile(path="/proc/sys/net/core/default_qdisc")
_OF_ITSELF = frozenset({"mq", "noqueue"})  # of links with several queues, and with none: no default_qdisc is asked for
_LIFTED = re.compile(r"tc qdisc del dev \S+ root handle \S+")
_LENGTHENED = re.compile(r"tc qdisc change dev \S+ root handle \S+ ([pb]fifo limit \d+)")
# systemd.network(5), nm-settings-keyfile(5), a script
_WORDS = (
    r"^\[(NetworkEmulator|TokenBucketFilter|PIE|FlowQueuePIE|StochasticFair|[BP]FIFO|PFIFO(Fast|HeadDrop)|CAKE"
    r"|ControlledDelay|DeficitRoundRobin|EnhancedTransmission|GenericRandomEarly|FairQueueing|TrivialLink"
    r"|HierarchyTokenBucket|HeavyHitter|QuickFair|BandMultiQueueing|tc)|tc[[:space:]]+qdisc[[:space:]]"
)


def _reading(setting: Setting) -> Reading:
    return Reading(request=_tc.ask(link_of(setting)), pattern=r'^(\[\{.*?"root":true,)(?:"refcnt":\d+,)?(.*)$')


def _limit(setting: Setting, _: Answers) -> None:
    if setting.value != _DEFAULT:
        wish_of(setting.value)


def _write(setting: Setting, _: Answers) -> Writing:
    """Of what a person wants."""
    link = link_of(setting)
    if setting.value == _DEFAULT:
        return Writing(action=_delete(link), expect=r'\[\{"kind":"\w+","handle":"0:","root":true,.*')
    wish = wish_of(setting.value)
    return Writing(action=_replace(link, *wish.words), expect=wish.expect)


def _delete(link: str) -> ChangeCommand:
    return change("tc", "qdisc", "del", "dev", link, "root")


def _replace(link: str, *words: str) -> ChangeCommand:
    return change("tc", "qdisc", "replace", "dev", link, "root", *words)


def _restores(setting: Setting, answers: Answers) -> Writing:
    """Of what was found. Raises CannotSetError where it cannot be made again exactly."""
    link, found = link_of(setting), _tc.sending(setting.value)
    root, expect = found[0], re.escape(setting.value)
    if root.handle == _tc.UNCHANGED:
        _see_default(link, found, answers)
        return Writing(action=_delete(link), expect=expect)
    if len(found) > 1:
        raise CannotSetError(f"{link} has more than a root queue: {found[1].kind} at {found[1].parent}")
    words = None if root.shared else _tc.words_of(root)
    if words is None:
        raise CannotSetError(f"it is not known how to make the {root.kind} of {link} again exactly")
    return Writing(action=_replace(link, "handle", root.handle, root.kind, *words), expect=expect)


def _see_default(link: str, found: tuple[_tc.Qdisc, ...], answers: Answers) -> None:
    """Raise CannotSetError where the kernel would not attach the same again."""
    reply = answers.get(_DEFAULT_KIND.key)
    usual = reply.payload.decode(errors="replace").strip() if reply and reply.status is Status.OK else ""
    others = [one.kind for one in found if one.handle != _tc.UNCHANGED or one.kind not in _OF_ITSELF | {usual}]
    if others:
        raise CannotSetError(
            f"the kernel would not attach the {others[0]} of {link} again by itself: net.core.default_qdisc is "
            f"{usual or 'not to be read here'}"
        )


def _wanted(remedy: Remedy) -> tuple[Setting, ...]:
    """Of a shaper to lift, the kernel's default; of a queue to lengthen, where a limit is all it has, that."""
    (command,) = remedy.commands if len(remedy.commands) == 1 else ("",)
    longer = _LENGTHENED.fullmatch(command)
    value = longer[1] if longer else _DEFAULT if _LIFTED.fullmatch(command) else ""
    return (Setting(knob=_ID, subject=remedy.subject, value=value),) if value else ()


def _shown(link: str, answers: Answers) -> tuple[Setting, ...]:
    try:
        value = _reading(Setting(knob=_ID, subject=link, value="")).value(text_of(answers, _tc.ask(link)))
    except CannotSetError:
        return ()
    return (Setting(knob=_ID, subject=link, value=value),) if value is not None else ()


def _told(value: str) -> str:
    """`tbf rate 941501232bit burst 131027 limit 4000000` of what tc showed."""
    try:
        root, *_ = _tc.sending(value)
    except CannotSetError:
        return value
    words = ("(the kernel's own)",) if root.handle == _tc.UNCHANGED else _tc.words_of(root) or ()
    return " ".join((root.kind, *words))


KNOB = Knob(
    id=_ID,
    takes=lambda setting: setting.knob == _ID,
    reading=_reading,
    asks=lambda _: (_DEFAULT_KIND,),
    limit=_limit,
    write=_write,
    restores=_restores,
    wanted=_wanted,
    survey=lambda link: (_tc.ask(named(link)), _DEFAULT_KIND),
    shown=_shown,
    told=_told,
    disruption=Disruption.QUEUES,
    owners=lambda setting: configured(setting, _WORDS),
    reference="tc(8)",
)
