#!/usr/bin/python3
"""What the server tells of itself: metrics, log lines, OpenAPI, probes."""

import argparse
import contextlib
import json
import os
import random
import re
import socket
import string
import subprocess
import sys
import tempfile
import time
import unittest

import grpc

import h2
from doors import PATHS, SERVICE, GrpcDoor, Protos, RestDoor
from exposition import Exposition
from server import Server

HISTOGRAM = ("_bucket", "_sum", "_count")
# Each metric: its type and its labels with all their values.
DOORS = {"grpc", "rest"}
CODES = {
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
    "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"}
REFUSALS = {
    "MALFORMED_FEN", "IMPOSSIBLE_POSITION", "ILLEGAL_MOVE_IN_HISTORY",
    "FIELD_OUT_OF_RANGE", "MALFORMED_REQUEST", "GAME_FINISHED",
    "SEARCH_QUEUE_FULL", "DRAINING", "QUOTA_EXCEEDED", "UNAUTHENTICATED",
    "DEADLINE_EXCEEDED", "INTERNAL"}
METHODS = set(PATHS)
METRICS = {
    "sittuyin_requests_total":
        ("counter", {"method": METHODS, "door": DOORS, "code": CODES}),
    "sittuyin_request_duration_seconds":
        ("histogram", {"method": METHODS, "door": DOORS}),
    "sittuyin_requests_in_flight": ("gauge", {"method": METHODS}),
    "sittuyin_rejections_total": ("counter", {"reason": REFUSALS}),
    "sittuyin_search_queue_depth": ("gauge", {}),
    "sittuyin_search_workers": ("gauge", {"state": {"busy", "idle"}}),
    "sittuyin_search_queue_seconds": ("histogram", {}),
    "sittuyin_search_nodes_total": ("counter", {}),
    "sittuyin_search_depth": ("histogram", {}),
    "sittuyin_search_outcomes_total": ("counter", {"outcome": {
        "begun", "queue_full", "too_late", "draining", "expired", "left"}}),
    "sittuyin_draining": ("gauge", {}),
    "sittuyin_illegal_moves_total": ("counter", {"reason": None}),
    "sittuyin_reload_failures_total":
        ("counter", {"files": {"certificate", "tokens"}}),
    "sittuyin_build_info": ("gauge", {"version": None, "commit": None}),
    "process_cpu_seconds_total": ("counter", {}),
    "process_resident_memory_bytes": ("gauge", {}),
    "process_virtual_memory_bytes": ("gauge", {}),
    "process_start_time_seconds": ("gauge", {}),
    "process_open_fds": ("gauge", {}),
    "process_max_fds": ("gauge", {}),
}
RANDOM_REQUESTS = 1000


