#!/usr/bin/python3
"""Spans as a collector gets them, of a server built to export traces."""

import argparse
import http.server
import json
import sys
import threading
import unittest

from doors import PATHS, GrpcDoor, RestDoor
from server import Server

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"
SERVICE = "sittuyin.v1.SittuyinService"
SEARCH = '{"limits": {"depth": 3}}'
SPAN_KIND_SERVER, STATUS_ERROR = 2, 2  # OTLP's numbers.


def traceparent(sampled=True):
    return {"traceparent": f"00-{TRACE}-{PARENT}-0{int(sampled)}"}


def attributes(thing):
    return {pair["key"]: next(iter(pair["value"].values()))
            for pair in thing.get("attributes", [])}


class Collector:
    """Takes OTLP over HTTP from entry to exit of a `with`."""

    def __init__(self):
        bodies = self.bodies = []  # Each with its path and content type.

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):  # pylint: disable=invalid-name
                size = int(self.headers["Content-Length"])
                bodies.append((self.path, self.headers["Content-Type"],
                               self.rfile.read(size)))
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *unused):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0),
                                                       Handler)
        self.address = "http://127.0.0.1:%d" % self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *unused):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def resources(self):
        return [part for _, _, body in self.bodies
                for part in json.loads(body)["resourceSpans"]]

    def spans(self):
        return [span for part in self.resources()
                for scope in part["scopeSpans"] for span in scope["spans"]]


