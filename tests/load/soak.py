#!/usr/bin/python3
"""What a long life does to the server.

  memory  the resident memory after many calls beside that after some
  soak    cheap calls and searches on both doors at a share of what the server
          can do, searches cancelled at random, for many minutes

Prints the figures; fails where memory has grown by more than 5 % (not for a
sanitized server, whose allocator keeps what is freed), where a call has
failed, or where the server, ended at last, has not exited well. --bin may
be one built with sanitizers.
"""

import argparse
import collections
import http.client
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time

import grpc

sys.path.append(os.path.join(os.path.dirname(__file__), "../integration"))
# pylint: disable=wrong-import-position
from doors import PATHS, SERVICE, Protos
from exposition import Exposition
from load import HISTORY, frame, random_game, validate_move, write
from server import Server
from threads import Threads

GROWTH = 1.05
WARM_UP = 100_000  # Calls, after which all threads have their caches.
SEARCH_SECONDS = 0.1
SEARCH = '{"game": {"moves": ["K@e2"]}, "limits": {"moveTime": "%.3fs"}}'


def resident_kib(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])


def body_file(args, folder):
    """A ValidateMove with a history, framed for gRPC."""
    moves = random_game(f"{args.bin}/sittuyin_cli", HISTORY + 1)
    return write(f"{folder}/body", frame(validate_move(moves)))


def h2load(server, body, *options):
    """Starts ValidateMove calls over gRPC."""
    return subprocess.Popen(
        ["h2load", "-t1", f"-d{body}", "-Hcontent-type: application/grpc",
         "-Hte: trailers", *options,
         f"http://{server.grpc}/{SERVICE}/ValidateMove"],
        stdout=subprocess.PIPE, text=True)


def calls_counted(server, codes):
    """Calls by code, as the server counts them, of the codes that `codes`
    matches."""
    page, counts = Exposition(server.metrics()), collections.Counter()
    for labels in page.labels("sittuyin_requests_total"):
        if re.fullmatch(codes, labels["code"]):
            counts[labels["code"]] += int(
                page.value("sittuyin_requests_total", **labels))
    return +counts  # Those that are not 0.


def memory(args, server, body):
    def call(count):
        with h2load(server, body, "-c16", "-m8", f"-n{count}") as load:
            out = load.stdout.read()
        if f"{count} succeeded" not in out:
            sys.exit(f"soak.py: {out}")
        return resident_kib(server)

    early, late = call(WARM_UP), call(args.calls - WARM_UP)
    good = calls_counted(server, "OK")["OK"]
    print(f"resident after {WARM_UP} calls: {early} KiB, "
          f"after {args.calls}: {late} KiB, {late / early - 1:+.1%} "
          f"(wanted at most {GROWTH - 1:+.0%}); {good} calls good", flush=True)
    return good == args.calls and late <= early * GROWTH


