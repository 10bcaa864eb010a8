"""The probe's part for requests and answers: one at a time, each timed, all kept in one histogram.

The clock is read right before send(2) and right after recv(2); nothing is allocated in between, and the counting comes
after it. The first 0.2 s are left out: until then caches, the CPU's clock and the path warm up. A bucket of the
histogram is at most 1/64 of its time wide, the idea of HdrHistogram: linear steps within each octave.

A datagram without an answer within 1 s is lost; one that comes later than that is not taken for the next one's answer,
because each carries its number. Over TCP an answer is waited for until the test ends.
"""

REQUESTS = """
SIZE = 64
WARM_UP = 0.2
PATIENCE = 1
STEPS = 6


def bucket(spent):
    shift = max(0, spent.bit_length() - STEPS - 1)
    return (shift << STEPS) + (spent >> shift)


def edge(index):
    shift = max(0, (index >> STEPS) - 1)
    return (index - (shift << STEPS) + 1) << shift


def wait_at_most(peer, seconds):
    peer.settimeout(None)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", int(seconds), int(seconds % 1 * 1e6)))


def whole(peer, answer, got, until):
    while got < SIZE:
        try:
            part = peer.recv_into(memoryview(answer)[got:])
        except BlockingIOError:
            if time.perf_counter() >= until:
                return False
            continue
        if not part:
            raise ConnectionResetError(errno.ECONNRESET, "the other end closed the connection")
        got += part
    return True


def matching(peer, answer, request, until):
    while time.perf_counter() < until:
        try:
            if peer.recv_into(answer) == SIZE and answer == request:
                return True
        except BlockingIOError:
            return False
    return False


def count(tally, spent):
    tally["counts"][bucket(spent)] += 1
    tally["total"] += spent
    tally["least"] = min(tally["least"], spent)
    tally["most"] = max(tally["most"], spent)


def ask(peer, stream, seconds, tally):
    request, answer = bytearray(SIZE), bytearray(SIZE)
    clock, send, take, pack, number = time.perf_counter, peer.send, peer.recv_into, struct.pack_into, 0
    began = now = clock()
    while now - began < seconds:
        number += 1
        pack("Q", request, 0, number)
        asked = clock()
        send(request)
        try:
            got = take(answer)
        except BlockingIOError:
            got = 0
        now = clock()
        there = got == SIZE and answer == request
        if not there:
            if stream:
                there = whole(peer, answer, got, began + seconds)
            else:
                there = matching(peer, answer, request, asked + PATIENCE)
            now = clock()
        if asked - began < WARM_UP:
            continue
        if there:
            count(tally, int((now - asked) * 1e9))
        else:
            tally["lost"] += 1


def echo(peer, stream, control):
    block, take, send = bytearray(SIZE), peer.recv_into, peer.send
    while True:
        try:
            got = take(block)
        except BlockingIOError:
            if select.select([control], [], [], 0)[0]:
                return
            continue
        if stream and not got:
            return
        send(block if got == SIZE else block[:got])


def requests(order, control, peers, said):
    stream = not peers
    peer = control if stream else peers[0]
    if order["role"] == "server":
        wait_at_most(peer, 0 if stream else 0.2)
        return echo(peer, stream, control)
    wait_at_most(peer, PATIENCE)
    tally = {"counts": [0] * (64 << STEPS), "total": 0, "least": 1 << 62, "most": 0, "lost": 0}
    gc.disable()
    try:
        ask(peer, stream, order["seconds"], tally)
    finally:
        counts = tally.pop("counts")
        said["requests"] = dict(tally, buckets=[[edge(at), many] for at, many in enumerate(counts) if many])
"""
