#!/usr/bin/python3
"""Slow and hostile clients at the REST door.

While each attack lasts, another client asks with a new connection each time and
must be answered; the server's memory must stay within a bound, its connections
must be gone afterwards, and what is refused must be refused as the contract
says. Prints the figures. --full attacks with more, and waits for idle
connections to be closed.
"""

import argparse
import contextlib
import http.client
import itertools
import json
import os
import random
import resource
import socket
import sys
import threading
import time
import unittest

from server import Server, open_as_many_files_as_allowed

KIB, MIB = 1 << 10, 1 << 20
# A connection's buffer (80 KiB), a body (64 KiB), and room for an answer.
PER_CONNECTION = 192 * KIB
CONNECTIONS = 1024  # The default of --rest_connections.
HEAD, BODY, IDLE = 10, 30, 75  # The server's limits of time, in seconds.
SLACK = 5  # For its sweeps, and a busy machine.
SLOWEST_P99 = 1.0

POST = "POST /v1/legal-moves HTTP/1.1\r\nHost: x\r\n"
CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n"
CHUNK = f"{8192:x}\r\n{'x' * 8192}\r\n"


def connect(address):
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)), timeout=60)


def exchange(address, *pieces):
    """All that the server sends for `pieces` until it closes; what it does not
    take is let go."""
    with connect(address) as client:
        answer = b""
        with contextlib.suppress(ConnectionError):
            for piece in pieces:
                client.sendall(piece if isinstance(piece, bytes)
                               else piece.encode())
        with contextlib.suppress(ConnectionError):
            while piece := client.recv(64 * KIB):
                answer += piece
        return answer


def refusal(answer):
    """The code and the reason in `answer`, which must be one refusal."""
    head, _, body = answer.partition(b"\r\n\r\n")
    if b"\r\nConnection: close" not in head:
        raise AssertionError(f"does not close: {answer[:300]!r}")
    status = json.loads(body)
    return int(head.split()[1]), status["details"][0]["reason"]


def wait_until_closed(clients, seconds):
    """How many of `clients` the server leaves open for longer."""
    end = time.monotonic() + seconds
    left = 0
    for client in clients:
        client.settimeout(max(0.01, end - time.monotonic()))
        try:
            while client.recv(64 * KIB):
                pass
        except ConnectionError:
            pass
        except TimeoutError:
            left += 1
    return left


class Bystander(threading.Thread):
    """Asks until it is stopped, each time on a new connection."""

    def __init__(self, server):
        super().__init__()
        self.address, self.pid = server.rest, server.process.pid
        self.times, self.failures, self.memory = [], [], 0
        self.done = threading.Event()

    def run(self):
        while not self.done.is_set():
            begin = time.monotonic()
            try:
                client = http.client.HTTPConnection(self.address, timeout=20)
                client.request("GET", "/v1/game-status")
                if client.getresponse().status != 200:
                    raise AssertionError("not answered")
                client.close()
            except (OSError, http.client.HTTPException) as fault:
                self.failures.append(fault)
            self.times.append(time.monotonic() - begin)
            self.memory = max(self.memory, memory(self.pid))
            self.done.wait(0.005)


def memory(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * KIB for line in status
                    if line.startswith("VmRSS"))


