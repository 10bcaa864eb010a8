"""The probe's part that counts bulk UDP: how much came in each step, and, when it ends, whether all that was sent did.

At the end the sender tells how many datagrams it sent; the receiver reads on until they are all there or nothing came
for 0.2 s. 55, 36 bytes: SO_MEMINFO, whose last word is SK_MEMINFO_DROPS (linux/sock_diag.h), since 4.12: buffers that
found the socket full, each of one datagram or of several that UDP_GRO keeps together.
"""

TALLY = """
def watch(run, control, seconds, intervals):
    began, last, done = time.monotonic(), 0.0, 0
    while last < seconds and "error" not in run:
        heard = select.select([control], [], [], STEP)[0]
        now, total = time.monotonic() - began, sum(run["counts"])
        intervals.append({"start": last, "end": now, "datagrams": total - done})
        last, done = now, total
        if heard:
            return True
    return False


def stop(run, threads):
    run["goes"], until = False, time.monotonic() + 0.3
    for thread in threads:
        thread.join(max(0, until - time.monotonic()))


def await_all(wanted, counts, patience):
    now = since = time.monotonic()
    until, seen = now + patience, sum(counts)
    while seen < wanted and now < min(until, since + QUIET):
        time.sleep(0.01)
        now, before, seen = time.monotonic(), seen, sum(counts)
        since = now if seen > before else since


def finish(order, control, run, threads, heard):
    client = order["role"] == "client"
    if "error" in run:
        raise run["error"]
    if client and heard:
        hear(control, 0.5)
    if order["sends"]:
        if not client:
            hear(control, 0.5)
        stop(run, threads)
        tell(control, sum(run["counts"]))
    else:
        if client:
            tell(control, 0)
        await_all(hear(control, 0.5), run["counts"], 0.3 if client else 1)


def drops(peers):
    try:
        return sum(struct.unpack("9I", peer.getsockopt(socket.SOL_SOCKET, 55, 36))[8] for peer in peers)
    except (OSError, struct.error):
        return None
"""
