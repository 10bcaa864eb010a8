"""The program of fullrate's own probe, as the text that `python3 -c` is given: Python 3.6, standard library only.

Its one word is an `Order`, what each half prints when it ends a `Document`, with an errno's name as `error`
(`_probe_said`). The server listens on TCP, serves one client and ends with it; over that connection both agree on
beginning and end. UDP flows have the same port at the server: the client's first datagram, sent again until it came,
tells the server where the client is, and opens firewalls on the way. The client ends after its seconds, or on SIGINT.
"""

from fullrate.generators._probe_flood import FLOOD
from fullrate.generators._probe_mtu import PATH_MTU
from fullrate.generators._probe_requests import REQUESTS
from fullrate.generators._probe_tally import TALLY

_MEETING = """
import errno
import gc
import json
import select
import signal
import socket
import struct
import sys
import threading
import time


def tell(control, word):
    control.sendall(json.dumps(word).encode() + b"\\n")


def hear(control, within):
    control.settimeout(within)
    line = b""
    while not line.endswith(b"\\n"):
        part = control.recv(1)
        if not part:
            raise ConnectionResetError(errno.ECONNRESET, "the other end closed the connection")
        line += part
    return json.loads(line.decode())


def datagrams(family, buffer):
    peer = socket.socket(family, socket.SOCK_DGRAM)
    for forced, usual in ((32, socket.SO_SNDBUF), (33, socket.SO_RCVBUF)) if buffer else ():
        try:
            peer.setsockopt(socket.SOL_SOCKET, forced, buffer)
        except OSError:
            peer.setsockopt(socket.SOL_SOCKET, usual, buffer)
    return peer


def introduced(peer, control, within):
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            peer.send(b"!")
        except ConnectionRefusedError:
            pass
        if select.select([control], [], [], 0.1)[0]:
            return hear(control, within)
    raise OSError(errno.ETIMEDOUT, "no datagram got through to port %d" % control.getpeername()[1])


def call(order):
    own = (order["client"], 0) if order["client"] else None
    control, peers = socket.create_connection((order["server"], order["port"]), order["within"], own), []
    for _ in range(order["flows"]):
        peer = datagrams(control.family, order["buffer"])
        peer.bind(control.getsockname()[:1] + (0,) + control.getsockname()[2:])
        peer.connect(control.getpeername())
        introduced(peer, control, order["within"])
        peers.append(peer)
    return control, peers


def introduce(peer, control):
    while True:
        if control in select.select([control, peer], [], [])[0]:
            hear(control, 1)
        where = peer.recvfrom(1)[1]
        if where[0] == control.getpeername()[0]:
            peer.connect(where)
            return tell(control, "go")


def serve(order):
    asked = socket.getaddrinfo(order["server"], order["port"], type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    family, place, peers = asked[0][0], asked[0][4], []
    first = datagrams(family, order["buffer"])
    if order["flows"]:
        first.bind(place)
    with socket.socket(family) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(place)
        door.listen(1)
        control = door.accept()[0]
    for at in range(order["flows"]):
        peer = datagrams(family, order["buffer"]) if peers else first
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if peers:
            peer.bind(place)
        introduce(peer, control)
        peers.append(peer)
    return control, peers
"""
_MAIN = """
def main(order):
    said = {"python": "%d.%d.%d" % sys.version_info[:3], "connected": False, "error": "", "message": "", "path_mtu": []}
    began, used = time.monotonic(), time.process_time()
    try:
        control, peers = call(order) if order["role"] == "client" else serve(order)
        control.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        said["connected"], began, used = True, time.monotonic(), time.process_time()
        {"latency": requests, "bulk": flood, "path_mtu": path_mtu}[order["kind"]](order, control, peers, said)
    except KeyboardInterrupt:
        said["message"] = "stopped"
    except OSError as error:
        late = isinstance(error, socket.timeout)
        said.update(error="ETIMEDOUT" if late else errno.errorcode.get(error.errno, "?"))
        said["message"] = error.strerror or str(error)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    said.update(cpu=time.process_time() - used, wall=time.monotonic() - began)
    print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
"""
SCRIPT = f"{_MEETING}\n{REQUESTS}\n{TALLY}\n{FLOOD}\n{PATH_MTU}\n{_MAIN}"
