"""The probe's part for the path MTU: datagrams with DF set, the other end saying which sizes came.

The kernel sets DF and ignores what it knows of the path (IP_PMTUDISC_PROBE, ip(7); the same in IPv6), so what a router
said an hour ago decides nothing; what is larger than the own link's MTU is refused at once, with EMSGSIZE. A size
failed when three datagrams of it brought no answer, each within 0.2 s or two round trips. Each way is searched by its
own sender, one after the other. Sizes are of IP packets, from 576 (IPv4, RFC 791) or 1280 (IPv6, RFC 8200) to 65535.

An ICMP message that a packet was too large comes as EMSGSIZE too, of an earlier datagram: only two in a row are the
link's.
"""

PATH_MTU = """
LARGEST = 65535
TRIES = 3
ANSWER = struct.Struct("!I")


def forbid_cutting(peer):
    if peer.family == socket.AF_INET6:
        peer.setsockopt(socket.IPPROTO_IPV6, 23, 3)
        return 48, 1280
    peer.setsockopt(socket.IPPROTO_IP, 10, 3)
    return 28, 576


def fits_link(peer, payload):
    for _ in range(2):
        peer.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        try:
            peer.send(bytes(payload))
            return True
        except OSError as error:
            if error.errno != errno.EMSGSIZE:
                raise
    return False


def answered(peer, payload, within):
    block, until = bytearray(LARGEST), time.monotonic() + within
    while select.select([peer], [], [], max(0, until - time.monotonic()))[0]:
        try:
            got = peer.recv_into(block)
        except OSError as error:
            if error.errno not in (errno.EMSGSIZE, errno.ECONNREFUSED):
                raise
            return False
        if got == ANSWER.size and ANSWER.unpack(block[:got])[0] == payload:
            return True
    return False


def passes(peer, payload, within):
    return any(fits_link(peer, payload) and answered(peer, payload, within) for _ in range(TRIES))


def largest(holds, low, high):
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


def search(peer, headers, least):
    began = time.monotonic()
    if not passes(peer, least - headers, 1):
        raise OSError(errno.ETIMEDOUT, "no datagram of %d bytes was answered" % (least - headers))
    within = min(1, max(0.2, 2 * (time.monotonic() - began)))
    link = largest(lambda size: fits_link(peer, size - headers), least, LARGEST)
    if passes(peer, link - headers, within):
        return link
    return largest(lambda size: passes(peer, size - headers, within), least, link - 1)


def answer(peer, control):
    block = bytearray(LARGEST)
    while True:
        ready = select.select([control, peer], [], [])[0]
        if peer not in ready:
            return hear(control, 1)
        try:
            got = peer.recv_into(block)
            if got > ANSWER.size:
                peer.send(ANSWER.pack(got))
        except OSError:
            pass


def path_mtu(order, control, peers, said):
    peer, found = peers[0], None
    headers, least = forbid_cutting(peer)
    for turn in ("client", "server"):
        if turn != order["role"]:
            found = answer(peer, control)
        else:
            found = search(peer, headers, least) if order["sends"] else None
            tell(control, found)
        said["path_mtu"].append(found)
"""