class ObservabilityTest(unittest.TestCase):
    server_path = None

    def setUp(self):
        self.server = Server(self.server_path, "--access_log_sample=1")
        self.protos = Protos()
        self.grpc = GrpcDoor(self.server.grpc, self.protos)
        self.rest = RestDoor(self.server.rest)
        self.admin = RestDoor(self.server.admin)

    def tearDown(self):
        self.grpc.channel.close()
        if self.server.process.poll() is None:
            self.assertEqual(self.server.stop(), 0)

    def metrics(self):
        return Exposition(self.server.metrics())

    def test_every_metric_is_there_with_its_labels(self):
        exposition = self.metrics()
        reasons = {name.removeprefix("VIOLATION_REASON_") for name in
                   self.protos.enum_names("sittuyin.v1.ViolationReason")}
        for name, (kind, labels) in METRICS.items():
            with self.subTest(name):
                self.assertEqual(exposition.types[name], kind)
                series = exposition.labels(
                    name + "_count" if kind == "histogram" else name)
                self.assertGreater(len(series), 0)
                for label, values in labels.items():
                    if name == "sittuyin_illegal_moves_total":
                        values = reasons
                    found = {pairs[label] for pairs in series}
                    self.assertLessEqual(found, values or found)
                self.assertTrue(all(set(pairs) == set(labels)
                                    for pairs in series))

    def test_no_other_metric_of_ours(self):
        ours = {name for name in self.metrics().types
                if name.startswith("sittuyin_")}
        self.assertLessEqual(ours, set(METRICS))

    def test_metrics_move(self):
        before = self.metrics()
        limits = '{"limits": {"nodes": "2000"}, "seed": "1"}'
        for door in (self.grpc, self.rest):
            for rpc in PATHS:
                door.call(rpc, limits if rpc == "BestMove" else
                          '{"limits": {"nodes": "2000"}}' if rpc == "Analyze"
                          else "{}")
            door.call("GameStatus", '{"game": {"initialFen": "x"}}')
        after = self.metrics()
        for door in DOORS:
            for method in METHODS:
                with self.subTest(method, door=door):
                    key = {"method": method, "door": door}
                    more = 2 if method == "GameStatus" else 1
                    self.assertEqual(after.value(
                        "sittuyin_requests_total", code="OK", **key), 1)
                    self.assertEqual(after.value(
                        "sittuyin_request_duration_seconds_count", **key), more)
                    self.assertEqual(after.value(
                        "sittuyin_requests_in_flight", method=method), 0)
            self.assertEqual(after.value(
                "sittuyin_requests_total", method="GameStatus", door=door,
                code="INVALID_ARGUMENT"), 1)
        self.assertEqual(after.value("sittuyin_rejections_total",
                                     reason="MALFORMED_FEN"), 2)
        self.assertEqual(after.value("sittuyin_illegal_moves_total",
                                     reason="MALFORMED_MOVE"), 2)
        self.assertEqual(after.value("sittuyin_search_queue_seconds_count"), 4)
        self.assertEqual(after.value("sittuyin_search_depth_count"), 4)
        self.assertGreaterEqual(
            after.value("sittuyin_search_nodes_total"), 4000)
        self.assertEqual(after.value("sittuyin_search_queue_depth"), 0)
        self.assertGreaterEqual(after.value("process_cpu_seconds_total"),
                                before.value("process_cpu_seconds_total"))
        self.assertGreater(
            after.value("process_resident_memory_bytes"), 1 << 20)

    def await_counted(self, method, code, count):
        """And no other code for that method over gRPC."""
        labels = {"method": method, "door": "grpc"}
        for _ in range(100):
            page = self.metrics()
            counted = {code: number for code in CODES if (number := page.value(
                "sittuyin_requests_total", code=code, **labels))}
            if sum(counted.values()) >= count:
                break
            time.sleep(0.1)
        self.assertEqual(counted, {code: count}, method)

    def test_calls_without_a_message_are_told_apart(self):
        def leave(connection):
            connection.send(h2.frame(h2.RST_STREAM, 0, 1, h2.CANCEL))

        def await_end(connection):
            self.assertEqual(connection.grpc_status(1),
                             grpc.StatusCode.DEADLINE_EXCEEDED.value[0])

        for method, code, act, more in (
                ("GameStatus", "CANCELLED", leave, {}),
                ("BestMove", "CANCELLED", leave, {}),
                ("Analyze", "CANCELLED", h2.Connection.close, {}),
                ("LegalMoves", "DEADLINE_EXCEEDED", await_end,
                 {"grpc_timeout": "50m"})):
            for _ in range(10):
                connection = h2.Connection(self.server.grpc)
                connection.send(h2.frame(
                    h2.HEADERS, h2.END_HEADERS, 1,
                    h2.call_headers(f"/{SERVICE}/{method}", **more)))
                act(connection)
                connection.close()
            self.await_counted(method, code, 10)

    def test_searching_is_seen(self):
        stream = self.grpc.stream("Analyze", '{"limits": {"moveTime": "10s"}}')
        next(stream)
        during = self.metrics()
        self.assertEqual(
            during.value("sittuyin_search_workers", state="busy"), 1)
        self.assertEqual(during.value("sittuyin_requests_in_flight",
                                      method="Analyze"), 1)
        stream.cancel()
        while self.metrics().value("sittuyin_search_workers", state="busy"):
            pass

    def test_series_are_bounded(self):
        for rpc in PATHS:
            self.rest.call(rpc, '{"limits": {"nodes": "9"}}')
        before = self.metrics()
        ours = {key for key in before.series if "sittuyin" in key[0]}
        noise = random.Random(1)
        for _ in range(RANDOM_REQUESTS):
            self.ask_at_random(noise)
        after = self.metrics()
        self.assertEqual({key for key in after.series if "sittuyin" in key[0]},
                         ours)
        self.assertEqual(len(after.series), len(before.series))
        self.assertGreater(
            sum(value for (name, _), value in after.series.items()
                if name == "sittuyin_rejections_total"), RANDOM_REQUESTS / 2)

    def ask_at_random(self, noise):
        def text(most):
            return "".join(noise.choices(string.ascii_letters + "/._{}\"[]@1",
                                         k=noise.randrange(most)))
        if noise.random() < 0.2:
            ask = self.grpc.channel.unary_unary(
                "/" + noise.choice([f"sittuyin.v1.SittuyinService/{text(9)}",
                                    text(30) + "/x",
                                    "sittuyin.v1.SittuyinService/BestMove"]))
            try:
                ask(noise.randbytes(noise.randrange(1, 40)), timeout=60)
            except Exception as error:  # pylint: disable=broad-except
                self.assertNotEqual(error.code().name, "UNAVAILABLE", error)
            return
        path = noise.choice([*PATHS.values(), "/" + text(20).replace("{", "")])
        if noise.random() < 0.3:
            path += "?" + re.sub(r'["\[\]{}]', "", text(30))
        verb = noise.choice(["GET", "POST", "HEAD", "PUT", "DELETE", "PATCH",
                             "OPTIONS", "BREW"])
        body = None if verb in ("GET", "HEAD") else text(60)
        reply = self.rest.ask(verb, path, body,
                              {"traceparent": text(60), "User-Agent": text(9)})
        self.assertLess(reply.code, 500)

    def test_promtool_finds_no_fault(self):
        self.rest.call("LegalMoves", "{}")
        check = subprocess.run(["promtool", "check", "metrics"],
                               input=self.server.metrics(), text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual((check.returncode, check.stdout), (0, ""))

    def test_log_is_json(self):
        trace = "0af7651916cd43dd8448eb211c80319c"
        self.rest.ask("POST", PATHS["ValidateMove"], json.dumps(
            {"game": {"ruleSet": "RULE_SET_PYCHESS", "moves": ["K@e1"]},
             "move": "K@e8"}),
            {"traceparent": f"00-{trace}-b7ad6b7169203331-01"})
        self.grpc.call("BestMove", '{"limits": {"nodes": "500"}, "seed": "1"}')
        self.rest.call("GameStatus", '{"game": {"initialFen": "\\"\\n\u1000"}}')
        self.grpc.channel.close()
        self.assertEqual(self.server.stop(), 0)
        lines = [json.loads(line) for line in self.server.log().splitlines()]
        events = [line["event"] for line in lines]
        self.assertEqual((events[0], events[-1]), ("start", "stop"))
        self.assertNotIn("unknown_variables", events)
        self.assertTrue(all({"time", "level"} <= line.keys() for line in lines))
        validate, best, refused = (
            [line for line in lines if line.get("method") == method][0]
            for method in ("ValidateMove", "BestMove", "GameStatus"))
        told = {"door": "rest", "code": "OK", "rule_set": "PYCHESS", "plies": 1,
                "trace_id": trace}
        self.assertEqual({key: validate.get(key) for key in told}, told)
        self.assertGreaterEqual(validate["ms"], 0)
        self.assertEqual((best["door"], best["code"]), ("grpc", "OK"))
        self.assertGreaterEqual(best["nodes"], 1)
        self.assertEqual(refused["code"], "INVALID_ARGUMENT")

    def test_variables_of_no_flag_are_logged(self):
        prefix = ("env", "SITTUYIN_SEARCH_WORKER=1", "SITTUYIN_PORT=x")
        with Server(self.server_path, prefix=prefix) as server:
            told = server.await_event("unknown_variables")
        self.assertEqual(told["level"], "warning")
        self.assertEqual(set(told["names"].split()),
                         {"SITTUYIN_SEARCH_WORKER", "SITTUYIN_PORT"})

    def test_tables_without_room_end_the_start(self):
        start = 'prlimit --as=3000000000 "$@"; echo "ends $?" >&2'
        told = ("start: --hash_mb: [^\n]* 2 tables of 2048 MiB: [^\n]*\n"
                "ends 2\n$")
        with self.assertRaisesRegex(RuntimeError, told):
            Server(self.server_path, "--hash_mb=2048", "--search_workers=2",
                   prefix=("sh", "-c", start, "-"))

    def test_connections_beyond_the_limit_are_logged(self):
        with Server(self.server_path, "--rest_connections=16") as server:
            host, port = server.rest.split(":")
            with contextlib.ExitStack() as stack:
                for _ in range(17):
                    stack.enter_context(
                        socket.create_connection((host, int(port))))
                told = server.await_event("connections_full")
        self.assertEqual((told["level"], told["door"]), ("warning", "rest"))

    def test_closed_streams_are_no_sockets(self):
        prefix = ("sh", "-c", 'exec "$@" <&- 2>&-', "-")
        with Server(self.server_path, prefix=prefix) as server:
            files = f"/proc/{server.process.pid}/fd"
            for number in (0, 2):
                self.assertEqual(os.readlink(f"{files}/{number}"), "/dev/null")
            self.assertEqual(server.stop(), 0)

    def test_openapi_passes_redocly(self):
        reply = self.rest.ask("GET", "/openapi.json")
        self.assertEqual(reply.code, 200)
        paths = reply.json()["paths"]
        self.assertEqual(set(paths), set(PATHS.values()))
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            file.write(reply.body)
            file.flush()
            lint = subprocess.run(
                ["build/npm/node_modules/.bin/redocly", "lint", file.name],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "REDOCLY_TELEMETRY": "off",
                     "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"})
        self.assertEqual(lint.returncode, 0, lint.stdout)
        self.assertNotRegex(lint.stdout, "(?i)warning")

    def test_probes(self):
        for path in ("/livez", "/readyz"):
            self.assertEqual(self.admin.ask("GET", path).code, 200)
        version = self.admin.ask("GET", "/version").json()
        self.assertEqual(set(version), {"version", "commit", "build_type"})
        self.assertEqual(self.metrics().value(
            "sittuyin_build_info", version=version["version"],
            commit=version["commit"]), 1)
        self.assertEqual(self.rest.ask("GET", "/metrics").code, 404)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    args, rest = parser.parse_known_args()
    ObservabilityTest.server_path = args.server
    unittest.main(argv=sys.argv[:1] + rest, warnings="ignore")
