"""What UDP trials and the UDP counters of the two hosts show, over either IP version."""

from fullrate.checks._common import version
from fullrate.checks._tcp import Count, counted
from fullrate.records.finding import Ask
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, Missing, View

# Datagrams a receiver may lose and the test still stands: 0.1 % is what iperf3 prints as its first digit of a loss.
NOTABLE = 0.001


def udp_trial(view: View) -> Trial | None:
    """The newest UDP trial of this direction; None when only TCP was sent. Raises Missing when nothing was."""
    found = view.want_trial("udp")
    if found is None and not any(trial.spec.sends for trial in view.trials):
        raise Missing("a UDP measurement", [Ask(text="measure with UDP: fullrate check TARGET --udp RATE")])
    return found


def arrives(trial: Trial) -> bool:
    """Whether fewer datagrams were lost than matters; TCP sends again what is lost."""
    lost = trial.engine.lost_ratio if trial.engine else None
    return lost is None or lost < NOTABLE


def udp_counted(view: View, trial: Trial, end: EndView, *names: str) -> Count:
    """The growth of counters by their IPv4 names (UdpInDatagrams, IpFragCreates), of the version in use. Missing."""
    window = view.window(trial, end)
    if version(view) == 4:  # noqa: PLR2004 - IP version
        return counted(window, "snmp", *names)
    return counted(window, "snmp6", *(name.replace("Udp", "Udp6", 1).replace("Ip", "Ip6", 1) for name in names))
