"""The knobs net.xps_cpus and net.xps_rxqs."""

import re

import pytest

from fullrate.knobs import net_xps_cpus, net_xps_rxqs
from fullrate.knobs._cpus import ONLINE
from fullrate.records.evidence import ListGlob, ReadFile, WriteFile
from fullrate.records.leaf import Knob
from unit.knobs.machine import LINK, answers, named_by, read, refused, setting, unreadable

BOTH = pytest.mark.parametrize("knob", [net_xps_cpus.KNOB, net_xps_rxqs.KNOB], ids=lambda knob: knob.id)


@BOTH
def test_a_transmit_queue_has_it(knob: Knob) -> None:
    """Read and written where the kernel has it."""
    name = knob.id.rpartition(".")[2]
    one = setting(knob.id, "0,00000003", "eth3/tx-1")
    path = f"/sys/class/net/eth3/queues/tx-1/{name}"
    assert ReadFile(path=path) == knob.reading(one).request
    assert "00000000,00000003" == read(knob, one, "00000000,00000003\n")
    writing = knob.write(one, {})
    assert WriteFile(path=path, content="0,00000003") == writing.action
    assert [True, True, False] == [bool(re.fullmatch(writing.expect, text)) for text in ("3", "0,00000003", "13")]


@BOTH
def test_a_receive_queue_has_none(knob: Knob) -> None:
    """Nor has the link as a whole."""
    for subject in ("eth3/rx-0", "eth3"):
        said = unreadable(knob, setting(knob.id, "1", subject))
        assert f"{subject!r} is no transmit queue: write it like eth0/tx-0" == said


@BOTH
def test_every_queue_is_watched(knob: Knob) -> None:
    """One that goes takes its mask along (netif_reset_xps_queues in net/core/dev.c)."""
    folder, name = "/sys/class/net/eth3/queues", knob.id.rpartition(".")[2]
    files = ListGlob(pattern=f"{folder}/tx-*/{name}")
    assert (files,) == knob.survey(LINK)
    two = answers((files, f"{folder}/tx-0/{name}\n{folder}/tx-1/{name}\n"))
    assert ["eth3/tx-0", "eth3/tx-1"] == [one.subject for one in knob.shown(LINK, two)]


def test_limits() -> None:
    """Of CPUs the kernel keeps what is online; of receive queues it refuses what there is not."""
    known = answers((ONLINE, "0-7\n"))
    cpus = refused(net_xps_cpus.KNOB, setting("net.xps_cpus", "1ff", "eth3/tx-0"), known)
    assert "CPU 8 is not online: those that are, are 0-7" == cpus
    assert "" == refused(net_xps_rxqs.KNOB, setting("net.xps_rxqs", "1ff", "eth3/tx-0"), known)


@BOTH
def test_owners(knob: Knob) -> None:
    """A udev rule may set the attribute."""
    owners = knob.owners(setting(knob.id, "1", "eth3/tx-0"))
    rule = "/etc/udev/rules.d/70-x.rules\n"
    assert (["a udev rule"], []) == (named_by(owners, rule, rule), named_by(owners, rule, ""))