class TracingTest(unittest.TestCase):
    server_path = None

    def traced(self, ask, **variables):
        """What a collector holds after `ask` and the server's end."""
        with Collector() as collector:
            told = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.address,
                    "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json", **variables}
            prefix = ["env", *(f"{name}={value}"
                               for name, value in told.items())]
            with Server(self.server_path, prefix=prefix) as server:
                ask(server)
                self.assertEqual(server.stop(), 0)
                self.log = server.log()
        return collector

    def ask_grpc(self, rpc, request, metadata=()):
        def ask(server):
            door = GrpcDoor(server.grpc, metadata=tuple(dict(metadata).items()))
            door.call(rpc, request)
            door.channel.close()
        return ask

    def ask_rest(self, rpc, request, headers=()):
        return lambda server: RestDoor(server.rest).post(rpc, request, headers)

    def by_name(self, collector, *names):
        spans = collector.spans()
        self.assertEqual(sorted(span["name"] for span in spans), sorted(names))
        return [next(span for span in spans if span["name"] == name)
                for name in names]

    def assert_within(self, span, parent):
        self.assertEqual(span["parentSpanId"], parent["spanId"])
        self.assertEqual(span["traceId"], parent["traceId"])
        self.assertLessEqual(int(parent["startTimeUnixNano"]) - 1000,
                             int(span["startTimeUnixNano"]))
        self.assertLessEqual(int(span["endTimeUnixNano"]),
                             int(parent["endTimeUnixNano"]) + 1000)

    def test_grpc_search_has_three_spans_below_the_callers(self):
        collector = self.traced(self.ask_grpc("BestMove", SEARCH,
                                              traceparent()))
        call, queue, search = self.by_name(collector, f"{SERVICE}/BestMove",
                                           "queue", "search")
        self.assertEqual((call["traceId"], call["parentSpanId"]),
                         (TRACE, PARENT))
        self.assertEqual(call["kind"], SPAN_KIND_SERVER)
        told = attributes(call)
        self.assertEqual(
            (told["rpc.system"], told["rpc.service"], told["rpc.method"],
             int(told["rpc.grpc.status_code"]), told["sittuyin.rule_set"]),
            ("grpc", SERVICE, "BestMove", 0, "YOUZAI"))
        for span in (queue, search):
            self.assert_within(span, call)
        self.assertEqual(int(attributes(search)["sittuyin.depth"]), 3)
        self.assertGreater(int(attributes(search)["sittuyin.nodes"]), 3)

    def test_rest_search_tells_route_and_code(self):
        collector = self.traced(self.ask_rest("Analyze", SEARCH,
                                              traceparent()))
        call, queue, search = self.by_name(
            collector, f"POST {PATHS['Analyze']}", "queue", "search")
        self.assertEqual((call["traceId"], call["parentSpanId"]),
                         (TRACE, PARENT))
        told = attributes(call)
        self.assertEqual(
            (told["http.request.method"], told["http.route"],
             int(told["http.response.status_code"])),
            ("POST", PATHS["Analyze"], 200))
        for span in (queue, search):
            self.assert_within(span, call)

    def test_call_without_parent_is_a_root(self):
        collector = self.traced(self.ask_grpc("ValidateMove", "{}"))
        call, = self.by_name(collector, f"{SERVICE}/ValidateMove")
        self.assertFalse(call.get("parentSpanId"))
        self.assertEqual(len(call["traceId"]), 32)

    def test_refusal_of_a_bad_request_is_no_error_of_the_server(self):
        collector = self.traced(self.ask_rest("GameStatus", "nonsense"))
        call, = self.by_name(collector, f"POST {PATHS['GameStatus']}")
        told = attributes(call)
        self.assertEqual((int(told["http.response.status_code"]),
                          told["error.type"]), (400, "MALFORMED_REQUEST"))
        self.assertNotEqual(call.get("status", {}).get("code"), STATUS_ERROR)

    def test_search_that_had_no_turn_waited_and_failed(self):
        def ask(server):
            door = GrpcDoor(server.grpc)
            running = door.stream("Analyze", '{"limits": {"moveTime": "10s"}}')
            next(running)
            late = RestDoor(server.rest).post("BestMove", SEARCH)
            self.assertEqual(late.code, 503)
            running.cancel()
            door.channel.close()
        collector = self.traced(ask, SITTUYIN_SEARCH_WORKERS=1,
                                SITTUYIN_SEARCH_QUEUE=0)
        call, = (span for span in collector.spans()
                 if span["name"] == f"POST {PATHS['BestMove']}")
        self.assertEqual(attributes(call)["error.type"], "SEARCH_QUEUE_FULL")
        self.assertEqual(call["status"]["code"], STATUS_ERROR)
        below = [span["name"] for span in collector.spans()
                 if span.get("parentSpanId") == call["spanId"]]
        self.assertEqual(below, ["queue"])

    def test_flag_of_the_caller_decides(self):
        asks = (self.ask_grpc("BestMove", SEARCH, traceparent(False)),
                self.ask_rest("BestMove", SEARCH, traceparent(False)))
        for ask in asks:
            self.assertEqual(self.traced(ask).spans(), [])

    def test_samplers_of_the_environment(self):
        plain = self.ask_grpc("ValidateMove", "{}")
        asked = self.ask_grpc("ValidateMove", "{}", traceparent())
        for name, ratio, ask, spans in (
                ("always_off", "", asked, 0),
                ("parentbased_always_off", "", plain, 0),
                ("parentbased_always_off", "", asked, 1),
                ("parentbased_traceidratio", "0", plain, 0),
                ("parentbased_traceidratio", "0", asked, 1),
                ("traceidratio", "1", plain, 1)):
            with self.subTest(name, ratio=ratio):
                collector = self.traced(ask, OTEL_TRACES_SAMPLER=name,
                                        OTEL_TRACES_SAMPLER_ARG=ratio)
                self.assertEqual(len(collector.spans()), spans)

    def test_unknown_sampler_is_complained_of(self):
        collector = self.traced(self.ask_grpc("ValidateMove", "{}"),
                                OTEL_TRACES_SAMPLER="jaeger_remote")
        self.assertEqual(len(collector.spans()), 1)
        self.assertIn("OTEL_TRACES_SAMPLER", self.log)

    def test_resource_names_service_and_version(self):
        ask = self.ask_grpc("ValidateMove", "{}")
        versions = []
        for name, variables in (
                ("sittuyin", {}),
                ("blue", {"OTEL_SERVICE_NAME": "blue"}),
                ("green", {"OTEL_RESOURCE_ATTRIBUTES":
                           "service.name=green,deployment=test"})):
            part, = self.traced(ask, **variables).resources()
            told = attributes(part["resource"])
            self.assertEqual(told["service.name"], name)
            versions.append(told["service.version"])
        self.assertEqual(told["deployment"], "test")
        self.assertRegex(versions[0], r"^\d+\.\d+\.\d+$")
        self.assertEqual(len(set(versions)), 1)

    def test_default_is_protobuf_to_the_standard_path(self):
        collector = self.traced(self.ask_grpc("ValidateMove", "{}"),
                                OTEL_EXPORTER_OTLP_PROTOCOL="")
        (path, kind, body), = collector.bodies
        self.assertEqual((path, kind),
                         ("/v1/traces", "application/x-protobuf"))
        self.assertIn(b"ValidateMove", body)

    def test_disabled_exports_nothing(self):
        collector = self.traced(self.ask_grpc("ValidateMove", "{}"),
                                OTEL_SDK_DISABLED="true")
        self.assertEqual(collector.bodies, [])

    def test_collector_that_is_not_there_is_a_line_of_the_log(self):
        with Collector() as gone:
            pass
        self.traced(self.ask_grpc("ValidateMove", "{}"),
                    OTEL_EXPORTER_OTLP_ENDPOINT=gone.address)
        events = [json.loads(line)["event"] for line in self.log.splitlines()]
        self.assertIn("opentelemetry", events)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    args, rest = parser.parse_known_args()
    TracingTest.server_path = args.server
    unittest.main(argv=sys.argv[:1] + rest, warnings="ignore")