def open_files(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


class AttackTest(unittest.TestCase):
    server_path = None
    full = False

    @classmethod
    def setUpClass(cls):
        open_as_many_files_as_allowed()
        cls.server = Server(cls.server_path)
        exchange(cls.server.rest, "GET / HTTP/1.0\r\n\r\n")
        cls.files = open_files(cls.server.process.pid)
        cls.memory = memory(cls.server.process.pid)

    @classmethod
    def tearDownClass(cls):
        if cls.server.stop() != 0:
            raise AssertionError("the server ended badly")
        cls.server.__exit__()

    @property
    def address(self):
        return self.server.rest

    @contextlib.contextmanager
    def bystander(self, what):
        """An attack that is told as `what` takes place inside."""
        bystander = Bystander(self.server)
        bystander.start()
        begin = time.monotonic()
        try:
            yield
        finally:
            took = time.monotonic() - begin
            bystander.done.set()
            bystander.join()
        times = sorted(bystander.times)
        p99 = times[len(times) * 99 // 100]
        grown = bystander.memory - self.memory
        end = time.monotonic() + 15
        pid = self.server.process.pid
        while open_files(pid) > self.files and time.monotonic() < end:
            time.sleep(0.05)
        print(f"{what}: {took:.1f} s; another client answered "
              f"{len(times) - len(bystander.failures)} of {len(times)} times, "
              f"median {times[len(times) // 2] * 1000:.1f} ms, p99 "
              f"{p99 * 1000:.1f} ms; memory {bystander.memory / MIB:.0f} MiB, "
              f"{grown / MIB:+.0f}; open files {self.files} before, "
              f"{open_files(pid)} after", flush=True)
        self.assertEqual(bystander.failures, [])
        self.assertLess(p99, SLOWEST_P99)
        self.assertLess(grown, CONNECTIONS * PER_CONNECTION)
        self.assertLessEqual(open_files(pid), self.files)

    def at_once(self, work, count, threads=16):
        """work(i) for each i below `count`; the first fault is raised."""
        numbers, faults = iter(range(count)), []
        lock = threading.Lock()

        def go_on():
            try:
                while not faults:
                    with lock:
                        number = next(numbers, None)
                    if number is None:
                        return
                    work(number)
            except (AssertionError, OSError, ValueError) as fault:
                faults.append(fault)

        workers = [threading.Thread(target=go_on) for _ in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        if faults:
            raise faults[0]

    def test_trickled_requests_are_cut(self):
        each = 200 if self.full else 100
        kinds = {  # How a request begins, and for how long it may go on so.
            "first line": ("GET /v1/", HEAD),
            "headers": ("GET /v1/rule-sets HTTP/1.1\r\nA: ", HEAD),
            "body": (POST + "Content-Length: 60000\r\n\r\n", BODY),
            "chunks": (CHUNKED + CHUNK[:100], BODY),
        }
        with contextlib.ExitStack() as stack:
            stack.enter_context(self.bystander(
                f"{len(kinds)} x {each} trickled requests"))
            clients = {kind: [] for kind in kinds}
            for kind, (begin, _) in kinds.items():
                for _ in range(each):
                    client = stack.enter_context(connect(self.address))
                    client.sendall(begin.encode())
                    clients[kind].append(client)
            start = time.monotonic()
            cut = {kind: [] for kind in kinds}
            while any(clients.values()) and time.monotonic() - start < 40:
                for kind, alive in clients.items():
                    for client in list(alive):
                        try:
                            client.sendall(b"x")
                        except ConnectionError:
                            alive.remove(client)
                            cut[kind].append(time.monotonic() - start)
                time.sleep(0.5)
        for kind, (_, limit) in kinds.items():
            print(f"  {kind}: cut after {min(cut[kind], default=0):.1f} to "
                  f"{max(cut[kind], default=0):.1f} s of at most {limit}")
            self.assertEqual(len(cut[kind]), each, kind)
            self.assertLess(max(cut[kind]), limit + SLACK, kind)

    def test_answers_not_taken_are_dropped(self):
        count = 300 if self.full else 100
        ask = b"GET /v1/legal-moves HTTP/1.1\r\nHost: x\r\n\r\n" * 100
        took = []
        with self.bystander(f"{count} clients that take no answer"):
            with contextlib.ExitStack() as stack:
                waiting = [stack.enter_context(connect(self.address))
                           for _ in range(count)]
                for client in waiting:
                    client.setblocking(False)
                begin = time.monotonic()
                while waiting and time.monotonic() - begin < 2 * BODY:
                    for client in list(waiting):
                        try:
                            client.send(ask)
                        except BlockingIOError:
                            pass
                        except ConnectionError:
                            waiting.remove(client)
                            took.append(time.monotonic() - begin)
                    time.sleep(0.2)
        self.assertEqual(len(waiting), 0)
        print(f"  cut after {min(took):.1f} to {max(took):.1f} s")

    def test_endless_heads_are_refused(self):
        line = "A: " + "x" * 1000 + "\r\n"
        count = 2000 if self.full else 200

        def attack(number):
            answer = exchange(self.address, *(
                [POST] + [line] * 1000 if number % 2
                else ["GET /"] + ["x" * 1000] * 1000))
            self.assertEqual(refusal(answer),
                             (431 if number % 2 else 414, "MALFORMED_REQUEST"))

        with self.bystander(f"{count} endless heads"):
            self.at_once(attack, count)

    def test_oversize_bodies_are_refused(self):
        big = "x" * MIB
        kinds = [  # 65 KiB, 16 MiB, and no end.
            [POST + f"Connection: close\r\nContent-Length: {65 * KIB}\r\n\r\n",
             "x" * 65 * KIB],
            [POST + f"Content-Length: {16 * MIB}\r\n\r\n"] + [big] * 16,
            [POST + f"Content-Length: {1 << 50}\r\nExpect: 100-continue"
             "\r\n\r\n"],
            [POST + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"]
            + [CHUNK] * 9 + ["0\r\n\r\n"],
            [CHUNKED] + [CHUNK] * 2000,
        ]
        count = 1000 if self.full else 100

        def attack(number):
            answer = exchange(self.address, *kinds[number % len(kinds)])
            self.assertEqual(refusal(answer), (413, "FIELD_OUT_OF_RANGE"))

        with self.bystander(f"{count} bodies over the limit"):
            self.at_once(attack, count)

    def test_body_without_end_is_refused_and_cut(self):
        with self.bystander("a body without end"):
            with connect(self.address) as client:
                client.sendall(CHUNKED.encode())
                begin = time.monotonic()
                with self.assertRaises(ConnectionError):
                    while time.monotonic() - begin < 60:
                        client.sendall(CHUNK.encode())
                took = time.monotonic() - begin
        print(f"  cut after {took:.1f} s")
        self.assertLess(took, 5 + SLACK)

    def test_idle_connections_give_way(self):
        room = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 100
        count = min(10000, room)
        with self.bystander(f"{count} idle connections"):
            with contextlib.ExitStack() as stack:
                clients = [stack.enter_context(connect(self.address))
                           for _ in range(count)]
                held = open_files(self.server.process.pid)
                left = wait_until_closed(clients, HEAD + SLACK)
        print(f"  at most {held - self.files} of them held at a time")
        self.assertLess(held, CONNECTIONS * 9 // 8 + 256)
        self.assertEqual(left, 0)

    def test_used_connections_give_way(self):
        # As idle ones, but each has had an answer and keeps its buffer.
        count = 10000 if self.full else 3000
        with self.bystander(f"{count} connections kept after an answer"):
            with contextlib.ExitStack() as stack:
                for _ in range(count):
                    client = stack.enter_context(connect(self.address))
                    client.sendall(b"GET /v1/rule-sets HTTP/1.1\r\n"
                                   b"Host: x\r\n\r\n")
                    client.recv(64 * KIB)
        if not self.full:
            return
        with connect(self.address) as client:
            client.sendall(b"GET /v1/rule-sets HTTP/1.1\r\nHost: x\r\n\r\n")
            begin = time.monotonic()
            wait_until_closed([client], IDLE + 2 * SLACK)
            self.assertLess(time.monotonic() - begin, IDLE + SLACK)

    def test_nested_json_is_refused(self):
        depth = 64 * KIB
        bombs = ["[" * depth, '{"a":' * (depth // 5), '{"game":' * (depth // 8),
                 '{"game":{"moves":' + "[" * (depth - 20),
                 "[" * (depth // 2) + "]" * (depth // 2)]
        count = 5000 if self.full else 500

        def attack(number):
            body = bombs[number % len(bombs)]
            answer = exchange(
                self.address, POST + "Connection: close\r\n"
                f"Content-Length: {len(body)}\r\n\r\n", body)
            self.assertEqual(refusal(answer), (400, "MALFORMED_REQUEST"))

        with self.bystander(f"{count} JSON texts nested up to 64 KiB deep"):
            self.at_once(attack, count)

    def ask(self, client, game):
        client.request("POST", "/v1/game-status", json.dumps({"game": game}))
        answer = client.getresponse()
        return answer.status, json.loads(answer.read())

    def test_longest_games_are_judged(self):
        there_and_back = ["a2b2", "e8d8", "b2a2", "d8e8"]
        game = {"ruleSet": "RULE_SET_VCHESS",
                "initialFen": "4k3/8/8/8/8/8/R7/4K3[]",
                "moves": list(itertools.islice(
                    itertools.cycle(there_and_back), 2048))}
        count = 2000 if self.full else 200
        times = []

        def attack(_):
            client = http.client.HTTPConnection(self.address, timeout=60)
            begin = time.monotonic()
            code, answer = self.ask(client, game)
            times.append(time.monotonic() - begin)
            client.close()
            self.assertEqual(code, 200, answer)

        with self.bystander(f"{count} games of 2,048 moves"):
            self.at_once(attack, count)
        print(f"  answered in {sorted(times)[len(times) // 2] * 1000:.1f} ms")
        game["moves"].append("a2b2")
        client = http.client.HTTPConnection(self.address)
        self.assertEqual(self.ask(client, game)[0], 400)
        client.close()

    def test_longest_fens_are_read(self):
        rng = random.Random(5)
        letters = "KFRSNPkfrsnp12345678/[]-wb 0"
        count = 20000 if self.full else 2000
        codes = {200: 0, 400: 0}

        def attack(number):
            client = http.client.HTTPConnection(self.address, timeout=60)
            for _ in range(10):
                fen = ("8/8/8/8/8/8/8/8[KFRRSSNNkfrrssnn] w - - "
                       if number % 2 else "")
                fen += "".join(rng.choices(letters, k=128 - len(fen)))
                code, answer = self.ask(client, {"initialFen": fen})
                self.assertIn(code, codes, answer)
                codes[code] += 1
            client.close()

        with self.bystander(f"{count} FENs of 128 bytes"):
            self.at_once(attack, count // 10)
        print(f"  {codes}")

    def test_garbage_is_refused_or_closed(self):
        rng = random.Random(6)
        good = "GET /v1/rule-sets HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        tokens = [b"GET ", b"/v1/rule-sets", b" HTTP/1.1\r\n", b"\r\n", b"\r",
                  b"\n", b"\0", b":", b"Host: x\r\n", b"Content-Length: 5\r\n",
                  b"Transfer-Encoding: chunked\r\n", b"a" * 3000, b"%00",
                  b"\x16\x03\x01\x02\x00\x01", b"PRI * HTTP/2.0\r\n\r\n", b" "]
        count = 20000 if self.full else 2000
        kept = []

        def attack(number):
            pieces = (rng.randbytes(rng.randrange(1, 5000)),
                      b"".join(rng.choices(tokens, k=rng.randrange(1, 30))),
                      good * rng.randrange(1, 5)
                      + b"".join(rng.choices(tokens, k=5)))
            with connect(self.address) as client:
                with contextlib.suppress(ConnectionError):
                    client.sendall(pieces[number % 3])
                    client.shutdown(socket.SHUT_WR)
                client.settimeout(2)
                answer = b""
                try:
                    while piece := client.recv(64 * KIB):
                        answer += piece
                except TimeoutError:
                    kept.append(number)
                except ConnectionError:
                    pass
                if b"<html" in answer:
                    raise AssertionError(f"HTML: {pieces[number % 3]!r}")

        with self.bystander(f"{count} connections with garbage"):
            self.at_once(attack, count)
        print(f"  {len(kept)} of them open after 2 s")

    def test_few_files_are_told(self):
        with Server(self.server_path, prefix=("prlimit", "--nofile=300")) as few:
            with contextlib.ExitStack() as stack:
                clients = [stack.enter_context(connect(few.rest))
                           for _ in range(600)]
                left = wait_until_closed(clients[:100], HEAD + SLACK)
            self.assertEqual(left, 0)
            self.assertIn(b"HTTP/1.1 200", exchange(
                few.rest, "GET /v1/rule-sets HTTP/1.1\r\nHost: x\r\n"
                "Connection: close\r\n\r\n"))
            told = few.await_event("few_open_files")
        self.assertEqual(told["level"], "warning")
        self.assertLess(told["rest_connections"], 300)

    def test_low_soft_limit_is_raised(self):
        with Server(self.server_path,
                    prefix=("prlimit", "--nofile=300:20000")) as raised:
            pid = raised.process.pid
            soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
            self.assertNotIn("few_open_files", raised.log())
        self.assertEqual(soft, hard)

    def test_probes_answer_while_connections_take_all_files(self):
        with Server(self.server_path, prefix=("prlimit", "--nofile=600")) as few:
            with contextlib.ExitStack() as stack:
                for door in [few.grpc] * 620 + [few.rest, few.admin] * 620:
                    client = stack.enter_context(connect(door))
                    with contextlib.suppress(OSError):
                        client.sendall(b"GET /v1/rule-sets HTTP/1.1\r\n"
                                       b"Host: x\r\n\r\n")
                time.sleep(1)
                probe = stack.enter_context(connect(few.admin))
                probe.settimeout(10)
                probe.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
                self.assertIn(b"HTTP/1.1 200", probe.recv(100))

    def test_too_few_files_to_start_are_told(self):
        start = 'prlimit --nofile=19 "$@"; echo "ends $?" >&2'
        told = "start: ulimit -n: want [0-9]+ open files, not 19\nends 1\n$"
        with self.assertRaisesRegex(RuntimeError, told):
            Server(self.server_path, prefix=("sh", "-c", start, "-"))


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--server", required=True)
    arguments.add_argument("--full", action="store_true")
    known, rest = arguments.parse_known_args()
    AttackTest.server_path, AttackTest.full = known.server, known.full
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
