#!/usr/bin/python3
"""The golden files, through gRPC and through REST; and what HTTP adds."""

import argparse
import http.client
import itertools
import json
import socket
import sys
import time
import unittest
import urllib.parse

import golden
from doors import (CACHEABLE, PATHS, GrpcDoor, Protos, RestDoor, camel, query,
                   renamed, snake, verb_of)
from openapi import OpenApi
from server import Server

HTTP_CODES = {3: 400, 9: 400}  # Of the refusals that golden files hold.
FAULTS = {
    "NO_KING", "TOO_MANY_KINGS", "TOO_MANY_GENERALS", "TOO_MANY_ELEPHANTS",
    "TOO_MANY_HORSES", "TOO_MANY_CHARIOTS", "TOO_MANY_SOLDIERS",
    "SOLDIER_IN_HAND", "KINGS_ADJACENT", "OPPONENT_IN_CHECK",
    "HAND_CANNOT_BE_DROPPED"}
REASONS = {
    "MALFORMED_FEN", "IMPOSSIBLE_POSITION", "ILLEGAL_MOVE_IN_HISTORY",
    "FIELD_OUT_OF_RANGE", "MALFORMED_REQUEST", "GAME_FINISHED"}


class DoorsTest(unittest.TestCase):
    server_path = None
    server_prefix = ()

    @classmethod
    def setUpClass(cls):
        cls.protos = Protos()
        cls.server = Server(cls.server_path, prefix=cls.server_prefix)
        cls.grpc = GrpcDoor(cls.server.grpc, cls.protos)
        cls.rest = RestDoor(cls.server.rest)

    @classmethod
    def tearDownClass(cls):
        cls.grpc.channel.close()
        assert cls.server.stop() == 0

    def assert_refused(self, status, code, reason, field=None):
        info, *details = status["details"]
        self.assertEqual(status["code"], code, status)
        self.assertTrue(info["@type"].endswith("/google.rpc.ErrorInfo"))
        self.assertEqual((info["domain"], info["reason"]),
                         ("sittuyin.v1", reason))
        if field:
            self.assertEqual(details[0]["fieldViolations"][0]["field"], field)


class GoldenTest(DoorsTest):
    maxDiff = None

    def assert_golden(self, case, answer):
        if isinstance(answer, list):
            self.assert_deepens(answer)
            answer = answer[-1]
            self.assertEqual(answer["lines"], answer["result"]["lines"])
        self.assert_lines(answer)
        self.assertEqual(list(golden.differences(case.reply, answer)), [])

    def assert_deepens(self, messages):
        depths = [message["depth"] for message in messages]
        self.assertEqual(depths, sorted(depths))
        self.assertEqual(["result" in message for message in messages],
                         [False] * (len(messages) - 1) + [True])

    def assert_lines(self, answer):
        firsts = [line["moves"][0] for line in answer.get("lines", [])]
        for line in answer.get("lines", []):
            self.assertEqual(sum(line["score"]["wdl"].values()), 1000)
            self.assertEqual(firsts.count(line["moves"][0]), 1)
        if "best" in answer:  # At full strength.
            self.assertEqual(answer["best"], firsts[0])

    def assert_headers(self, case, reply):
        self.assertEqual(reply.code, HTTP_CODES[case.reply["code"]]
                         if case.is_refusal else 200)
        if case.is_refusal:
            self.assertEqual(reply.headers["Cache-Control"], "no-store")
            self.assertNotIn("ETag", reply.headers)

    def test_files_through_both_doors(self):
        for case in golden.cases():
            with self.subTest(str(case), door="REST"):
                self.assert_headers(case, self.rest.post(case.rpc,
                                                         case.request))
                by_rest = self.rest.call(case.rpc, case.request)
                self.assert_golden(case, by_rest)
            if case.is_text:
                continue
            with self.subTest(str(case), door="gRPC"):
                by_grpc = self.grpc.call(case.rpc, case.request)
                self.assert_golden(case, by_grpc)
                self.assertEqual(golden.without("elapsed", by_grpc),
                                 golden.without("elapsed", by_rest))

    def test_get_is_post(self):
        for case in golden.cases():
            if case.rpc not in CACHEABLE or case.is_text:
                continue
            posted = self.rest.post(case.rpc, case.request)
            for spelling in (snake, camel):
                with self.subTest(str(case), spelling=spelling.__name__):
                    pairs = query(renamed(json.loads(case.request), spelling))
                    reply = self.rest.ask("GET", PATHS[case.rpc] + "?" +
                                          urllib.parse.urlencode(list(pairs)))
                    self.assert_headers(case, reply)
                    if case.is_refusal:  # Whose metadata has no order.
                        self.assertEqual(reply.json(), posted.json())
                    else:
                        self.assertEqual(reply.body, posted.body)

    def test_files_hold_every_name_of_the_contract(self):
        replies = [case.reply for case in golden.cases()]
        held = set(golden.texts(replies))
        for enum in ("ViolationReason", "MoveKind", "PieceType", "Color",
                     "RuleSet", "Phase", "Result", "Termination", "DrawClaim",
                     "DeploymentOrder", "DrawRule", "DeadPositions"):
            names = self.protos.enum_names(f"sittuyin.v1.{enum}")
            self.assertEqual(names - held, set())
        self.assertEqual({fault + "*" for fault in FAULTS} - held, set())
        self.assertEqual(REASONS - held, set())
        self.assertEqual({case.rpc for case in golden.cases()}, set(PATHS))


