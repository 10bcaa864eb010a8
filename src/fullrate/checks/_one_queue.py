"""One receive queue where several CPUs could share the work: for NICs and for virtio links alike."""

from dataclasses import replace

from fullrate.checks._common import clear, link_of
from fullrate.checks._queues import Claim, Queues, judge, receive_queues, receive_steering, steering_remedy
from fullrate.records.facts.cpu import Topology
from fullrate.records.finding import Finding, Remedy
from fullrate.records.view import View


def one_queue(view: View, cause: str, *, hint: str) -> Finding:
    """Whether the receiver's only queue holds this direction back; `hint`: what to do when there can be no second."""
    end, link = view.receiver, link_of(view.receiver)
    queues = receive_queues(end, link)
    more = {"end": end.end, "subject": link}
    if queues.now > 1:
        return clear(cause, f"{link} has {queues.now} receive queues", [queues.evidence], **more)
    cpus = end.need(Topology).cpus
    if cpus == 1:
        return clear(cause, "one queue is enough for one CPU", [queues.evidence], **more)
    spread = {cpu for steering in receive_steering(end, link) for cpu in steering.rps_cpus}
    if len(spread) > 1:
        return clear(cause, f"one queue, spread over {len(spread)} CPUs by RPS", [queues.evidence], **more)
    words = f"{link} has one receive queue" + (f" of {queues.most}" if queues.most > 1 else "")
    remedy = _more_queues(view, queues, cpus) if queues.most > 1 else _steering(view, hint, cpus)
    claim = Claim(cause=cause, words=words, evidence=(queues.evidence,), remedy=remedy, set_so=queues.most > 1)
    return judge(view, claim)


def _more_queues(view: View, queues: Queues, cpus: int) -> Remedy:
    link, wanted = link_of(view.receiver), min(cpus, queues.most)
    return Remedy(
        knob="nic.channels",
        subject=link,
        value=f"{queues.word} {wanted}",
        end=view.receiver.end,
        commands=(f"ethtool -L {link} {queues.word} {wanted}",),
        undo=(f"ethtool -L {link} {queues.word} {queues.now}",),
        note="the link stops for a moment; interrupt numbers change",
    )


def _steering(view: View, hint: str, cpus: int) -> Remedy:
    queues = receive_steering(view.receiver, link_of(view.receiver))
    remedy = steering_remedy(view, queues, cpus)
    return replace(remedy, note=f"{hint}; {remedy.note}")
