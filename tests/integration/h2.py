"""HTTP/2 by hand, for what no client library would send."""

import re
import socket
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
(DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY,
 WINDOW_UPDATE, CONTINUATION) = range(10)
END_STREAM = ACK = 1
END_HEADERS = 4
CANCEL = struct.pack(">I", 8)


def frame(kind, flags, stream, payload=b""):
    return (struct.pack(">I", len(payload))[1:] + bytes([kind, flags])
            + struct.pack(">I", stream) + payload)


def integer(value, prefix):
    """HPACK's form in a byte whose other bits are 0."""
    most = (1 << prefix) - 1
    if value < most:
        return bytes([value])
    value -= most
    coded = [most]
    while value >= 128:
        coded.append(value % 128 + 128)
        value //= 128
    return bytes([*coded, value])


def text(value):
    return integer(len(value), 7) + value


def field(name, value):
    """A header that no table keeps."""
    return b"\x00" + text(name) + text(value)


def call_headers(path, **more):
    """The header block of a gRPC call; `more` with underscores for dashes."""
    block = b"\x83\x86" + b"\x04" + text(path.encode())
    block += b"\x01" + text(b"localhost")
    block += field(b"content-type", b"application/grpc")
    block += field(b"te", b"trailers")
    for name, value in more.items():
        block += field(name.replace("_", "-").encode(), value.encode())
    return block


def message(payload, compressed=False):
    return struct.pack(">BI", compressed, len(payload)) + payload


class Connection:
    """To `address`, greeted unless told otherwise; `tls` is a context."""

    def __init__(self, address, greet=True, tls=None):
        host, port = address.split(":")
        self._socket = socket.create_connection((host, int(port)), timeout=30)
        if tls:
            tls.set_alpn_protocols(["h2"])
            self._socket = tls.wrap_socket(self._socket, server_hostname=host)
        self._read = b""
        if greet:
            self.send(PREFACE + frame(SETTINGS, 0, 0))

    def send(self, data):
        """False when the server has closed the connection."""
        try:
            self._socket.sendall(data)
        except OSError:
            return False
        return True

    def frames(self):
        """(kind, flags, stream, payload) until the server ends it."""
        while True:
            while len(self._read) < 9 or len(self._read) < 9 + self._length():
                try:
                    more = self._socket.recv(65536)
                except OSError:
                    return
                if not more:
                    return
                self._read += more
            length = self._length()
            _, kind, flags, stream = struct.unpack(">BBBI",
                                                   b"\0" + self._read[3:9])
            payload = self._read[9:9 + length]
            self._read = self._read[9 + length:]
            yield kind, flags, stream, payload

    def _length(self):
        return int.from_bytes(self._read[:3], "big")

    def acknowledge(self):
        """The server's limits."""
        self.send(frame(SETTINGS, ACK, 0))

    def send_by_window(self, stream, begin, most):
        """Data on `stream`, zeros after `begin`, as flow control lets it;
        returns how many bytes went before the server ended it."""
        windows = {0: 65535, stream: 65535}
        frames = self.frames()
        sent = 0
        while sent < most:
            size = min(*windows.values(), 16384)
            if size > 0:
                if not self.send(frame(DATA, 0, stream,
                                       (begin + bytes(size))[:size])):
                    break
                begin = b""
                sent += size
                windows = {key: left - size for key, left in windows.items()}
                continue
            kind, flags, at, payload = next(frames, (GOAWAY, 0, 0, b""))
            if kind == WINDOW_UPDATE:
                windows[at] += struct.unpack(">I", payload)[0]
            elif kind == SETTINGS and not flags & ACK:
                windows[stream] += sum(
                    value - 65535 for name, value
                    in struct.iter_unpack(">HI", payload) if name == 4)
            elif kind in (HEADERS, RST_STREAM, GOAWAY):
                break
        return sent

    def grpc_status(self, stream):
        """With which the call on `stream` ends: a number, or the code of a
        reset as text where there is none; None when the connection ends."""
        reset = None
        for kind, _, at, payload in self.frames():
            if at != stream:
                continue
            if kind == RST_STREAM:
                reset = f"reset {int.from_bytes(payload, 'big')}"
            if kind == HEADERS:
                # A name in our peer's HPACK is never Huffman-coded.
                found = re.search(rb"grpc-status.(\d+)", payload, re.S)
                if found:
                    return int(found[1])
        return reset

    def closed_by_server(self):
        """Reads to the end; False when the server lets 30 s pass before."""
        self._socket.settimeout(30)
        try:
            while self._socket.recv(65536):
                pass
        except TimeoutError:
            return False
        except OSError:
            pass
        return True

    def close(self):
        self._socket.close()
