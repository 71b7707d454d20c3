#!/usr/bin/python3
"""How the service behaves while searches press on it.

  isolation  cheap calls while every worker searches and the queue is full
  overload   BestMove at several times what the workers can do
  cancel     how soon a worker is free once its caller has left
  deadline   whether answers come in time, and what they hold

Server and client are pinned to a core each, so run it on a quiet machine: it
prints its figures beside their baseline or the wanted ones and fails where one
is missed. With --loose only what no slow machine excuses is a failure.
"""

import argparse
import asyncio
import collections
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

import grpc

sys.path.append(os.path.join(os.path.dirname(__file__), "../integration"))
# pylint: disable=wrong-import-position
from awake import Awake
from doors import HEALTH, SERVICE, Protos
from load import frame, random_game, validate_move, write
from server import Server
from threads import Threads

LONG = '{"limits": {"moveTime": "10s"}}'
LATE = 0.010  # Seconds after the deadline that an answer may still come.


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


class Report:
    """Prints figures; remembers whether one was missed."""

    def __init__(self, loose):
        self.failed, self._loose = False, loose

    def figure(self, what, value, wanted=None, unit="ms", least=False):
        """`wanted` is the most that `value` may be, or the least."""
        missed = wanted is not None and (
            value < wanted if least else value > wanted)
        self.failed = self.failed or missed and not self._loose
        bound = "" if wanted is None else (
            f"  (wanted {'>=' if least else '<='} {wanted:g}"
            f"{', MISSED' if missed else ''})")
        print(f"  {what:50} {value:9.2f} {unit}{bound}", flush=True)

    def must(self, truth, what):
        """Holds on any machine."""
        if not truth:
            self.failed = True
            print(f"  FAILED: {what}", flush=True)


class Caller:
    """Calls over gRPC with requests in JSON."""

    def __init__(self, server, protos):
        self.protos = protos
        self.channel = grpc.insecure_channel(server.grpc)
        grpc.channel_ready_future(self.channel).result(timeout=30)

    def request(self, rpc, text):
        name = self.protos.method(SERVICE, rpc).input_type.full_name
        return self.protos.from_json(text, name).SerializeToString()

    def answer(self, rpc, data):
        name = self.protos.method(SERVICE, rpc).output_type.full_name
        return self.protos.type_named(name).FromString(data)

    def ask(self, rpc, make=None):
        return (make or self.channel.unary_unary)(f"/{SERVICE}/{rpc}")

    def refusal(self, error):
        """The names of the details that the server sent; none = it is silent,
        or the client did not wait for it."""
        details = dict(iter(error.trailing_metadata() or ())).get(
            "grpc-status-details-bin", b"")
        status = self.protos.type_named("google.rpc.Status").FromString(details)
        return {detail.type_url.rpartition(".")[2] for detail in status.details}


class RestCaller:
    """BestMove over a kept connection; the server alone keeps the deadline."""

    def __init__(self, server):
        self._address, self._streams = server.rest.split(":"), None

    async def best_move(self, body, timeout):
        if self._streams is None:
            self._streams = await asyncio.open_connection(*self._address)
        reader, writer = self._streams
        writer.write(
            b"POST /v1/best-move HTTP/1.1\r\nHost: x\r\n"
            b"X-Request-Timeout: %.3f\r\nContent-Length: %d\r\n\r\n%b"
            % (timeout, len(body), body.encode()))
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"(?i)\ncontent-length: *(\d+)", head)[1]
        body = await reader.readexactly(int(length))
        return int(head.split()[1]), body.decode()


def start(args, *flags):
    # These callers do not connect anew.
    return Server(f"{args.bin}/sittuyin_server", "--max_connection_age=0s",
                  *flags, prefix=("taskset", "-c", args.server_core))


# ---- isolation


