#!/usr/bin/python3
"""Reflection as clients that know no .proto use it."""

import argparse
import json
import os
import subprocess
import sys
import unittest

import grpc

from doors import HEALTH, PATHS, REFLECTION, SERVICE, GrpcDoor, RestDoor
from exposition import Exposition
from server import Server

INVALID_ARGUMENT, UNIMPLEMENTED = 3, 12
GAME_STATUS = f"/{SERVICE}/GameStatus"


def curl(server, *flags, path=""):
    """What buf's generic client prints."""
    return subprocess.run(
        ["build/npm/node_modules/.bin/buf", "curl", "--protocol", "grpc",
         "--http2-prior-knowledge", *flags, f"http://{server.grpc}{path}"],
        env={**os.environ, "BUF_CACHE_DIR": "build/npm/buf-cache"},
        check=True, text=True, stdout=subprocess.PIPE).stdout


class ReflectionTest(unittest.TestCase):
    server_path = None

    def refusal(self, server, path, question):
        """The refusal of a stream with this question."""
        door = GrpcDoor(server.grpc)
        with self.assertRaises(grpc.RpcError) as raised:
            list(door.channel.stream_stream(path)(iter([question]),
                                                  timeout=20))
        door.channel.close()
        return door.refusal(raised.exception)

    def test_a_call_by_reflection_is_refused_nothing(self):
        with Server(self.server_path) as server:
            told = curl(server, "-d", "{}", path=GAME_STATUS)
            self.assertIn('"PHASE_DEPLOYMENT"', told)
            page = Exposition(server.metrics())
            self.assertEqual(server.stop(), 0)
            events = [json.loads(line)["event"]
                      for line in server.log().splitlines()]
        counted = {value for (name, _), value in page.series.items()
                   if name == "sittuyin_rejections_total"}
        self.assertEqual(counted, {0})
        self.assertNotIn("refusal", events)

    def test_every_service_is_listed_and_described(self):
        with Server(self.server_path) as server:
            names = curl(server, "--list-services").split()
            methods = curl(server, "--list-methods").split()
        described = {method.split("/")[0] for method in methods}
        self.assertEqual(names, sorted(described))
        reflection = {path.split("/")[1] for path in REFLECTION}
        self.assertEqual(described, {HEALTH, SERVICE, *reflection})

    def test_bytes_that_are_no_question_are_refused(self):
        with Server(self.server_path) as server:
            for path in REFLECTION:
                refusal = self.refusal(server, path, b"\xff")
                self.assertEqual(refusal["code"], INVALID_ARGUMENT)
                self.assertEqual(refusal["details"][0]["reason"],
                                 "MALFORMED_REQUEST")

    def test_off_calls_of_it_are_unknown_methods(self):
        with Server(self.server_path, "--reflection=false") as server:
            for path in REFLECTION:
                refusal = self.refusal(server, path, b"")
                self.assertEqual(refusal["code"], UNIMPLEMENTED)
                self.assertEqual(refusal["details"][0]["reason"],
                                 "MALFORMED_REQUEST")
            told = curl(server, "--schema", "protos", "-d", "{}",
                        path=GAME_STATUS)
            self.assertIn('"PHASE_DEPLOYMENT"', told)
            openapi = RestDoor(server.rest).ask("GET", "/openapi.json").json()
            self.assertEqual(set(openapi["paths"]), set(PATHS.values()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    args, rest = parser.parse_known_args()
    ReflectionTest.server_path = args.server
    unittest.main(argv=sys.argv[:1] + rest, warnings="ignore")
