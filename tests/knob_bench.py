"""A host on which settings are changed by their knobs, one at a time and without a journal, and put back."""

import re
from dataclasses import dataclass, replace

from fullrate.host.protocol import Host, by_key
from fullrate.planning import Wish, questions
from fullrate.records.evidence import Action, Reply, Status
from fullrate.records.leaf import Knob
from fullrate.records.setting import Setting, Writing
from fullrate.registry import knob_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The host, and what is done on it."""

    host: Host

    def answers(self, one: Setting) -> dict[str, Reply]:
        """What planning asks before it sets something."""
        found: dict[str, Reply] = {}
        while asked := questions([Wish(setting=one, because="a test")], found):
            found |= by_key(self.host.ask(asked))
        return found

    def read(self, knob: Knob, one: Setting) -> str | None:
        """What is set."""
        reading = knob.reading(one)
        (reply,) = self.host.ask([reading.request])
        return reading.value(reply.payload.decode()) if reply.status is Status.OK else None

    def does(self, action: Action) -> str:
        """What a failed action said; empty: it did not fail."""
        reply = self.host.perform(action)
        return "" if reply.status is Status.OK else f"{action.key}: {reply.error}"

    def changed(self, one: Setting) -> str:
        """Change a setting as a plan does, look, put it back, look: the value that was found."""
        knob, answers = the_knob(one), self.answers(one)
        knob.limit(one, answers)
        found = self.read(knob, one)
        assert found is not None
        writing, back = knob.write(one, answers), self.inverse(knob, one, found, answers)
        assert "" == self.does(writing.action)
        now = self.read(knob, one)
        assert now is not None
        assert re.fullmatch(writing.expect, now, re.DOTALL), (writing, now)
        self.put_back(knob, one, back, found)
        return found

    @staticmethod
    def inverse(knob: Knob, one: Setting, found: str, answers: dict[str, Reply]) -> Writing:
        """As planning makes it."""
        return (knob.restores or knob.write)(replace(one, value=found), answers)

    def put_back(self, knob: Knob, one: Setting, back: Writing, found: str) -> None:
        """By the inverse; the reading is the one that was found, to the byte. No second action is needed.

        Of what is asked for in vain ethtool says so, and it is asked for.
        """
        said = self.does(back.action)
        assert not said or "requested" in found, said
        assert found == self.read(knob, one)
        assert re.fullmatch(back.expect, found, re.DOTALL)


def the_knob(one: Setting) -> Knob:
    """The knob of a setting."""
    knob = knob_of(one)
    assert knob is not None
    return knob