def latencies(server, folder, method, data, requests):
    """Milliseconds of each call, one at a time, as h2load sees them."""
    log = f"{folder}/h2load.log"
    if os.path.exists(log):
        os.remove(log)
    out = subprocess.run(
        ["h2load", "-t1", "-c1", "-m1", f"-n{requests}",
         f"-d{write(f'{folder}/request', frame(data))}",
         "-Hcontent-type: application/grpc", "-Hte: trailers",
         f"--log-file={log}", f"http://{server.grpc}/{method}"],
        check=True, stdout=subprocess.PIPE, text=True, timeout=300).stdout
    if f"{requests} succeeded" not in out:
        sys.exit(out)
    with open(log, encoding="ascii") as file:
        return [int(line.split()[2]) / 1000 for line in file]


class Flood(Threads):
    """Keeps all workers busy and the queue full from entry to exit; more than
    it holds are refused, a few each second."""

    def __init__(self, server, protos, places):
        self._caller = Caller(server, protos)
        self.codes = collections.Counter()
        super().__init__([()] * (places + 2))

    def _run(self):
        ask = self._caller.ask("BestMove")
        request = self._caller.request("BestMove",
                                       '{"limits": {"moveTime": "1s"}}')
        while not self._end.is_set():
            call = ask.future(request)
            while not call.done() and not self._end.wait(0.05):
                pass
            call.cancel()
            self.codes[call.code()] += 1
            if call.code() == grpc.StatusCode.UNAVAILABLE:
                self._end.wait(0.5)

    def __enter__(self):
        super().__enter__()
        time.sleep(1)
        return self


def isolation(args, report):
    queue = 8
    protos = Protos()
    with (tempfile.TemporaryDirectory() as folder,
          start(args, "--search_workers=1",
                f"--search_queue={queue}") as server):
        moves = random_game(f"{args.bin}/sittuyin_cli", 41)
        calls = {"ValidateMove": (f"{SERVICE}/ValidateMove",
                                  validate_move(moves)),
                 "health Check": (f"{HEALTH}/Check", b"")}

        def measure():
            return {name: latencies(server, folder, *call, args.requests)
                    for name, call in calls.items()}

        measure()  # Warms up.
        alone = measure()
        with Flood(server, protos, queue + 1) as flood:
            busy = measure()
        refused = flood.codes[grpc.StatusCode.UNAVAILABLE]
        report.must(refused > 0, "the queue was never full")
    for name in calls:
        for what, values in (("alone", alone[name]),
                             ("queue full", busy[name])):
            report.figure(f"{name} {what}, p50", percentile(values, 0.5))
            report.figure(f"{name} {what}, p99", percentile(values, 0.99))
    report.figure("ValidateMove p99 beside alone",
                  percentile(busy["ValidateMove"], 0.99)
                  / percentile(alone["ValidateMove"], 0.99), 2, "times")
    report.figure("health Check queue full, p99",
                  percentile(busy["health Check"], 0.99), 10)


# ---- overload


class Outcomes:
    """What became of the calls of a run."""

    def __init__(self, args):
        self._args = args
        self.good = self.silent = self.late = self.without_retry = 0
        self.refusals = []  # Seconds until each.

    def note(self, took, good, details):
        """`details` that a refusal names; none = the server was silent."""
        self.late += took > self._args.timeout + LATE
        if good:
            self.good += 1
        elif not details:
            self.silent += 1
        else:
            self.refusals.append(took)
            # One that had its time and a worker cannot be tried again better.
            self.without_retry += (took < self._args.timeout / 2
                                   and "RetryInfo" not in details)


def grpc_asker(args, server, request, protos):
    caller = Caller(server, protos)
    data = caller.request("BestMove", request)
    best_move = caller.ask(
        "BestMove", grpc.aio.insecure_channel(server.grpc).unary_unary)

    async def ask(outcomes):
        begin, details = time.monotonic(), None
        try:
            await best_move(data, timeout=args.timeout)
        except grpc.aio.AioRpcError as error:
            details = caller.refusal(error)
        outcomes.note(time.monotonic() - begin, details is None, details)

    return ask


