"""The guest's server, its process 1: makes the two ends, then runs an agent in one of them for every connection.

A connection says a line of JSON, {"token", "namespace", "size"}, then so many bytes of a program for Python: an agent
as a zip. From then on the connection is that program's standard input and output. Namespace "" is the machine's first.
{"token", "halt": true} turns the machine off.

    wiring.json    {"token", "port", "address", "settings": ["NAME=VALUE"],
                    "wires": [{"name", "a": {"mac", "addresses"}, "b": ...}]}
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_NAME_WITHIN = 10.0


def _run(*argv):
    subprocess.run(argv, check=True, stdin=subprocess.DEVNULL)


def _by_mac():
    found = {}
    for name in os.listdir("/sys/class/net"):
        with open(f"/sys/class/net/{name}/address") as file:
            found[file.read().strip()] = name
    return found


def _await(macs):
    until = time.monotonic() + _NAME_WITHIN
    while time.monotonic() < until and not set(macs) <= set(_by_mac()):
        time.sleep(0.1)
    return _by_mac()


def _wire(wiring):
    """Each card under its name, `igb`, in its end's namespace, with its addresses."""
    for end in "ab":
        _run("ip", "netns", "add", end)
        _run("ip", "-n", end, "link", "set", "lo", "up")
        _run("ip", "netns", "exec", end, "sysctl", "-qw", *wiring["settings"])
    names = _await([wire[end]["mac"] for wire in wiring["wires"] for end in "ab"] + [wiring["mac"]])
    _run("ip", "link", "set", names[wiring["mac"]], "up")
    _run("ip", "addr", "add", wiring["address"], "dev", names[wiring["mac"]])
    for wire in wiring["wires"]:
        for end in "ab":
            card = names[wire[end]["mac"]]
            _run("ip", "link", "set", card, "netns", end)
            _run("ip", "-n", end, "link", "set", card, "name", wire["name"])
            for address in wire[end]["addresses"]:
                extra = ("nodad",) if ":" in address else ()
                _run("ip", "-n", end, "addr", "add", address, "dev", wire["name"], *extra)
            _run("ip", "-n", end, "link", "set", wire["name"], "up")


def _serve(connection, token):
    with connection:
        file = connection.makefile("rb")
        asked = json.loads(file.readline().decode("ascii"))
        if asked.get("token") != token:
            return
        if asked.get("halt"):
            with open("/proc/sysrq-trigger", "w") as trigger:
                trigger.write("o")
            return
        with tempfile.NamedTemporaryFile(suffix=".pyz") as program:
            program.write(file.read(asked["size"]))
            program.flush()
            within = ["ip", "netns", "exec", asked["namespace"]] if asked["namespace"] else []
            subprocess.run(
                [*within, sys.executable, program.name],
                stdin=connection.fileno(),
                stdout=connection.fileno(),
                check=False,  # however it ended, its connection ends with it
            )


def main():
    """Serve for ever."""
    with open(os.path.join(_FOLDER, "wiring.json")) as file:
        wiring = json.load(file)
    _wire(wiring)
    server = socket.create_server(("0.0.0.0", wiring["port"]), backlog=16)
    with open("/proc/uptime") as file:
        print("guest is up after", file.read().split()[0], "s", flush=True)
    while True:
        connection, _ = server.accept()
        threading.Thread(target=_serve, args=(connection, wiring["token"]), daemon=True).start()


main()