class OpenApiTest(DoorsTest):
    """What /openapi.json says, beside what is asked and answered."""

    ODD = ("rule_set_by_number",)  # Taken, but told to nobody.
    BEYOND = ("depth_beyond", "level_11", "multi_pv_11", "fen_of_129_bytes")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.openapi = OpenApi(cls.rest.ask("GET", "/openapi.json").json())

    def assert_told(self, verb, path, reply, code):
        self.assertEqual(reply.code, code)
        self.assertEqual(self.openapi.reply_faults(verb, path, reply), [])

    def test_golden_files(self):
        for case in golden.cases():
            with self.subTest(str(case)):
                path = PATHS[case.rpc]
                verb = verb_of(case.rpc)
                reply = self.rest.post(case.rpc, case.request)
                self.assertEqual(
                    self.openapi.reply_faults(verb, path, reply), [])
                if verb == "GET" or case.is_text or case.name in self.ODD:
                    continue
                faults = self.openapi.request_faults(path, case.request)
                if not case.is_refusal:
                    self.assertEqual(faults, [])
                elif case.name in self.BEYOND:
                    self.assertEqual(len(faults), 1, faults)

    def test_refusals_of_http(self):
        path = PATHS["BestMove"]
        for body, headers, code in (
                ("{}".ljust(65537), {}, 413),
                ("{}", {"Content-Encoding": "gzip"}, 415)):
            reply = RestDoor(self.server.rest).ask("POST", path, body, headers)
            self.assert_told("POST", path, reply, code)

    def test_passed_deadline(self):
        for rpc, path in PATHS.items():
            with self.subTest(rpc):
                reply = self.rest.post(rpc, "{}",
                                       {"X-Request-Timeout": "0.0000001"})
                self.assert_told(verb_of(rpc), path, reply, 504)
                self.assert_refused(reply.json(), 4, "DEADLINE_EXCEEDED")

    def test_full_queue(self):
        with Server(self.server_path, "--search_workers=1", "--search_queue=0",
                    prefix=self.server_prefix) as server:
            with DrainingTest.running_search(server):
                reply = RestDoor(server.rest).post("BestMove", ONE_PLY)
                self.assert_told("POST", PATHS["BestMove"], reply, 503)

    def test_cache(self):
        path = PATHS["GameStatus"]
        reply = self.rest.ask("GET", path)
        self.assert_told("GET", path, reply, 200)
        reply = self.rest.ask("GET", path, headers={
            "If-None-Match": reply.headers["ETag"]})
        self.assert_told("GET", path, reply, 304)
        reply = self.rest.ask("GET", path + "?x=1")
        self.assert_told("GET", path, reply, 400)