def rest_asker(args, server, request):
    idle = []  # Connections; more are made as needed.

    async def ask(outcomes):
        connection = idle.pop() if idle else RestCaller(server)
        begin = time.monotonic()
        code, text = await connection.best_move(request, args.timeout)
        outcomes.note(time.monotonic() - begin, code == 200, text)
        idle.append(connection)

    return ask


async def drive(args, ask, rate):
    """BestMove at `rate` calls a second, whatever comes back."""
    outcomes, begin, calls = Outcomes(args), time.monotonic(), []
    for i in range(int(rate * args.seconds)):
        await asyncio.sleep(max(0, begin + i / rate - time.monotonic()))
        calls.append(asyncio.create_task(ask(outcomes)))
    wall = time.monotonic() - begin
    await asyncio.gather(*calls)
    outcomes.goodput = outcomes.good / max(wall, args.seconds)
    return outcomes


def overload(args, report):
    args.timeout = 5 * args.move_time
    protos = Protos()
    search = '{"limits": {"moveTime": "%.3fs"}}' % args.move_time
    refused = '{"level": 11}'  # For itself.
    askers = {"gRPC": lambda *asked: grpc_asker(*asked, protos),
              "REST": rest_asker}

    async def drive_both(server):
        for door, make in askers.items():
            alone = await drive(args, make(args, server, refused),
                                args.times / args.move_time)
            report.figure(f"{door}: a refusal while idle, p99",
                          percentile(alone.refusals, 0.99) * 1000)
            ask, runs = make(args, server, search), []
            for times in (1, args.times):
                outcomes = await drive(args, ask, times / args.move_time)
                runs.append(outcomes)
                print(f"  {door} at {times:g} x capacity: "
                      f"{outcomes.goodput:.1f}/s good, "
                      f"{len(outcomes.refusals)} refused, {outcomes.silent} "
                      f"unanswered, {outcomes.late} late")
            report_overload(report, *runs)

    with start(args, "--search_workers=1") as server:
        asyncio.run(drive_both(server))


def report_overload(report, peak, over):
    report.figure("goodput beside that at capacity",
                  over.goodput / peak.goodput, 0.9, "times", least=True)
    report.must(over.refusals, "nothing was refused")
    report.must(over.without_retry == 0,
                f"{over.without_retry} refusals without RetryInfo")
    report.figure("time until a refusal, p50",
                  percentile(over.refusals or [0], 0.5) * 1000)
    report.figure("time until a refusal, p99",
                  percentile(over.refusals or [0], 0.99) * 1000, 5)
    report.figure("unanswered before the deadline", over.silent, 0, "calls")
    report.figure("later than the deadline + 10 ms", over.late, 0, "calls")


# ---- cancel


def grpc_leaver(caller):
    """Begins a long search and returns how to leave it, once it runs."""
    stream = caller.ask("Analyze", caller.channel.unary_stream)(
        caller.request("Analyze", LONG))
    next(stream)
    return stream.cancel


def rest_leaver(server):
    host, port = server.rest.split(":")
    connection = socket.create_connection((host, int(port)))
    connection.sendall(b"POST /v1/analyze HTTP/1.1\r\nHost: x\r\n"
                       b"Content-Length: %d\r\n\r\n%b"
                       % (len(LONG), LONG.encode()))
    while b'"depth"' not in connection.recv(1 << 16):
        pass
    return connection.close


def cancel(args, report):
    protos = Protos()
    with start(args, "--search_workers=1") as server:
        caller = Caller(server, protos)
        best_move = caller.ask("BestMove")
        request = caller.request("BestMove", '{"limits": {"depth": 1}}')

        def timed(begin_search):
            """Milliseconds until a search that waits has been answered."""
            leave = begin_search()
            waiting = best_move.future(request)
            while "sittuyin_search_queue_depth 1" not in server.metrics():
                pass
            begin = time.monotonic()
            leave()
            waiting.result(timeout=5)
            return (time.monotonic() - begin) * 1000

        alone = []
        for _ in range(args.trials):
            begin = time.monotonic()
            best_move(request)
            alone.append((time.monotonic() - begin) * 1000)
        report.figure("the next search alone, p50", percentile(alone, 0.5))
        report.figure("the next search alone, p99", percentile(alone, 0.99))
        for door, begin in (("gRPC", lambda: grpc_leaver(caller)),
                            ("REST", lambda: rest_leaver(server))):
            values = [timed(begin) for _ in range(args.trials)]
            report.figure(f"{door}: leaving until its answer, p50",
                          percentile(values, 0.5))
            report.figure(f"{door}: leaving until its answer, p99",
                          percentile(values, 0.99), 10)


