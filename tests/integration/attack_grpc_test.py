#!/usr/bin/python3
"""What a hostile client does to the gRPC door: each attack leaves the server's
memory within a bound, another client answered meanwhile, and the server as it
was."""

import argparse
import gzip
import json
import os
import pathlib
import sys
import tempfile
import threading
import time
import unittest

import h2
from certificates import Authority, context_for, credentials_for
from doors import REFLECTION, GrpcDoor, Protos
from server import Server, open_as_many_files_as_allowed

SERVICE = "/sittuyin.v1.SittuyinService/"
MIB = 1 << 20
SCALE = 10 if os.environ.get("SITTUYIN_DEEP") else 1
REQUEST_BYTES = 64 << 10
# Of memory, in MiB, beyond what the server held before.
SMALL_GROWTH = 24
CONNECTION_GROWTH = 0.05  # For each that is held open.
ANSWER_LIMIT = 2  # Seconds for another client's call, on a busy machine.


class Witness:
    """Another client: calls all the time, on its own connection."""

    def __init__(self, address, protos, tls=None):
        self._door = GrpcDoor(address, protos, tls=tls)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.latencies = []
        self.failures = []

    def call(self):
        begin = time.monotonic()
        answer = self._door.call("GameStatus", "{}")
        if "fen" not in answer:
            self.failures.append(answer)
        return time.monotonic() - begin

    def _run(self):
        while not self._stop.is_set():
            self.latencies.append(self.call())
            self._stop.wait(0.01)

    def __enter__(self):
        self.call()
        self._thread.start()
        return self

    def __exit__(self, *unused):
        self._stop.set()
        self._thread.join()
        self._door.channel.close()


class Watch:
    """The most memory that a process has while it is watched."""

    def __init__(self, pid):
        self._status = pathlib.Path(f"/proc/{pid}/status")
        # The kernel's own high-water mark, from now on.
        pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")
        self.before = self.now()

    def _field(self, name):
        for line in self._status.read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1])
        raise KeyError(name)

    def now(self):
        return self._field("VmRSS") / 1024

    def most(self):
        return self._field("VmHWM") / 1024

    def threads(self):
        return self._field("Threads")