class LimitsTest(DoorsTest):
    """Sizes at a published limit, and one above it."""

    def assert_both_refuse(self, request, field):
        for door in (self.grpc, self.rest):
            self.assert_refused(door.call("GameStatus", json.dumps(request)), 3,
                                "FIELD_OUT_OF_RANGE", field)

    def test_moves(self):
        moves = itertools.cycle(("e1d1", "e8d8", "d1e1", "d8e8"))
        game = {"ruleSet": "RULE_SET_VCHESS",
                "initialFen": "4k3/8/8/8/8/8/8/4K3[] w - - 0 1",
                "moves": list(itertools.islice(moves, 2048))}
        for door in (self.grpc, self.rest):
            answer = door.call("GameStatus", json.dumps({"game": game}))
            self.assertEqual(answer["state"]["halfmoveClock"], 2048)
            self.assertEqual(answer["state"]["repetitions"], 513)
        game["moves"].append("e1d1")
        self.assert_both_refuse({"game": game}, "game.moves")

    def test_moves_by_get(self):
        moves = itertools.cycle(("e1d1", "e8d8", "d1e1", "d8e8"))
        for count, code in ((2048, 200), (2049, 400)):
            game = {"ruleSet": "RULE_SET_VCHESS",
                    "initialFen": "4k3/8/8/8/8/8/8/4K3[] w - - 0 1",
                    "moves": list(itertools.islice(moves, count))}
            pairs = list(query({"game": game}))
            reply = RestDoor(self.server.rest).ask(
                "GET", "/v1/game-status?" + urllib.parse.urlencode(pairs))
            self.assertEqual(reply.code, code, count)
            if code != 200:
                self.assert_refused(reply.json(), 3, "FIELD_OUT_OF_RANGE",
                                    "game.moves")

    def test_query(self):
        """Longer than a request may be."""
        for size in (65536 + 1, 80000):
            reply = RestDoor(self.server.rest).ask(
                "GET", "/v1/validate-move?move=".ljust(size, "x"))
            self.assertEqual(reply.code, 400, size)
            self.assertEqual(reply.headers["Cache-Control"], "no-store")
            self.assert_refused(reply.json(), 3, "FIELD_OUT_OF_RANGE")

    def test_parameters(self):
        """As many as a request can hold."""
        reply = RestDoor(self.server.rest).ask(
            "GET", "/v1/validate-move?" + "a&" * 32000)
        self.assertEqual(reply.code, 400)

    def test_fen(self):
        request = {"game": {"initialFen": "x" * 128}}
        for door in (self.grpc, self.rest):
            self.assert_refused(door.call("GameStatus", json.dumps(request)), 3,
                                "MALFORMED_FEN", "game.initial_fen")
        request["game"]["initialFen"] += "x"
        self.assert_both_refuse(request, "game.initial_fen")

    def test_body(self):
        body = '{"move": "K@e1"}'.ljust(65536)
        self.assertEqual(self.rest.post("ValidateMove", body).code, 200)
        reply = self.rest.post("ValidateMove", body + " ")
        self.assertEqual(reply.code, 413)
        self.assert_refused(reply.json(), 3, "FIELD_OUT_OF_RANGE")

    def test_message(self):
        move = "x" * (65536 - 4)  # And four bytes before it.
        request = json.dumps({"move": move})
        self.assertFalse(self.grpc.call("ValidateMove", request)["legal"])
        refused = self.grpc.call("ValidateMove",
                                 json.dumps({"move": move + "x"}))
        self.assertEqual((refused["code"], refused["details"]), (8, []))


