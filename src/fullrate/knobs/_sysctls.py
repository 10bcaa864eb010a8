"""What knobs of kernel settings share: where a key stands, and whether tuned sets it."""

import re

from fullrate.records.evidence import ReadFile, WriteFile, query
from fullrate.records.setting import CannotSetError, Owner, Reading, Setting, Writing, exactly

PREFIX = "sysctl."
_KEY = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+")
_PROFILES = ("/etc/tuned", "/usr/lib/tuned")
# The active profiles stand in one line; then, twice, the lines of profiles that include others; then whose files set
# the key: the active one's, that of one it includes, that of one which this includes.
_NAME = r"(?<![\w.-])(?P<{}>[\w.-]+)(?![\w.-])"
_ACTIVE = r"(?s)\A[^\n]*?" + _NAME.format("active") + r"[^\n]*\n--\n"
_INCLUDES = r".*?/(?P={})/tuned\.conf:[^\n]*?=[^\n]*?" + _NAME
_SETS = r".*?/(?P={})/tuned\.conf\n"
_NEXT = r".*?^--\n"
_WAYS = (
    _NEXT * 2 + _SETS.format("active"),
    _INCLUDES.format("active", "first") + _NEXT * 2 + _SETS.format("first"),
    _INCLUDES.format("active", "one") + _NEXT + _INCLUDES.format("one", "other") + _NEXT + _SETS.format("other"),
)


def key_of(setting: Setting) -> str:
    """The key of `sysctl.KEY`, which is its subject too. Raises CannotSetError."""
    key = setting.knob.removeprefix(PREFIX)
    if not _KEY.fullmatch(key) or setting.subject not in {key, ""}:
        raise CannotSetError(f"{setting.knob} of {setting.subject!r} names no kernel setting")
    return key


def path_of(setting: Setting) -> str:
    """Its file: sysctl(8)."""
    return f"/proc/sys/{key_of(setting).replace('.', '/')}"


def reading(setting: Setting, *, words: int = 1) -> Reading:
    """Its words, parted by a space."""
    return Reading(request=ReadFile(path=path_of(setting)), pattern="^" + r"[ \t]+".join([r"(\S+)"] * words) + "$")


def write(setting: Setting) -> Writing:
    """The writing of a value as it is."""
    return exactly(WriteFile(path=path_of(setting), content=setting.value), setting.value)


def tuned(setting: Setting) -> tuple[Owner, ...]:
    """tuned, where a profile that it applies, or one that this includes, sets the key: tuned.conf(5), tuned-adm(8)."""
    key = key_of(setting).replace(".", r"\.")
    includes = query("grep", "-rsE", r"^[[:space:]]*include[[:space:]]*=", *_PROFILES)
    setters = query("grep", "-rslE", rf"^[[:space:]]*{key}[[:space:]]*=", *_PROFILES)
    return (
        Owner(
            name="tuned",
            requests=(ReadFile(path="/etc/tuned/active_profile"), includes, includes, setters),
            pattern=_ACTIVE + f"(?:{'|'.join(_WAYS)})",
            way="set it in a profile of your own that includes this one, in /etc/tuned",
        ),
    )