class Searches(Threads):
    """Those that search on both doors and leave early at random. Together they
    keep `share` of the workers busy."""

    def __init__(self, args, server, protos):
        self.ended, self.left = 0, 0
        self.failures = collections.Counter()
        self._lock = threading.Lock()
        # Each is searching or idle; the shares of the time are their sum.
        threads = args.workers * 4
        self._pause = SEARCH_SECONDS * (threads / (args.workers * args.share)
                                        - 1)
        super().__init__(
            (make(server, protos), seed)
            for seed, make in enumerate((over_grpc, over_rest) * (threads // 2))
        )

    def _run(self, search, seed):
        rng = random.Random(seed)
        while not self._end.wait(self._pause * rng.uniform(0.5, 1.5)):
            leaves = rng.random() < 0.2
            failure = search(rng.uniform(0, SEARCH_SECONDS) if leaves else None)
            with self._lock:
                self.ended += 1
                self.left += leaves
                if failure:
                    self.failures[failure] += 1


def over_grpc(server, protos):
    """A function that searches, or leaves after some seconds, and says what
    failed."""
    channel = grpc.insecure_channel(server.grpc, options=[
        ("grpc.use_local_subchannel_pool", 1)])
    ask = channel.unary_unary(
        f"/{SERVICE}/BestMove",
        request_serializer=lambda message: message.SerializeToString())
    request = protos.from_json(SEARCH % SEARCH_SECONDS,
                               "sittuyin.v1.BestMoveRequest")

    def search(leave_after):
        call = ask.future(request, timeout=60, wait_for_ready=True)
        if leave_after is not None:
            time.sleep(leave_after)
            call.cancel()
            return None
        error = call.exception()
        return error and f"gRPC {error.code().name} {error.details()}"
    return search


def over_rest(server, _):
    def search(leave_after):
        connection = http.client.HTTPConnection(server.rest, timeout=60)
        try:
            connection.request("POST", PATHS["BestMove"],
                               SEARCH % SEARCH_SECONDS)
            if leave_after is not None:
                time.sleep(leave_after)
                return None
            answer = connection.getresponse()
            body = answer.read()
            return None if answer.status == 200 else f"REST {body}"
        except (OSError, http.client.HTTPException) as error:
            return f"REST {error!r}"
        finally:
            connection.close()
    return search


def soak(args, server, body):
    clients = 8
    rate = peak_rate(args, server, body) * args.share
    print(f"{rate:.0f} cheap calls a second, {args.share:.0%} of the peak",
          flush=True)
    resident = []
    with (Searches(args, server, Protos()) as searches,
          h2load(server, body, f"-c{clients}", "-m8",
                 f"-n{round(rate * args.seconds)}",
                 f"--rps={max(1, round(rate / clients))}") as load):
        end = time.monotonic() + args.seconds
        while time.monotonic() < end:
            time.sleep(min(10, args.seconds / 10))
            resident.append(resident_kib(server))
        out = load.stdout.read()
    third = len(resident) // 3
    early, late = max(resident[third:2 * third]), max(resident[2 * third:])
    faults = calls_counted(server, "(?!OK|CANCELLED).*")
    done = re.search(r"(\d+) total, .* (\d+) failed, (\d+) errored", out)
    print(f"{done[1]} cheap calls, {done[2]} failed, {done[3]} errored; "
          f"{searches.ended} searches, {searches.left} left early, failures: "
          f"{dict(searches.failures)}; refusals counted: {dict(faults)}")
    print(f"resident: {resident[0]} KiB at first, at most {early} KiB in the "
          f"second third, {late} KiB in the last ({late / early - 1:+.1%})",
          flush=True)
    good = not faults and not searches.failures and done[2] == done[3] == "0"
    return good and (args.sanitized or late <= early * GROWTH)


def peak_rate(args, server, body):
    """Cheap calls a second while the searches run too."""
    with (Searches(args, server, Protos()),
          h2load(server, body, "-c8", "-m8", "-n20000") as load):
        out = load.stdout.read()
    return float(re.search(r"([\d.]+) req/s", out)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("memory", "soak"))
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--calls", type=int, default=10_000_000)
    parser.add_argument("--seconds", type=int, default=1800)
    parser.add_argument("--share", type=float, default=0.8)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--sanitized", action="store_true",
                        help="the server was built with sanitizers")
    args = parser.parse_args()

    with (tempfile.TemporaryDirectory() as folder,
          # h2load does not connect anew.
          Server(f"{args.bin}/sittuyin_server", "--drain_delay=0s",
                 "--max_connection_age=0s",
                 f"--search_workers={args.workers}") as server):
        body = body_file(args, folder)
        good = {"memory": memory, "soak": soak}[args.what](args, server, body)
        code, log = server.stop(), server.log()
    wrong = re.findall(r".*(?:Sanitizer|\"fault\").*", log)
    if code != 0 or wrong:
        print(f"the server ended with {code}: {wrong}")
    return 0 if good and code == 0 and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
