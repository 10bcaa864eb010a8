"""The program of the last-resort sender, as the text that `python3 -c` is given: Python 3.6, standard library only.

Its words: server or client, send or receive, the server's address and port, the client's own address, flows, seconds,
seconds to connect, bits per second of one flow (0: no limit). The server takes its flows, closes its door and ends with
them; the client ends after its seconds, or on SIGINT. Each prints one JSON document when it ends:

    {"python": "3.11.2", "connected": true, "error": "", "message": "",
     "intervals": [{"start": 0.0, "end": 0.1, "bytes": 11730944, "cpu": 0.021}, ...]}

`bytes` were taken by send(2) or given by recv(2) in that interval, `cpu` are seconds of the whole process; `error` is
an errno's name. Sending takes one call for 128 KiB, as iperf3 does by default (DEFAULT_TCP_BLKSIZE in src/iperf.h).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fullrate.generators._own import printed
from fullrate.records.decoding import decoded
from fullrate.records.errors import FormatError
from fullrate.records.recording import ProgramOutput
from fullrate.records.units import Bytes, Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One interval of one half."""

    start: Seconds
    end: Seconds
    bytes: Bytes
    cpu: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What one half printed; `python` None: nothing that can be read."""

    python: str | None = None
    connected: bool = False
    error: str = ""
    message: str = ""
    intervals: tuple[Step, ...] = ()


def said(role: str, outputs: Sequence[ProgramOutput]) -> Document:
    """What the process of a role printed last; empty where it was cut off, or there was none."""
    try:
        return decoded(printed(role, outputs) or b"{}", Document)
    except FormatError:
        return Document()


SCRIPT = """
import errno
import json
import socket
import sys
import threading
import time

BLOCK = 1 << 17


def meet(role, server, port, own, flows, within):
    if role == "client":
        return [socket.create_connection((server, port), within, (own, 0) if own else None) for _ in range(flows)]
    kind, _, _, _, place = socket.getaddrinfo(server, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)[0]
    with socket.socket(kind) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(place)
        door.listen(flows)
        return [door.accept()[0] for _ in range(flows)]


def send(peer, counts, at, rate):
    block = bytes(max(1460, min(BLOCK, int(rate / 800))) if rate else BLOCK)
    began = time.monotonic()
    while True:
        counts[at] += peer.send(block)
        ahead = counts[at] * 8 / rate - (time.monotonic() - began) if rate else 0
        if ahead > 0:
            time.sleep(ahead)


def receive(peer, counts, at, _):
    block = bytearray(BLOCK)
    while True:
        size = peer.recv_into(block)
        if not size:
            return
        counts[at] += size


def carry(work, *args):
    try:
        work(*args)
    except OSError:
        pass  # the other end has ended


def start(work, peers, counts, rate):
    threads = []
    for at, peer in enumerate(peers):
        peer.settimeout(None)
        threads.append(threading.Thread(target=carry, args=(work, peer, counts, at, rate), daemon=True))
        threads[-1].start()
    return threads


def watch(threads, counts, seconds, intervals):
    began, used, done, last = time.monotonic(), time.process_time(), 0, 0.0
    alive = True
    while alive and last < seconds:
        time.sleep(0.1)
        alive = any(thread.is_alive() for thread in threads)
        now, cpu, total = time.monotonic() - began, time.process_time(), sum(counts)
        intervals.append({"start": last, "end": now, "bytes": total - done, "cpu": cpu - used})
        used, done, last = cpu, total, now
    return alive


def main(role, way, server, port, own, flows, seconds, within, rate):
    intervals, peers, threads = [], [], []
    said = {"python": "%d.%d.%d" % sys.version_info[:3], "error": "", "message": "", "intervals": intervals}
    try:
        peers = meet(role, server, int(port), own, int(flows), float(within))
        counts = [0] * len(peers)
        threads = start(send if way == "send" else receive, peers, counts, float(rate))
        if not watch(threads, counts, float(seconds), intervals) and role == "client":
            said.update(error="ECONNRESET", message="the other end closed the connection")
    except KeyboardInterrupt:
        said["message"] = "stopped"
    except OSError as error:
        late = isinstance(error, socket.timeout)
        said.update(error="ETIMEDOUT" if late else errno.errorcode.get(error.errno, "?"), message=str(error))
    for peer in peers:
        try:
            peer.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it is closed already
    for thread in threads:
        thread.join(0.2)
    print(json.dumps(dict(said, connected=bool(peers))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
"""
