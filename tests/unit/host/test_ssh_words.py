"""What ssh, a login shell and sudo say, and what the user is told."""

import pytest

from fullrate.host._ssh_words import Way, lacks_python, meaning, too_old

AGENT = "/opt/agent.pyz"


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("has no address", "ssh: Could not resolve hostname nas: Name or service not known"),
        ("refuses the connection", "ssh: connect to host nas port 22: Connection refused"),
        ("does not answer", "ssh: connect to host nas port 22: Connection timed out"),
        ("does not answer", "Connection timed out."),
        ("cannot be reached from here", "ssh: connect to host nas port 22: No route to host"),
        ("lets you not in", "joe@nas: Permission denied (publickey)."),
        ("shows a host key", "Host key verification failed."),
        ("gives this user no shell", "This account is currently not available."),
        ("has no Python at python3", "bash: line 1: python3: command not found"),
        ("has no Python at python3", "sh: 1: python3: not found"),
        ("has no Python at python3", "python3: Command not found."),
        ("has no Python at python3", "fish: Unknown command: python3\nfish: \npython3 -V\n^~~~~~^"),
        ("has a Python at python3 that is older than 3.6", '  File "<string>", line 1\nSyntaxError: invalid syntax'),
        ("has no Python at python3", "zsh:1: no such file or directory: python3\npython3: No such file or directory"),
        # sudo 1.9.13 and 1.8.23
        ("has no Python at python3", "sudo: python3: command not found"),
        ("lets this user become root with a password only", "sudo: a password is required"),
        ("does not let this user become root", "joe is not in the sudoers file."),
        (
            "does not let this user become root",
            "Sorry, user joe is not allowed to execute '/usr/bin/python3 -c x' as root on nas.",
        ),
        ("does not let this user become root", "Sorry, user joe may not run sudo on nas."),
        ("lets sudo run on a terminal only", "sudo: sorry, you must have a tty to run sudo"),
        ("cannot run sudo", 'sudo: The "no new privileges" flag is set, which prevents sudo from running as root.'),
        ("has no sudo", "sh: 1: exec: sudo: not found"),
        ("has no sudo", "sh: line 1: exec: sudo: not found"),
        ("has no sudo", "sh: exec: line 0: sudo: not found"),
    ],
)
def test_meaning(told: str, words: str) -> None:
    """Each failure that a user can mend has its own sentence."""
    assert meaning(words, "python3").startswith(told)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (f"has no agent at {AGENT}", f"sh: 1: {AGENT}: not found"),
        (f"has no agent at {AGENT}", f"bash: line 1: {AGENT}: No such file or directory"),
        (f"has no agent at {AGENT}", f"sh: 1: {AGENT}: Permission denied"),
        (f"has no agent at {AGENT}", f"sudo: {AGENT}: command not found"),
        (f"has no agent at {AGENT}", f"fish: Unknown command: {AGENT}\nfish: \n{AGENT}\n^~~^"),
        ("has no Python at python3", "/usr/bin/env: \u2018python3\u2019: No such file or directory"),
        ("has no Python at python3", "env: can't execute 'python3': No such file or directory"),
        ("has a Python at python3 that is older", "SyntaxError: invalid syntax"),
        ("lets this user become root with a password only", "sudo: a password is required"),
    ],
)
def test_meaning_for_an_installed_agent(told: str, words: str) -> None:
    """A missing agent is told from a missing Python."""
    assert meaning(words, AGENT, Way.AGENT).startswith(told)


def test_which_host_refuses_is_told() -> None:
    """It may be a jump host, of which the name that was given says nothing."""
    told = meaning("ssh: connect to host 192.0.2.9 port 23: Connection refused", "python3")
    assert told.endswith("on which port (ssh tried 192.0.2.9 port 23)")


def test_other_words_are_passed_on() -> None:
    """What we do not know is quoted, without what a terminal would act on."""
    told = meaning("first\nThis account is \x1b[31mclosed.\n", "python3")
    assert "cannot be used over ssh: This account is ?[31mclosed.; see that `ssh` to it works" == told


def test_silent_end() -> None:
    """A connection that ends without a word says so, and what may be behind it."""
    assert "without a word, as a login shell like false does" in meaning("", "python3")


def test_missing_file_of_ssh_is_not_a_missing_python() -> None:
    """Only a message about the interpreter blames the interpreter."""
    assert not lacks_python(meaning("exec of 'nc' failed: No such file or directory", "python3"))


def test_a_login_script_that_may_not_read_is_no_refused_login() -> None:
    """Only ssh's own words, with the ways it tried, are."""
    noise = "Permission denied (to strangers).\n-bash: /root/.profile.d: Permission denied"
    assert not meaning(noise, "python3").startswith("lets you not in")


def test_what_a_shell_can_stand_in_for() -> None:
    """A Python that is missing or too old."""
    told = (meaning("sh: 1: python3: not found", "python3"), too_old("python3"), meaning("", "python3"))
    assert [True, True, False] == list(map(lacks_python, told))
