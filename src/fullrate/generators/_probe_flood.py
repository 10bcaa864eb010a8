"""The probe's part for bulk UDP: many datagrams in one call (UDP_SEGMENT), many read in one (UDP_GRO).

Every datagram has the same size, so bytes tell their number. At the end the sender tells how many it sent, and the
receiver reads on until they are all there or nothing came for 0.2 s: the loss is exact, the tail included. Each flow is
a thread: more CPUs than one interpreter can fill take several probes (`TrialSpec.processes`).

- 17, 103, 104: SOL_UDP, UDP_SEGMENT, UDP_GRO of linux/udp.h, since 4.18 and 5.0. Before 6.9 a call takes 64 datagrams,
  headers counted as payload (udp_send_skb, net/ipv4/udp.c): 48 bytes of them are left room for.
- EINVAL or EMSGSIZE: the datagram does not fit the path's MTU; EIO: no checksum offload, or IPsec; ENOPROTOOPT: an
  older kernel. Then datagrams are sent one by one.
- A sender that lags by more than 10 ms forgives itself the rest: to catch up with it would be a burst at full speed.
"""

FLOOD = """
MOST = 65507
STEP = 0.1
QUIET = 0.2
LAG = 0.01
SINGLY = (errno.EINVAL, errno.EIO, errno.EMSGSIZE, errno.ENOPROTOOPT)


def together(size, rate):
    most = max(1, min(64 - -(-48 // size), MOST // size))
    return min(most, max(1, int(rate / 8000 / size))) if rate else most


def takes(peer, name, value):
    try:
        peer.setsockopt(17, name, value)
        return True
    except OSError:
        return False


def rest(run, due):
    ahead = due - time.monotonic()
    while ahead > 0 and run["goes"]:
        time.sleep(min(STEP, ahead))
        ahead = due - time.monotonic()


def send(peer, run, at):
    size, rate, counts, clock = run["size"], run["rate"], run["counts"], time.monotonic
    wanted = together(size, rate)
    many = wanted if wanted > 1 and takes(peer, 103, size) else 1
    run["singly"], run["together"] = many < wanted, many
    block, due = bytes(size * many), clock()
    while run["goes"]:
        try:
            handed = peer.send(block)
        except ConnectionRefusedError:
            continue
        except OSError as error:
            if many == 1 or error.errno not in SINGLY:
                raise
            takes(peer, 103, 0)
            run["singly"], run["together"], many, block = True, 1, 1, bytes(size)
            continue
        counts[at] += handed // size
        if rate:
            due = max(due + handed * 8 / rate, clock() - LAG)
            rest(run, due)


def receive(peer, run, at):
    size, counts, block, take = run["size"], run["counts"], bytearray(1 << 16), peer.recv_into
    run["singly"] = not takes(peer, 104, 1)
    while True:
        try:
            counts[at] += take(block) // size
        except ConnectionRefusedError:
            pass


def carry(work, peer, run, at):
    try:
        work(peer, run, at)
    except OSError as error:
        run["error"] = error


def start(work, peers, run):
    threads = []
    for at, peer in enumerate(peers):
        threads.append(threading.Thread(target=carry, args=(work, peer, run, at), daemon=True))
        threads[-1].start()
    return threads


def flood(order, control, peers, said):
    run = {"size": order["size"], "rate": order["rate"], "goes": True, "counts": [0] * len(peers)}
    run.update(singly=False, together=0)
    kept = said["flood"] = {"size": order["size"], "intervals": []}
    began, threads, heard = time.monotonic(), start(send if order["sends"] else receive, peers, run), False
    try:
        try:
            heard = watch(run, control, order["seconds"], kept["intervals"])
        except KeyboardInterrupt:
            if order["role"] == "server":
                raise
            said["message"] = "stopped"
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        finish(order, control, run, threads, heard)
    finally:
        kept.update(datagrams=sum(run["counts"]), seconds=time.monotonic() - began)
        kept.update(singly=run["singly"], together=run["together"])
        kept.update(dropped=drops(peers), buffer=peers[0].getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) // 2)
"""
