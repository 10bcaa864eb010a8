"""Who hands a bundle on is told what was replaced, whether it says the same, and what to look at."""

from dataclasses import replace

from bundled import golden
from fullrate.records.ends import End
from fullrate.records.evidence import Reply, Status, query
from fullrate.records.recording import EndRecord, Moment, Promise, Recording
from fullrate.records.run import Run
from fullrate.redact import hand_out

RUN = golden("healthy")[1]


def recording(text: str) -> Recording:
    """A run that read one text."""
    reply = Reply(request=query("dmesg"), status=Status.OK, payload=text.encode())
    end = EndRecord(target="this host", moments=(Moment(name="collect", end=End.NEAR, replies=(reply,)),))
    return Recording(id="1", started_at="", tool_version="", promise=Promise(), ends={End.NEAR: end})


def notes(text: str, again: Run = RUN) -> tuple[str, ...]:
    """What the owner is told."""
    return hand_out(recording(text), RUN, b"secret", lambda _: again, "x.fullrate").notes


def test_what_was_replaced_is_counted() -> None:
    """By kind."""
    counted = "2 IPv4 addresses, 1 MAC address and 1 host name replaced, each by the same at both ends"
    assert f"x.fullrate is redacted: {counted}" == notes("Linux nas7 6.1.0 #1\n10.1.2.3 10.1.2.4 52:54:00:12:34:56")[0]


def test_nothing_to_replace_is_said() -> None:
    """It is no promise."""
    assert "x.fullrate is redacted: nothing in it had the form of a name or an address" == notes("eth0: up")[0]


def test_what_to_look_at_is_said() -> None:
    """And that the diagnosis is the same."""
    told = notes("eth0: up")[1]
    assert told.startswith("the diagnosis of x.fullrate is the same; unpack it and look through it before you ")


def test_another_diagnosis_is_said() -> None:
    """A host may be called as a word of the kernel's that counts."""
    told = notes("eth0: up", replace(RUN, findings=()))[1]
    assert told.startswith("the diagnosis of x.fullrate is not the same")


def test_the_document_is_made_of_what_is_handed_on() -> None:
    """Not of what it was made from."""
    made = hand_out(recording("10.1.2.3"), RUN, b"secret", lambda one: replace(RUN, id=one.id), "x")
    assert ("1", False) == (made.run.id, b"10.1.2.3" in made.recording.ends[End.NEAR].moments[0].replies[0].payload)
