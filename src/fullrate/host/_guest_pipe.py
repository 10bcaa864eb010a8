"""A program of its own: its pipes become those of an agent in the guest.

    python3 -I _guest_pipe.py TOKEN NAMESPACE < messages      NAMESPACE: a, b, or - for the guest's first

Runs inside the namespace of the guest's wires (`ip netns exec`), where QEMU forwards a port to the guest's server. The
agent goes along, as data/guest/server.py takes it: FULLRATE_AGENT names its file.
"""

import json
import os
import socket
import sys
import threading
from pathlib import Path

PLACE = ("127.0.0.1", 4711)
_CHUNK = 1 << 16


def main(token: str, namespace: str) -> None:
    """Relay both ways until one side ends."""
    program = Path(os.environ["FULLRATE_AGENT"]).read_bytes()
    with socket.create_connection(PLACE, timeout=10.0) as connection:
        connection.settimeout(None)
        asked = {"token": token, "namespace": namespace.replace("-", ""), "size": len(program)}
        connection.sendall(json.dumps(asked).encode() + b"\n" + program)
        threading.Thread(target=_outwards, args=(connection,), daemon=True).start()
        while data := connection.recv(_CHUNK):
            os.write(1, data) if len(data) < _CHUNK else _write_all(data)


def _write_all(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def _outwards(connection: socket.socket) -> None:
    while data := os.read(0, _CHUNK):
        connection.sendall(data)
    connection.shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    main(*sys.argv[1:])