class HttpTest(DoorsTest):
    TARGET = ("/v1/validate-move?game.rule_set=RULE_SET_VCHESS"
              "&game.moves=K@e1&move=R@a1")

    def test_get_may_be_cached(self):
        first = self.rest.ask("GET", self.TARGET)
        self.assertEqual(first.code, 200)
        self.assertEqual(first.headers["Cache-Control"], "public, max-age=3600")
        etag = first.headers["ETag"]
        self.assertRegex(etag, r'^"[^"]+"$')
        for held in (etag, f'"x", {etag}', f"W/{etag}", "*"):
            reply = self.rest.ask("GET", self.TARGET,
                                  headers={"If-None-Match": held})
            self.assertEqual((reply.code, reply.body), (304, b""), held)
            self.assertEqual(reply.headers["ETag"], etag)
            self.assertEqual(reply.headers["Cache-Control"],
                             "public, max-age=3600")
        reply = self.rest.ask("GET", self.TARGET,
                              headers={"If-None-Match": '"x"'})
        self.assertEqual((reply.code, reply.body), (200, first.body))
        other = self.rest.ask("GET", self.TARGET + "&include_legal_moves=true")
        self.assertNotEqual(other.headers["ETag"], etag)

    def test_head_is_get_without_a_body(self):
        for target in (self.TARGET, self.TARGET + "&x=1", "/v1/rule-sets",
                       "/openapi.json", "/nowhere"):
            with self.subTest(target):
                got = self.rest.ask("GET", target)
                head = self.rest.ask("HEAD", target)
                self.assertEqual((head.code, head.body), (got.code, b""))
                headers = [{name: value for name, value in
                            reply.headers.items() if name != "Date"}
                           for reply in (got, head)]
                self.assertEqual(*headers)

    def test_bad_parameters_are_refused(self):
        for parameter in ("x=1", "game.x=1", "move=K@e1", "game=1", "move.x=1",
                          "game.rule_set=RULE_SET_MAKRUK",
                          "include_legal_moves=maybe"):
            with self.subTest(parameter):
                reply = self.rest.ask("GET", f"{self.TARGET}&{parameter}")
                self.assertEqual(reply.code, 400)
                self.assertEqual(reply.headers["Cache-Control"], "no-store")
                self.assert_refused(reply.json(), 3, "MALFORMED_REQUEST")

    def test_post_is_json_whatever_its_type(self):
        for kind in ("application/json", "text/plain", "image/png",
                     "application/x-www-form-urlencoded"):
            reply = self.rest.post("ValidateMove", '{"move": "K@e1"}',
                                   {"Content-Type": kind})
            self.assertTrue(reply.json()["legal"], kind)

    def test_unknown_path(self):
        for path in ("/", "/v1", "/v1/validate-move/", "/v1/validate_move",
                     "/v2/validate-move", "/metrics"):
            for verb in ("GET", "POST", "DELETE"):
                reply = self.rest.ask(verb, path)
                self.assertEqual(reply.code, 404, path)
                self.assertEqual(reply.headers["Cache-Control"], "no-store")
                self.assert_refused(reply.json(), 5, "MALFORMED_REQUEST")

    def test_method_not_allowed(self):
        for verb, path, allowed in (
                ("PUT", "/v1/validate-move", {"GET", "HEAD", "POST"}),
                ("DELETE", "/v1/game-status", {"GET", "HEAD", "POST"}),
                ("GET", "/v1/best-move", {"POST"}),
                ("HEAD", "/v1/analyze", {"POST"}),
                ("POST", "/v1/rule-sets", {"GET", "HEAD"})):
            reply = self.rest.ask(verb, path)
            self.assertEqual(reply.code, 405, path)
            self.assertEqual(set(reply.headers["Allow"].split(", ")), allowed)
            if verb != "HEAD":
                self.assert_refused(reply.json(), 12, "MALFORMED_REQUEST")

    def test_deadline_counts_from_the_headers(self):
        host, port = self.server.rest.rsplit(":", 1)
        connection = http.client.HTTPConnection(host, int(port), timeout=60)
        connection.putrequest("POST", PATHS["GameStatus"])
        connection.putheader("X-Request-Timeout", "0.2")
        connection.putheader("Content-Length", "2")
        connection.endheaders()
        time.sleep(0.3)
        connection.send(b"{}")
        reply = connection.getresponse()
        self.assertEqual(reply.status, 504)
        self.assert_refused(json.load(reply), 4, "DEADLINE_EXCEEDED")
        connection.close()


ONE_PLY = '{"limits": {"depth": 1}}'


class DrainingTest(unittest.TestCase):
    """While a search keeps the server from its end."""

    def test_new_searches_are_refused(self):
        with Server(DoorsTest.server_path, "--drain_timeout=20s",
                    prefix=DoorsTest.server_prefix) as server:
            kept = RestDoor(server.rest)
            self.assertEqual(kept.ask("GET", "/v1/rule-sets").code, 200)
            with self.running_search(server):
                server.process.terminate()
                while RestDoor(server.admin).ask("GET", "/readyz").code == 200:
                    pass
                reply = kept.post("BestMove", ONE_PLY)
                while reply.code == 200:  # Not for long after it is not ready.
                    reply = kept.post("BestMove", ONE_PLY)
                self.assertEqual(reply.code, 503)
                self.assertGreater(int(reply.headers["Retry-After"]), 0)
                self.assertEqual(reply.headers["Cache-Control"], "no-store")
                self.assertEqual(reply.headers["Connection"], "close")
                self.assertEqual(
                    RestDoor(server.admin).ask("GET", "/livez").code, 200)
                self.assertIn("\nsittuyin_draining 1\n", server.metrics())
                info, retry = reply.json()["details"]
                self.assertEqual(info["reason"], "DRAINING")
                self.assertTrue(
                    retry["@type"].endswith("/google.rpc.RetryInfo"))
            self.assertEqual(server.process.wait(timeout=60), 0)

    @staticmethod
    def running_search(server):
        """The socket of a call that searches until it is closed."""
        body = b'{"limits": {"moveTime": "10s"}}'
        host, port = server.rest.split(":")
        caller = socket.create_connection((host, int(port)))
        caller.sendall(b"POST /v1/analyze HTTP/1.1\r\nHost: x\r\n"
                       b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        caller.recv(1)
        return caller


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    args, rest = parser.parse_known_args()
    DoorsTest.server_path = args.server
    unittest.main(argv=sys.argv[:1] + rest, warnings="ignore")
