#!/usr/bin/python3
"""What the doors cost, beside an empty gRPC callback server in the same run.

Three servers' calls take turns: the echo (as many bytes as our request), gRPC
ValidateMove and REST ValidateMove, both with a history of 40 moves. Server and
client are pinned to a core each. Prints, as medians of the rounds, requests a
second, the server's CPU time a request, how busy its core was (well below
100 %: the client or a neighbour was the limit), and what part of the echo's
speed in the same round that is. Every answer must be good, or the run fails.
"""

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(__file__), "../integration"))
# pylint: disable=wrong-import-position
from exposition import Exposition
from server import Server

HISTORY = 40
CONNECTIONS = 16
STREAMS = 8


def cpu_seconds(pid):
    """By the clock of clock_getcpuclockid(3), finer than /proc's hundredths."""
    return time.clock_gettime(~pid << 3 | 2)


def random_game(cli, plies):
    """`plies` legal moves from the start position."""
    rng, moves = random.Random(4), []
    with subprocess.Popen([cli, "moves"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as engine:
        for _ in range(plies):
            engine.stdin.write("8/8/4pppp/pppp4/4PPPP/PPPP4/8/8 moves "
                               + " ".join(moves) + "\n")
            engine.stdin.flush()
            legal = engine.stdout.readline().split("\t")[1].split()
            moves.append(rng.choice(legal))
        engine.stdin.close()
    return moves


def encode(message, text, proto, path):
    return subprocess.run(
        ["protoc", f"--proto_path={path}", f"--encode={message}", proto],
        input=text.encode(), check=True, stdout=subprocess.PIPE).stdout


def validate_move(moves):
    """The bytes of a request whose history is all but the last of `moves`."""
    return encode(
        "sittuyin.v1.ValidateMoveRequest",
        "game { " + " ".join(f'moves: "{m}"' for m in moves[:-1])
        + f' }} move: "{moves[-1]}"', "sittuyin/v1/sittuyin.proto", "protos")


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


class Echo:
    """The echo under h2load."""

    name, ratio_wanted = "gRPC echo", 0

    def __init__(self, args, folder, size, pinned):
        self.process = subprocess.Popen(
            [*pinned, f"{args.bin}/echo_server"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        port = int(self.process.stdout.readline())
        self._url = f"http://127.0.0.1:{port}/sittuyin.load.EchoService/Echo"
        data = encode("sittuyin.load.Payload", f'data: "{"m" * (size - 3)}"',
                      "tests/load/echo.proto", ".")
        self._body = write(f"{folder}/echo", frame(data))

    def drive(self, args, requests):
        return h2load(args, self._url, self._body, requests)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.stdin.close()  # It serves until then.
        self.process.wait()


class Grpc:
    """ValidateMove under h2load."""

    name = "gRPC ValidateMove"

    def __init__(self, args, folder, server, moves):
        self.ratio_wanted = args.grpc_at_least
        self.process, self._server = server.process, server
        self._url = (f"http://{server.grpc}"
                     "/sittuyin.v1.SittuyinService/ValidateMove")
        data = validate_move(moves)
        self.size = len(data)
        self._body = write(f"{folder}/grpc", frame(data))

    def drive(self, args, requests):
        # A refusal is HTTP 200 as well: the server's own count tells.
        before = good_calls(self._server)
        done = h2load(args, self._url, self._body, requests)
        good = good_calls(self._server) - before
        if good != done[0]:
            sys.exit(f"load.py: {done[0]} gRPC calls, {good} of them good")
        return done


class Rest:
    """ValidateMove under wrk."""

    name = "REST ValidateMove"

    def __init__(self, args, folder, server, moves):
        self.ratio_wanted = args.rest_at_least
        self.process = server.process
        self._url = f"http://{server.rest}/v1/validate-move"
        body = json.dumps({"game": {"moves": moves[:-1]}, "move": moves[-1]})
        self._script = write(f"{folder}/post.lua", (
            'wrk.method = "POST"\n'
            f"wrk.body = {json.dumps(body)}\n"
            'wrk.headers["Content-Type"] = "application/json"\n').encode())

    def drive(self, args, requests):
        """As many seconds as `requests` may take; wrk knows no count."""
        seconds = max(1, round(requests / 20000))
        out = run_pinned(args, "wrk", "-t1", f"-c{CONNECTIONS}",
                         f"-d{seconds}s", "-s", self._script, self._url)
        if re.search(r"Non-2xx|Socket errors", out):
            sys.exit(f"load.py: {out}")
        done = int(re.search(r"(\d+) requests in", out)[1])
        return done, float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1])


def good_calls(server):
    """ValidateMove's good calls over gRPC, as the server counts them."""
    return int(Exposition(server.metrics()).value(
        "sittuyin_requests_total", door="grpc", code="OK",
        method="ValidateMove"))


def frame(message):
    return b"\0" + len(message).to_bytes(4, "big") + message


def run_pinned(args, *command):
    return subprocess.run(
        ["taskset", "-c", args.client_core, *command], check=True,
        stdout=subprocess.PIPE, text=True, timeout=300).stdout


def h2load(args, url, body, requests):
    out = run_pinned(
        args, "h2load", "-t1", f"-c{CONNECTIONS}", f"-m{STREAMS}",
        f"-n{requests}", f"-d{body}", "-Hcontent-type: application/grpc",
        "-Hte: trailers", url)
    done = int(re.search(r"(\d+) succeeded", out)[1])
    if done != requests:
        sys.exit(f"load.py: {out}")
    return done, float(re.search(r"([\d.]+) req/s", out)[1])


def measure(args, door):
    """Requests a second, CPU seconds a request, share of the core used."""
    cpu, wall = cpu_seconds(door.process.pid), time.monotonic()
    done, rate = door.drive(args, args.requests)
    cpu = cpu_seconds(door.process.pid) - cpu
    return rate, cpu / done, cpu / (time.monotonic() - wall)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--requests", type=int, default=20000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--server_core", default="0")
    parser.add_argument("--client_core", default="1")
    parser.add_argument("--grpc_at_least", type=float, default=0.80,
                        help="part of the echo's speed, by CPU time")
    parser.add_argument("--rest_at_least", type=float, default=0.40)
    args = parser.parse_args()

    pinned = ("taskset", "-c", args.server_core)
    with (tempfile.TemporaryDirectory() as folder,
          Server(f"{args.bin}/sittuyin_server", prefix=pinned) as server):
        moves = random_game(f"{args.bin}/sittuyin_cli", HISTORY + 1)
        grpc = Grpc(args, folder, server, moves)
        rest = Rest(args, folder, server, moves)
        with Echo(args, folder, grpc.size, pinned) as echo:
            return report(args, [echo, grpc, rest])


def report(args, doors):
    for door in doors:
        door.drive(args, max(args.requests // 10, 1000))  # Warms up.
    rounds = [[measure(args, door) for door in doors]
              for _ in range(args.rounds)]
    echoes = [figures[0] for figures in rounds]
    failed = False
    for door, figures in zip(doors, zip(*rounds)):
        rate, cpu, busy = map(statistics.median, zip(*figures))
        rate_ratio = statistics.median(
            of_door[0] / echo[0] for of_door, echo in zip(figures, echoes))
        ratio = statistics.median(
            echo[1] / of_door[1] for of_door, echo in zip(figures, echoes))
        failed = failed or ratio < door.ratio_wanted
        print(f"{door.name:18} {rate:8.0f}/s, ratio {rate_ratio:.2f}; "
              f"CPU {cpu * 1e6:5.1f} us a request, ratio {ratio:.2f} "
              f"(wanted {door.ratio_wanted:.2f}); core {busy:4.0%} busy")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