# ---- deadline


def deadline(args, report):
    protos = Protos()
    with start(args, "--search_workers=1") as server:
        caller, rest = Caller(server, protos), RestCaller(server)
        moves = random_game(f"{args.bin}/sittuyin_cli", 40)
        game = '"game": {"moves": [%s]}' % ", ".join(f'"{m}"' for m in moves)
        legal = caller.answer("LegalMoves", caller.ask("LegalMoves")(
            caller.request("LegalMoves", "{%s}" % game)))
        legal = {move.uci for move in legal.moves}
        long_search = '{%s, "limits": {"moveTime": "10s"}}' % game
        ask = caller.ask("BestMove")
        request = caller.request("BestMove", long_search)

        def over_grpc(timeout):
            try:
                answer = caller.answer("BestMove", ask(request,
                                                       timeout=timeout))
            except grpc.RpcError:
                return False
            return answer.best.uci in legal

        loop = asyncio.new_event_loop()

        def over_rest(timeout):
            code, text = loop.run_until_complete(
                rest.best_move(long_search, timeout))
            return code == 200 and re.search(r'"best": *\{"uci": *"([^"]+)"',
                                             text)[1] in legal

        found = 0
        for timeout in (0.05, 0.1, 0.5):
            trials = max(args.trials // round(timeout / 0.05), 4)
            for door, best_move in (("gRPC", over_grpc), ("REST", over_rest)):
                took, good = [], 0
                for _ in range(trials):
                    begin = time.monotonic()
                    legal_move = best_move(timeout)
                    took.append(time.monotonic() - begin)
                    good += legal_move
                found += good
                name = f"{door}, {timeout * 1000:.0f} ms"
                report.figure(f"{name}: legal moves", good / trials, 0.999,
                              f"of {trials}", least=True)
                report.figure(f"{name}: time to the answer, p99",
                              percentile(took, 0.99) * 1000, timeout * 1000)
                report.figure(f"{name}: longest", max(took) * 1000,
                              (timeout + LATE) * 1000)
        report.must(found > 0, "no legal move in time, ever")

        request = caller.request(
            "BestMove", '{%s, "limits": {"moveTime": "0.05s"}}' % game)
        took = []
        for _ in range(args.trials):
            begin = time.monotonic()
            ask(request)
            took.append((time.monotonic() - begin) * 1000)
        report.figure("move time of 50 ms, p50", percentile(took, 0.5))
        report.figure("move time of 50 ms, p99", percentile(took, 0.99), 60)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("isolation", "overload", "cancel",
                                         "deadline"))
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--server_core", default="0")
    parser.add_argument("--client_core", default="1")
    parser.add_argument("--loose", action="store_true")
    parser.add_argument("--requests", type=int, default=20000,
                        help="calls of each kind (isolation)")
    parser.add_argument("--seconds", type=float, default=20,
                        help="length of each run (overload)")
    parser.add_argument("--times", type=float, default=4,
                        help="the workers' capacity (overload)")
    parser.add_argument("--move_time", type=float, default=0.1,
                        help="seconds a search (overload)")
    parser.add_argument("--trials", type=int, default=1000,
                        help="for each door (cancel, deadline)")
    args = parser.parse_args()
    report = Report(args.loose)
    print(f"{args.what}, load average {os.getloadavg()[0]:.1f}:", flush=True)
    with Awake():
        os.sched_setaffinity(0, {int(args.client_core)})
        globals()[args.what](args, report)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
