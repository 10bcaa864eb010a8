"""Bonds: how one spreads packets over its members."""

from dataclasses import dataclass

from fullrate.records.facts.base import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Bond(Fact):
    """What is special about one bond (`ip -details link`); its members are the links whose master it is.

    Subject: ifname. Words: Documentation/networking/bonding.rst.
    """

    mode: str  # balance-rr, 802.3ad, ...
    hash_policy: str | None = None  # None: this mode does not hash