class AttackTest(unittest.TestCase):
    server_path = None

    @classmethod
    def setUpClass(cls):
        cls.protos = Protos()
        cls.scratch = tempfile.TemporaryDirectory()
        cls.ca = Authority(cls.scratch.name, "ca")
        cls.pair = cls.ca.sign("server", "IP:127.0.0.1")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def attack(self, act, growth=SMALL_GROWTH, tls=False):
        """Runs `act(connect, server)`, returns what it returns."""
        flags = [f"--tls_cert_file={self.pair.cert}",
                 f"--tls_key_file={self.pair.key}"] if tls else []
        with Server(self.server_path, *flags) as server:
            made = []

            def connect(**more):
                made.append(h2.Connection(
                    server.grpc,
                    tls=context_for(self.ca.cert) if tls else None, **more))
                return made[-1]

            with Witness(server.grpc, self.protos,
                         tls and credentials_for(self.ca.cert)) as witness:
                watch = Watch(server.process.pid)
                begin = time.monotonic()
                told = act(connect, server)
                took = time.monotonic() - begin
                most, threads = watch.most(), watch.threads()
                for connection in made:
                    connection.close()
                after = witness.call()
            calls = sorted(witness.latencies) or [after]
            print(f"{self.id().split('.')[-1]}{' (TLS)' if tls else ''}: "
                  f"{took:.1f} s, memory {watch.before:.0f} to {most:.0f} MiB, "
                  f"{threads} threads; another client: {len(calls)} calls, "
                  f"slowest {1000 * calls[-1]:.0f} ms, afterwards "
                  f"{1000 * after:.0f} ms; {told}", flush=True)
            self.assertEqual(witness.failures, [])
            self.assertLess(max(calls[-1], after), ANSWER_LIMIT)
            self.assertLess(most - watch.before, growth)
            self.assertLess(threads, 64)
            self.assertIsNone(server.process.poll())
            self.assertEqual(server.stop(), 0)
            for line in server.log().splitlines():
                json.loads(line)
        return told

    def both_ways(self, act, **more):
        """What `act` returned in clear and over TLS."""
        return [self.attack(act, tls=tls, **more) for tls in (False, True)]

    @staticmethod
    def send_until_closed(connection, data, most):
        """How many times `data` went through."""
        sent = 0
        while sent < most and connection.send(data):
            sent += 1
        return sent

    @staticmethod
    def begin_calls(connection, block, count):
        """The headers of so many calls, on a new connection."""
        connection.acknowledge()
        connection.send(b"".join(
            h2.frame(h2.HEADERS, h2.END_HEADERS, stream, block)
            for stream in range(1, 2 * count, 2)))

    @staticmethod
    def call_and_reset(stream, block, body):
        return (h2.frame(h2.HEADERS, h2.END_HEADERS, stream, block)
                + (h2.frame(h2.DATA, 0, stream, h2.message(b"")) if body
                   else b"")
                + h2.frame(h2.RST_STREAM, 0, stream, h2.CANCEL))

    def test_rapid_reset(self):
        def reset(connect, _):
            block = h2.call_headers(SERVICE + "BestMove")
            closed = []
            for body in (False, True):
                connection = connect()
                connection.acknowledge()
                for first in range(1, 20000 * SCALE, 200):
                    if not connection.send(b"".join(
                            self.call_and_reset(stream, block, body)
                            for stream in range(first, first + 200, 2))):
                        break
                closed.append(connection.closed_by_server())
            return closed
        self.assertEqual(self.both_ways(reset), [[True, True]] * 2)

    def test_rapid_reset_on_many_connections(self):
        def reset(connect, _):
            block = h2.call_headers(SERVICE + "BestMove")
            burst = b"".join(self.call_and_reset(stream, block, True)
                             for stream in range(1, 1000, 2))
            connections = [connect() for _ in range(100 * SCALE)]
            for connection in connections:
                connection.send(burst)  # Or what goes before it is closed.
            return sum(map(h2.Connection.closed_by_server, connections))
        self.assertEqual(self.attack(reset, growth=200), 100 * SCALE)

    def test_calls_beyond_the_limit_without_acknowledging_it(self):
        def call(connect, _):
            block = h2.call_headers(SERVICE + "BestMove")
            connection = connect()
            for stream in range(1, 20001, 2):
                if not connection.send(h2.frame(
                        h2.HEADERS, h2.END_HEADERS, stream, block)):
                    break
            return connection.closed_by_server()
        self.assertEqual(self.both_ways(call), [True, True])

    def test_calls_beyond_a_limit_acknowledged_before_it_is_told(self):
        def call(connect, _):
            """Now and then the first read of a connection has it all."""
            block = h2.call_headers(SERVICE + "GameStatus")
            burst = (h2.PREFACE + h2.frame(h2.SETTINGS, 0, 0)
                     + h2.frame(h2.SETTINGS, h2.ACK, 0)
                     + b"".join(
                         h2.frame(h2.HEADERS, h2.END_HEADERS, stream, block)
                         + h2.frame(h2.DATA, h2.END_STREAM, stream,
                                    h2.message(b""))
                         for stream in range(1, 10001, 2)))
            connections = []
            for _ in range(count):
                connections.append(connect(greet=False))
                connections[-1].send(burst)
            return sum(connection.closed_by_server()
                       for connection in connections)
        count = 8 * SCALE
        # Each still open may have begun 512 calls.
        self.assertEqual(self.both_ways(call, growth=72 + 3 * count),
                         [count] * 2)

    def test_endless_headers(self):
        def flood(connect, _):
            """Small fields, then one field, without end."""
            block = h2.call_headers(SERVICE + "GameStatus")
            sent = 0
            for begin, more in (
                    (b"", h2.field(b"x-h", b"v" * 1000) * 15),
                    (b"\x00" + h2.text(b"x") + h2.integer(1 << 30, 7),
                     b"a" * 16000)):
                connection = connect()
                connection.send(h2.frame(h2.HEADERS, 0, 1, block + begin))
                sent += self.send_until_closed(
                    connection, h2.frame(h2.CONTINUATION, 0, 1, more),
                    4096 * SCALE) * 16000
            return f"{sent >> 10} KiB"
        self.both_ways(flood)

    def test_headers_of_a_byte_a_field(self):
        """Within gRPC's limit, which is of each frame; and before it holds."""
        block = h2.call_headers(SERVICE + "BestMove")
        begun = (h2.HEADERS, block)
        calls = {  # Kind and payload of a call's frames.
            True: [begun, *[(h2.CONTINUATION, b"\x91" * 160)] * 180],
            False: [begun, (h2.CONTINUATION, b"\x91" * 16384)],
        }

        def send(connect, _):
            closed = []
            for acknowledge, frames in calls.items():
                connection = connect()
                if acknowledge:
                    next(connection.frames())
                    connection.acknowledge()
                for stream in range(1, 101, 2):
                    connection.send(b"".join(
                        h2.frame(kind, h2.END_HEADERS * (at == len(frames)),
                                 stream, payload)
                        for at, (kind, payload) in enumerate(frames, 1)))
                closed.append(connection.closed_by_server())
            return closed
        self.assertEqual(self.both_ways(send, growth=64), [[True, True]] * 2)

    def test_floods_of_frames_that_ask_for_nothing(self):
        block = h2.call_headers(SERVICE + "GameStatus")
        begun = h2.frame(h2.HEADERS, h2.END_HEADERS, 1, block)
        floods = {  # What comes before, and what then comes without end.
            "more headers": (h2.frame(h2.HEADERS, 0, 1, block),
                             h2.frame(h2.CONTINUATION, 0, 1)),
            "headers of an old call": (
                begun + h2.frame(h2.DATA, h2.END_STREAM, 1),
                h2.frame(h2.HEADERS, h2.END_HEADERS, 1)),
            "data without a byte": (begun, h2.frame(h2.DATA, 0, 1)),
            "data of one byte": (begun + h2.frame(
                h2.DATA, 0, 1, h2.message(bytes(60000))[:5]),
                                 h2.frame(h2.DATA, 0, 1, b"x")),
            "data of an ended call": (begun, h2.frame(
                h2.DATA, h2.END_STREAM, 1)),
            "priority": (b"", h2.frame(h2.PRIORITY, 0, 1, bytes(5))),
            "settings acknowledged": (b"", h2.frame(h2.SETTINGS, h2.ACK, 0)),
            "settings": (b"", h2.frame(h2.SETTINGS, 0, 0)),
            "ping": (b"", h2.frame(h2.PING, 0, 0, bytes(8))),
            "promise": (b"", h2.frame(h2.PUSH_PROMISE, h2.END_HEADERS, 1,
                                      bytes(4))),
            "ping answered": (b"", h2.frame(h2.PING, h2.ACK, 0, bytes(8))),
            "farewell": (b"", h2.frame(h2.GOAWAY, 0, 0, bytes(8))),
            "window": (b"", h2.frame(h2.WINDOW_UPDATE, 0, 0, b"\0\0\0\1")),
            "unknown": (b"", h2.frame(0x42, 0, 0)),
        }

        def flood(connect, _):
            most = 64 * MIB  # Far above what sockets hold.
            passed = []
            for name, (begin, unit) in floods.items():
                connection = connect()
                connection.acknowledge()
                connection.send(begin)
                burst = unit * (REQUEST_BYTES // len(unit))
                sent = self.send_until_closed(connection, burst,
                                              most // len(burst))
                if sent == most // len(burst):
                    passed.append(name)
            return passed
        self.assertEqual(self.both_ways(flood), [[], []])

    def test_pings_too_often_are_told_so(self):
        def ping(connect, _):
            connection = connect()
            for _ in range(4):
                connection.send(h2.frame(h2.PING, 0, 0, b"12345678"))
            return [payload[8:] for kind, _, _, payload in connection.frames()
                    if kind == h2.GOAWAY]
        self.assertEqual(self.attack(ping), [b"too_many_pings"])

    def test_malformed_frames(self):
        faults = {
            "no preface": (False, b"GET / HTTP/1.1\r\n\r\n"),
            "noise": (False, bytes(range(256)) * 64),
            "frame too large": (True, b"\xff\xff\xff\x00" + b"x" * 65536),
            "settings of a wrong size": (True, h2.frame(
                h2.SETTINGS, 0, 0, b"12345")),
            "ping of a wrong size": (True, h2.frame(h2.PING, 0, 0, b"1")),
            "index of no table": (True, h2.frame(
                h2.HEADERS, h2.END_HEADERS, 1, b"\xff\xff\xff\xff\x0f")),
            "integer without end": (True, h2.frame(
                h2.HEADERS, h2.END_HEADERS, 1, b"\xff" * 1000)),
        }

        def send(connect, _):
            open_still = []
            for name, (greet, data) in faults.items():
                connection = connect(greet=greet)
                connection.send(data)
                connection.send(data)
                if not connection.closed_by_server():
                    open_still.append(name)
            return open_still
        self.assertEqual(self.attack(send), [])

    def test_noise_after_the_preface(self):
        def send(connect, _):
            noise = os.urandom
            for _ in range(200 * SCALE):
                connection = connect()
                connection.send(noise(500))
                connection.close()
            return "200 connections"
        self.attack(send)

    def ask(self, connection, stream, payload, encoding=None):
        more = {"grpc_encoding": encoding} if encoding else {}
        block = h2.call_headers(SERVICE + "GameStatus", **more)
        data = h2.message(payload, compressed=encoding is not None)
        connection.send(h2.frame(h2.HEADERS, h2.END_HEADERS, stream, block))
        for at in range(0, len(data), 16384):
            last = at + 16384 >= len(data)
            connection.send(h2.frame(h2.DATA, h2.END_STREAM if last else 0,
                                     stream, data[at:at + 16384]))

    def test_gzip_bomb(self):
        bomb = gzip.compress(b"\x12\xff\xff\xff\x1c" + bytes(60_000_000), 9)
        self.assertLess(len(bomb), REQUEST_BYTES)

        def send(connect, _):
            codes = set()
            for _ in range(5 * SCALE):
                connection = connect()
                self.ask(connection, 1, bomb, "gzip")
                codes.add(connection.grpc_status(1))
            return codes
        self.assertEqual(self.both_ways(send),  # UNIMPLEMENTED
                         [{12}, {12}])

    def test_oversize_message(self):
        def send(connect, _):
            codes = set()
            whole = h2.message(bytes(REQUEST_BYTES + 1))
            for _ in range(8 * SCALE):
                connection = connect()
                connection.acknowledge()
                connection.send(h2.frame(
                    h2.HEADERS, h2.END_HEADERS, 1,
                    h2.call_headers(SERVICE + "GameStatus")))
                connection.send_by_window(1, whole[:5], len(whole))
                codes.add(connection.grpc_status(1))
            return codes
        self.assertEqual(self.attack(send), {8})  # RESOURCE_EXHAUSTED

    def test_message_announced_as_huge(self):
        def send(connect, _):
            """Four gibibytes, sent as fast as the server lets its client."""
            connection = connect()
            connection.acknowledge()
            connection.send(h2.frame(h2.HEADERS, h2.END_HEADERS, 1,
                                     h2.call_headers(SERVICE + "GameStatus")))
            sent = connection.send_by_window(1, b"\0\xff\xff\xff\xf0",
                                             256 * MIB)
            return f"{sent >> 10} KiB"
        self.both_ways(send)

    def test_many_idle_connections(self):
        count = 500 * SCALE

        def open_many(connect, _):
            for greet in (True, False):
                for _ in range(count):
                    connect(greet=greet)
            time.sleep(0.5)
            return f"{2 * count} connections"
        self.attack(open_many, growth=SMALL_GROWTH
                    + 2 * count * CONNECTION_GROWTH)

    def test_connections_without_a_word_are_ended(self):
        def wait(connect, _):
            made = [connect(greet=False) for _ in range(3)]
            return [connection.closed_by_server() for connection in made]
        self.assertEqual(self.attack(wait), [True] * 3)

    def test_more_connections_than_file_descriptors(self):
        with Server(self.server_path,
                    prefix=["prlimit", "--nofile=400"]) as server:
            made = [h2.Connection(server.grpc) for _ in range(600)]
            probe = GrpcDoor(server.admin)  # The other doors have their share.
            probe.channel.close()
            self.assertIn("sittuyin_build_info", server.metrics())
            for connection in made:
                connection.close()
            deadline = time.monotonic() + 30
            door = GrpcDoor(server.grpc, self.protos)
            while "fen" not in door.call("GameStatus", "{}"):
                self.assertLess(time.monotonic(), deadline)
            door.channel.close()

    def test_open_calls_on_many_connections(self):
        count = 100 * SCALE

        def open_many(connect, _):
            block = h2.call_headers(SERVICE + "GameStatus")
            for _ in range(count):
                self.begin_calls(connect(), block, 250)
                time.sleep(0.02)
            return f"{250 * count} calls"
        self.both_ways(open_many, growth=160 + count * CONNECTION_GROWTH)

    def test_open_reflection_streams(self):
        def open_many(connect, _):
            for block in 10 * [h2.call_headers(path) for path in REFLECTION]:
                self.begin_calls(connect(), block, 100)
            time.sleep(0.5)
            return "2000 streams"
        self.attack(open_many, growth=100)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    args, rest = parser.parse_known_args()
    AttackTest.server_path = args.server
    open_as_many_files_as_allowed()
    unittest.main(argv=sys.argv[:1] + rest, warnings="ignore")
