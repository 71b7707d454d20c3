#!/usr/bin/python3
"""What a core serves, and what a second replica adds.

Prints the server's CPU time a call: of cheap calls after 40 moves on both
doors, and of BestMove at each level over the positions of a game. CPU time
holds on a busy machine too, and the client's is not in it. Then searches a
second of one replica and of two, each pinned to a core of its own, as medians
of rounds that take turns. deploy/capacity.md is written from these figures.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import statistics
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(__file__), "../integration"))
# pylint: disable=wrong-import-position
from doors import SERVICE, GrpcDoor, Protos, RestDoor
from load import HISTORY, cpu_seconds, frame, h2load, random_game, write
from server import Server

LEVELS = range(1, 11)
REPLICA_LEVEL = 8  # Long enough for the client's work not to count.


def start(args, core):
    return Server(f"{args.bin}/sittuyin_server", "--search_workers=1",
                  prefix=("taskset", "-c", core))


def cheap_requests(moves):
    game = {"moves": moves[:-1]}
    return {"ValidateMove": {"game": game, "move": moves[-1]},
            "LegalMoves": {"game": game},
            "GameStatus": {"game": game}}


def cpu_of(server, calls, run):
    """CPU seconds a call of `run`, which makes `calls`."""
    before = cpu_seconds(server.process.pid)
    run()
    return (cpu_seconds(server.process.pid) - before) / calls


def cheap(args, server, protos, moves):
    rest = RestDoor(server.rest)
    for rpc, request in cheap_requests(moves).items():
        text = json.dumps(request)
        type_name = f"sittuyin.v1.{rpc}Request"
        with tempfile.TemporaryDirectory() as folder:
            body = write(f"{folder}/body", frame(protos.from_json(
                text, type_name).SerializeToString()))
            url = f"http://{server.grpc}/{SERVICE}/{rpc}"
            h2load(args, url, body, 2000)  # Warms up.
            over_grpc = cpu_of(server, args.calls, lambda: h2load(
                args, url, body, args.calls))
        over_rest = cpu_of(server, args.calls // 10, lambda: [
            rest.post(rpc, text) for _ in range(args.calls // 10)])
        print(f"{rpc:13} gRPC {over_grpc * 1e6:6.1f} us, "
              f"REST, one call after the other, {over_rest * 1e6:6.1f} us",
              flush=True)


def best_move(args, server, protos, moves):
    door = GrpcDoor(server.grpc, protos)
    games = [moves[:plies] for plies in range(0, HISTORY, 5)]
    for level in LEVELS:
        requests = [json.dumps({"game": {"moves": game}, "level": level})
                    for game in games] * args.repeats

        def ask(texts=tuple(requests)):
            for text in texts:
                if "best" not in door.call("BestMove", text):
                    sys.exit(f"capacity.py: no move for {text}")

        spent = cpu_of(server, len(requests), ask)
        print(f"BestMove at level {level:2} {spent * 1e3:8.2f} ms", flush=True)


def search_all(args, servers, protos, text):
    """Searches a second of all `servers`, each kept busy."""
    end = time.monotonic() + args.seconds

    def keep_busy(server):
        door, done = GrpcDoor(server.grpc, protos), 0
        while time.monotonic() < end:
            door.call("BestMove", text)
            done += 1
        return done

    callers = [server for server in servers for _ in range(2)]
    with concurrent.futures.ThreadPoolExecutor(len(callers)) as threads:
        return sum(threads.map(keep_busy, callers)) / args.seconds


def replicas(args, protos, moves):
    text = json.dumps({"game": {"moves": moves[:20]}, "level": REPLICA_LEVEL})
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(start(args, core))
                   for core in (args.server_core, args.client_core)]
        rounds = [[search_all(args, servers[:count], protos, text)
                   for count in (1, 2)] for _ in range(args.rounds)]
    one, two = map(statistics.median, zip(*rounds))
    times = statistics.median(both / alone for alone, both in rounds)
    print(f"searches at level {REPLICA_LEVEL}: one replica {one:.1f}/s, "
          f"two {two:.1f}/s, {times:.2f} times as many")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--calls", type=int, default=30000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--server_core", default="0")
    parser.add_argument("--client_core", default="1")
    args = parser.parse_args()

    protos = Protos()
    moves = random_game(f"{args.bin}/sittuyin_cli", HISTORY + 1)
    with start(args, args.server_core) as server:
        cheap(args, server, protos, moves)
        best_move(args, server, protos, moves)
    replicas(args, protos, moves)


if __name__ == "__main__":
    main()
