"""Why an iperf3 failed, by its own words."""

from fullrate.records.trial import EngineFailure

_CONNECTING = "unable to connect"
_CONNECT_ERRORS = (  # strerror(3) of glibc and of musl
    ("Connection refused", EngineFailure.REFUSED),
    ("timed out", EngineFailure.UNREACHABLE),
    ("No route to host", EngineFailure.UNREACHABLE),
    ("Host is unreachable", EngineFailure.UNREACHABLE),
    ("Network is unreachable", EngineFailure.UNREACHABLE),
    ("Network unreachable", EngineFailure.UNREACHABLE),
)
_ERRORS = (  # src/iperf_error.c, iperf_strerror
    ("busy running a test", EngineFailure.BUSY),
    ("Address already in use", EngineFailure.PORT_IN_USE),
    ("Address in use", EngineFailure.PORT_IN_USE),
    ("has terminated", EngineFailure.INTERRUPTED),
    ("control socket has closed unexpectedly", EngineFailure.INTERRUPTED),
    ("Message too long", EngineFailure.TOO_LARGE),  # EMSGSIZE, udp(7): as glibc says it
    ("Message too large", EngineFailure.TOO_LARGE),  # and musl
    ("authorization failed", EngineFailure.LOCKED),
    ("parameter error", EngineFailure.OPTION),
    ("unrecognized option", EngineFailure.OPTION),
    ("invalid option", EngineFailure.OPTION),
    ("unable to set TCP_CONGESTION", EngineFailure.OPTION),
)


def classify(message: str) -> EngineFailure:
    """The kind of failure that an error message tells of."""
    table = _CONNECT_ERRORS if _CONNECTING in message else _ERRORS
    return next((failure for words, failure in table if words in message), EngineFailure.OTHER)
