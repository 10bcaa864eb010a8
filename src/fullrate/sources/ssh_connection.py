"""`printenv SSH_CONNECTION`: the addresses of the SSH connection we came by.

```
192.0.2.10 51512 192.0.2.20 22
```

Client address and port, server address and port, as sshd(8) sets it (ssh(1), ENVIRONMENT).
"""

import ipaddress
import re

from fullrate.records.errors import FormatError
from fullrate.records.evidence import Request, query
from fullrate.records.facts.net import SshConnection
from fullrate.records.leaf import Source, no_requests, runs

_LINE = re.compile(r"(?:SSH_CONNECTION=)?'?(\S+) \d+ (\S+) \d+'?\s*")


def parse(_: Request, payload: bytes) -> tuple[SshConnection, ...]:
    """The connection's two addresses. Raises FormatError."""
    match = _LINE.fullmatch(payload.decode(errors="replace"))
    if match is None:
        raise FormatError("not two addresses and ports")
    client, server = (_address(word) for word in match.groups())
    return (SshConnection(client_address=client, server_address=server),)


def _address(word: str) -> str:
    try:
        return str(ipaddress.ip_address(word.partition("%")[0]))
    except ValueError as error:
        raise FormatError(f"{word!r} is no address") from error


def recognizes(text: str) -> bool:
    """Whether the text is such a line, named."""
    return text.startswith("SSH_CONNECTION=") and _LINE.fullmatch(text) is not None


SOURCE = Source(
    id="ssh_connection",
    facts=(SshConnection,),
    pasted=lambda _: query("printenv", "SSH_CONNECTION"),
    requests=no_requests,
    answers=runs("printenv", "SSH_CONNECTION"),
    recognizes=recognizes,
    parse=parse,
)
