#!/usr/bin/python3
"""Who may call: TLS, client certificates, tokens and quota, at each method of
both doors, and how they change while the server serves."""

import argparse
import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import grpc

import h2
from certificates import Authority, bundle, context_for, credentials_for
from doors import (HEALTH, PATHS, REFLECTION, SERVICE, GrpcDoor, Protos,
                   RestDoor)
from exposition import Exposition
from openapi import OpenApi
from server import Server
from threads import Threads

LIST_SERVICES = b"\x3a\x00"
QUICK = '{"limits": {"nodes": "9"}}'
TOKEN = "correct-horse-battery-staple"
OTHER_TOKEN = "another-horse"
ROTATION_LIMIT = 5  # Seconds in which a change must be in force.
GRPC_METHODS = [*PATHS, *REFLECTION]
REST_METHODS = [*PATHS, "openapi"]
HEALTH_METHODS = ["health", "watch"]


def line_of(name, token):
    return f"{name}:{hashlib.sha256(token.encode()).hexdigest()}\n"


def bearer(token):
    return {"authorization": f"Bearer {token}"}


def rejections(server, reason):
    return Exposition(server.metrics()).value("sittuyin_rejections_total",
                                              reason=reason)


def request_of(rpc):
    return QUICK if rpc in ("BestMove", "Analyze") else "{}"


class Caller:
    """Asks every method; tells of each "OK", the refusal's reason, or what
    became of the connection."""

    def __init__(self, server, protos, ca=None, pair=None, headers=()):
        self.headers = dict(headers)
        self.grpc = GrpcDoor(server.grpc, protos,
                             tls=ca and credentials_for(ca, pair),
                             metadata=tuple(self.headers.items()))
        self._rest = lambda: RestDoor(
            server.rest, ca and context_for(ca, pair), self.headers)
        self.answers = {}  # The last refusals, as google.rpc.Status in JSON.

    def close(self):
        self.grpc.channel.close()

    def on_grpc(self, name):
        try:
            if name in REFLECTION:
                ask = self.grpc.channel.stream_stream(name)
                list(ask(iter([LIST_SERVICES]), timeout=20,
                         metadata=self.grpc.metadata))
                return "OK"
            if name == "watch":
                next(self.grpc.stream("Watch", "{}", HEALTH))
                return "OK"
        except grpc.RpcError as error:
            answer = self.grpc.refusal(error)
        else:
            answer = (self.grpc.call("Check", "{}", HEALTH) if name == "health"
                      else self.grpc.call(name, request_of(name)))
        return self._told("grpc", name, answer)

    def on_rest(self, name):
        try:
            if name == "openapi":
                answer = self._rest().ask("GET", "/openapi.json").json()
            else:
                answer = self._rest().call(name, request_of(name))
        except (OSError, http.client.HTTPException) as error:
            return type(error).__mro__[0].__name__
        return self._told("rest", name, answer)

    def _told(self, door, name, answer):
        if not (isinstance(answer, dict) and "code" in answer):
            return "OK"
        self.answers[door, name] = answer
        if not answer["details"]:
            return answer["message"]
        return answer["details"][0]["reason"]

    def everywhere(self):
        return {**{("grpc", name): self.on_grpc(name) for name in GRPC_METHODS},
                **{("rest", name): self.on_rest(name) for name in REST_METHODS}}

    def health(self):
        return [self.on_grpc(name) for name in HEALTH_METHODS]


class AccessTest(unittest.TestCase):
    server_path = None

    @classmethod
    def setUpClass(cls):
        cls.protos = Protos()
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.ca = Authority(cls.folder, "ca")
        cls.other_ca = Authority(cls.folder, "other_ca")
        cls.server_pair = cls.ca.sign("server",
                                      "IP:127.0.0.1,DNS:localhost")
        cls.front = cls.ca.sign("front", "DNS:front.example")
        cls.back = cls.ca.sign("back", "URI:spiffe://example/back")
        cls.expired = cls.ca.sign("expired", "DNS:front.example", days=-1)
        cls.foreign = cls.other_ca.sign("foreign", "DNS:front.example",
                                        common="front")
        cls.for_servers = cls.ca.sign("for_servers", "DNS:front.example",
                                      purpose="serverAuth")
        cls.for_clients = cls.ca.sign("for_clients", "DNS:front.example",
                                      purpose="clientAuth")
        cls.for_anything = cls.ca.sign("for_anything", "DNS:front.example",
                                       purpose="anyExtendedKeyUsage")
        cls.weak = cls.ca.sign("weak", "DNS:front.example", kind=["rsa:1024"])
        cls.odd = cls.ca.sign("odd", common='#a;b\\+<c>"d\\\\e')
        cls.of_many_names = cls.ca.sign(
            "many", "URI:spiffe://example/many,DNS:many.example,DNS:b.example")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def tls(self, mutual=False):
        return [f"--tls_cert_file={self.server_pair.cert}",
                f"--tls_key_file={self.server_pair.key}",
                *([f"--tls_client_ca_file={self.ca.cert}"] if mutual else [])]

    def token_file(self, *lines):
        path = self.folder / "tokens"
        path.write_text("# name:sha256\n" + "".join(lines))
        return path

    @contextlib.contextmanager
    def serving(self, *flags):
        with Server(self.server_path, *flags) as server:
            yield server
            # An idle channel of grpcio's answers a stopping server late.
            self.doCleanups()

    def caller(self, server, **who):
        caller = Caller(server, self.protos, **who)
        self.addCleanup(caller.close)
        return caller

    def assert_everywhere(self, caller, want):
        told = caller.everywhere()
        self.assertEqual({key: value for key, value in told.items()
                          if value != want}, {})

    def assert_shut_out(self, caller):
        """No connection comes about, at either door; grpcio itself has no
        address where it does not take the caller's certificate."""
        refused = "failed to connect|Socket closed|empty address list"
        for (door, name), told in caller.everywhere().items():
            with self.subTest(door=door, name=name):
                if door == "grpc":
                    self.assertRegex(told, refused)
                else:
                    self.assertIn(told, (
                        "SSLError", "SSLEOFError", "ConnectionResetError",
                        "BrokenPipeError", "RemoteDisconnected",
                        "SSLCertVerificationError"))
        self.assertEqual([bool(re.search(refused, told))
                          for told in caller.health()], [True, True])

    def test_without_flags_everybody_may_call_in_clear(self):
        with self.serving() as server:
            caller = self.caller(server)
            self.assert_everywhere(caller, "OK")
            self.assertEqual(caller.health(), ["OK", "OK"])
            reply = RestDoor(server.rest).ask("GET", "/v1/rule-sets")
            self.assertNotIn("Strict-Transport-Security", reply.headers)
            caller.close()
            self.assertEqual(server.stop(), 0)
            self.assertEqual(server.log().count('"transport":"clear"'), 1)
            self.assertNotIn('"level":"warning"', server.log())

    def test_tokens(self):
        tokens = self.token_file(line_of("front", TOKEN),
                                 line_of("back", OTHER_TOKEN))
        with self.serving(f"--token_file={tokens}") as server:
            for token in (TOKEN, OTHER_TOKEN):
                self.assert_everywhere(
                    self.caller(server, headers=bearer(token)), "OK")
            for headers in ({}, bearer("wrong"), bearer(TOKEN + "x"),
                            {"authorization": TOKEN},
                            {"authorization": f"Basic {TOKEN}"}):
                caller = self.caller(server, headers=headers)
                self.assert_everywhere(caller, "UNAUTHENTICATED")
                self.assertEqual(caller.health(), ["OK", "OK"])
            twice = self.caller(server, headers=bearer(TOKEN))
            twice.grpc.metadata += (("authorization", "Bearer wrong"),)
            self.assertEqual({twice.on_grpc(name) for name in GRPC_METHODS},
                             {"UNAUTHENTICATED"})
            reply = RestDoor(server.rest).post("ValidateMove", "{}",
                                               bearer("wrong"))
            self.assertEqual(
                (reply.code, reply.headers["WWW-Authenticate"],
                 reply.headers["Cache-Control"]),
                (401, 'Bearer realm="sittuyin"', "no-store"))
            self.assertRegex(
                server.metrics(),
                r'sittuyin_requests_total\{code="UNAUTHENTICATED",door="rest",'
                r'method="BestMove"\} [1-9]')
            self.assertEqual(server.stop(), 0)
            log = server.log()
            for secret in (TOKEN, OTHER_TOKEN, "wrong",
                           line_of("", TOKEN).strip()):
                self.assertNotIn(secret, log)
            self.assertEqual(log.count('"event":"tokens_in_clear"'), 1)

    def callers_in_log(self, *flags, **who):
        """Everything is asked once; the callers that its lines name."""
        with self.serving("--access_log_sample=1", *flags) as server:
            caller = self.caller(server, **who)
            caller.everywhere()
            door = RestDoor(server.rest, "ca" in who and context_for(
                who["ca"], who.get("pair")), caller.headers)
            door.ask("GET", "/nowhere")
            door.ask("PUT", "/v1/rule-sets")
            door.ask("BREW IT", "/")
            caller.close()
            self.assertEqual(server.stop(), 0)
            log = server.log()
        self.assertNotIn(TOKEN, log)
        self.assertNotIn(line_of("", TOKEN).strip()[1:], log)
        lines = [json.loads(line) for line in log.splitlines()]
        told = [line for line in lines if line["event"] in ("call", "refusal")]
        self.assertGreaterEqual(len(told), 2 * len(PATHS) + 3)
        return {line.get("caller") for line in told}

    def test_log_lines_name_the_caller(self):
        self.assertEqual(self.callers_in_log(), {"127.0.0.1"})
        tokens = f"--token_file={self.token_file(line_of('front', TOKEN))}"
        self.assertEqual(self.callers_in_log(tokens, headers=bearer(TOKEN)),
                         {"front"})
        self.assertEqual(
            self.callers_in_log(tokens, headers=bearer(TOKEN + "x")),
            {"127.0.0.1"})
        self.assertEqual(
            self.callers_in_log(*self.tls(mutual=True), ca=self.ca.cert,
                                pair=self.back), {"spiffe://example/back"})
        self.assertEqual(
            self.callers_in_log(*self.tls(mutual=True), ca=self.ca.cert,
                                pair=self.of_many_names), {"many.example"})
        self.assertEqual(
            self.callers_in_log(
                *self.tls(mutual=True), "--allowed_client_names="
                "spiffe://example/many,b.example,many",
                ca=self.ca.cert, pair=self.of_many_names), {"b.example"})

    def test_refusals_are_the_same_at_both_doors(self):
        want = {
            "UNAUTHENTICATED": {
                "code": 16,
                "message": "Send a token that may call, as `authorization: "
                           "Bearer <token>`.",
                "details": [{
                    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                    "reason": "UNAUTHENTICATED", "domain": "sittuyin.v1",
                    "metadata": {}}]},
            "QUOTA_EXCEEDED": {
                "code": 8,
                "message": "You call more often than you may: wait.",
                "details": [
                    {"@type": "type.googleapis.com/google.rpc.ErrorInfo",
                     "reason": "QUOTA_EXCEEDED", "domain": "sittuyin.v1",
                     "metadata": {}},
                    {"@type": "type.googleapis.com/google.rpc.RetryInfo",
                     "retryDelay": "*"},
                    {"@type": "type.googleapis.com/google.rpc.QuotaFailure",
                     "violations": [{
                         "subject": "caller",
                         "description": "More requests per second than a "
                                        "caller may send."}]}]}}
        tokens = self.token_file(line_of("front", TOKEN))
        with self.serving(f"--token_file={tokens}",
                          "--requests_per_second=0.001") as server:
            unknown = self.caller(server)
            known = self.caller(server, headers=bearer(TOKEN))
            known.everywhere()
            for caller, reason in ((unknown, "UNAUTHENTICATED"),
                                   (known, "QUOTA_EXCEEDED")):
                for door in ("grpc", "rest"):
                    with self.subTest(reason, door=door):
                        getattr(caller, f"on_{door}")("BestMove")
                        answer = caller.answers[door, "BestMove"]
                        for detail in answer["details"]:
                            if "retryDelay" in detail:
                                self.assertRegex(detail["retryDelay"],
                                                 r"^\d{3}(\.\d+)?s$")
                                detail["retryDelay"] = "*"
                        self.assertEqual(answer, want[reason])

    def test_health_wants_credentials_when_told_so(self):
        tokens = self.token_file(line_of("front", TOKEN))
        with self.serving(f"--token_file={tokens}",
                          "--health_needs_credentials=true") as server:
            self.assertEqual(self.caller(server).health(),
                             ["UNAUTHENTICATED"] * 2)
            self.assertEqual(rejections(server, "UNAUTHENTICATED"), 2)
            self.assertEqual(
                self.caller(server, headers=bearer(TOKEN)).health(),
                ["OK", "OK"])

    def test_tls_alone_lets_everybody_in_but_not_in_clear(self):
        with self.serving(*self.tls()) as server:
            self.assert_everywhere(self.caller(server, ca=self.ca.cert), "OK")
            reply = RestDoor(server.rest, context_for(self.ca.cert)).ask(
                "GET", "/v1/rule-sets")
            self.assertEqual(reply.headers["Strict-Transport-Security"],
                             "max-age=31536000")
            self.assert_shut_out(self.caller(server))
            admin = RestDoor(server.admin).ask("GET", "/readyz")
            self.assertEqual(admin.code, 200)

    def test_what_is_no_request_is_refused_within_tls(self):
        with self.serving(*self.tls()) as server:
            host, port = server.rest.split(":")
            for nonsense in (b"GET /v1/rule-sets NONSENSE\r\n\r\n",
                             b"GET / HTTP/3.0\r\nHost: a\r\n\r\n",
                             b"POST /v1/game-status HTTP/1.1\r\nHost: a\r\n"
                             b"Content-Length: 4000000\r\n\r\n"
                             + bytes(2 << 20)):
                with self.subTest(nonsense[:20]):
                    with socket.create_connection((host, int(port))) as plain:
                        tls = context_for(self.ca.cert).wrap_socket(
                            plain, server_hostname=host)
                        with contextlib.suppress(OSError):
                            tls.sendall(nonsense)
                        head, _, body = b"".join(
                            iter(lambda: tls.recv(4096), b"")).partition(
                                b"\r\n\r\n")
                    self.assertRegex(head, rb"^HTTP/1.1 (400|413|505) ")
                    self.assertIn(b"Strict-Transport-Security: ", head)
                    self.assertEqual(
                        json.loads(body)["details"][0]["domain"],
                        "sittuyin.v1")

    def test_tls_versions(self):
        with self.serving(*self.tls()) as server:
            for door in (server.grpc, server.rest):
                for version, good in (("TLSv1_1", False), ("TLSv1_2", True),
                                      ("TLSv1_3", True)):
                    with self.subTest(version, door=door):
                        self.assertEqual(self.handshake(door, version), good)

    def handshake(self, address, version):
        context = context_for(self.ca.cert)
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.set_alpn_protocols(["h2", "http/1.1"])
        version = getattr(ssl.TLSVersion, version)
        context.minimum_version = context.maximum_version = version
        host, port = address.split(":")
        try:
            with socket.create_connection((host, int(port))) as plain:
                with context.wrap_socket(plain, server_hostname=host):
                    return True
        except (OSError, ssl.SSLError):
            return False

    def test_no_session_is_resumed(self):
        """Else nobody looks at the certificate that it began with."""
        with self.serving(*self.tls(mutual=True)) as server:
            for version in ("TLSv1_2", "TLSv1_3"):
                for address, hello in (
                        (server.grpc, h2.PREFACE + h2.frame(h2.SETTINGS, 0, 0)),
                        (server.rest, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")):
                    with self.subTest(version, address=address):
                        context = context_for(self.ca.cert, self.front)
                        context.set_alpn_protocols(["h2", "http/1.1"])
                        context.minimum_version = context.maximum_version = (
                            getattr(ssl.TLSVersion, version))
                        session, _ = self.session(context, address, hello)
                        _, reused = self.session(context, address, hello,
                                                 session)
                        self.assertFalse(session.has_ticket)
                        self.assertFalse(reused)

    @staticmethod
    def session(context, address, hello, session=None):
        """That of a connection over which the server has sent something, and
        whether it is `session`."""
        host, port = address.split(":")
        with socket.create_connection((host, int(port))) as plain:
            with context.wrap_socket(plain, server_hostname=host,
                                     session=session) as tls:
                tls.sendall(hello)
                tls.recv(1)
                return tls.session, tls.session_reused

    def test_failed_handshakes_with_rest_are_logged(self):
        with self.serving(*self.tls(mutual=True)) as server:
            host, port = server.rest.split(":")

            def connect(context=None, sent=b""):
                with contextlib.suppress(OSError):
                    with socket.create_connection((host, int(port))) as plain:
                        if context:
                            plain = context.wrap_socket(
                                plain, server_hostname=host)
                        if sent:
                            plain.sendall(sent)
                            plain.recv(1)
                        plain.close()

            connect()  # As a probe does: not worth a line.
            hello = b"GET / HTTP/1.1\r\n\r\n"
            connect(None, hello)
            connect(context_for(self.other_ca.cert), hello)
            connect(context_for(self.ca.cert), hello)
            connect(context_for(self.ca.cert, self.foreign), hello)
            connect(context_for(self.ca.cert, self.expired), hello)
            caller = self.caller(server, ca=self.ca.cert, pair=self.front)
            self.assertEqual(caller.on_rest("GameStatus"), "OK")
            caller.close()
            self.assertEqual(server.stop(), 0)
            lines = [json.loads(line) for line in server.log().splitlines()]
        told = [line for line in lines if line["event"] == "handshake_failed"]
        self.assertEqual({(line["level"], line["door"], line["caller"])
                          for line in told},
                         {("warning", "rest", "127.0.0.1")})
        # GnuTLS cannot read OpenSSL's alert that it does not know our CA.
        causes = ["unexpected TLS packet", "Decryption has failed|unknown CA",
                  "Certificate is required", "issuer is unknown", "expired"]
        self.assertEqual(sorted(cause for line in told for cause in causes
                                if re.search(cause, line["what"])),
                         sorted(causes))
        self.assertEqual(len(told), len(causes))

    def test_client_certificates(self):
        with self.serving(*self.tls(mutual=True)) as server:
            for pair in (self.front, self.back, self.for_clients):
                self.assert_everywhere(
                    self.caller(server, ca=self.ca.cert, pair=pair), "OK")
            for name, pair in (("none", None), ("wrong CA", self.foreign),
                               ("expired", self.expired),
                               ("wrong purpose", self.for_servers),
                               ("any purpose", self.for_anything),
                               ("weak key", self.weak)):
                with self.subTest(name):
                    self.assert_shut_out(
                        self.caller(server, ca=self.ca.cert, pair=pair))

    def test_client_names(self):
        def allow(names):
            return (*self.tls(mutual=True), f"--allowed_client_names={names}")
        with self.serving(
                *allow("spiffe://example/back,front.example")) as server:
            for pair in (self.front, self.back):
                self.assert_everywhere(
                    self.caller(server, ca=self.ca.cert, pair=pair), "OK")
        with self.serving(*allow('#a;b+<c>"d\\e')) as server:
            self.assert_everywhere(
                self.caller(server, ca=self.ca.cert, pair=self.odd), "OK")
        with self.serving(*allow("back,*.example,Front")) as server:
            self.assert_everywhere(  # By its common name.
                self.caller(server, ca=self.ca.cert, pair=self.back), "OK")
            caller = self.caller(server, ca=self.ca.cert, pair=self.front)
            self.assert_everywhere(caller, "UNAUTHENTICATED")
            self.assertEqual(caller.health(), ["OK", "OK"])

    def test_names_and_tokens_are_both_wanted(self):
        tokens = self.token_file(line_of("front", TOKEN))
        with self.serving(*self.tls(mutual=True),
                          "--allowed_client_names=front",
                          f"--token_file={tokens}") as server:
            for pair, headers, want in (
                    (self.front, bearer(TOKEN), "OK"),
                    (self.front, {}, "UNAUTHENTICATED"),
                    (self.back, bearer(TOKEN), "UNAUTHENTICATED")):
                self.assert_everywhere(
                    self.caller(server, ca=self.ca.cert, pair=pair,
                                headers=headers), want)
            self.assertEqual(server.stop(), 0)
            self.assertNotIn("tokens_in_clear", server.log())

    def test_quota(self):
        tokens = self.token_file(line_of("front", TOKEN),
                                 line_of("back", OTHER_TOKEN))
        with self.serving(f"--token_file={tokens}", "--burst=5",
                          "--requests_per_second=0.01") as server:
            front = self.caller(server, headers=bearer(TOKEN))
            told = [front.on_grpc("GameStatus"), front.on_rest("GameStatus"),
                    *map(front.on_grpc, REFLECTION), front.on_rest("openapi")]
            self.assertEqual(told, ["OK"] * 5)
            self.assert_everywhere(front, "QUOTA_EXCEEDED")
            self.assertEqual(front.health(), ["OK", "OK"])
            reply = RestDoor(server.rest).post("GameStatus", "{}",
                                               bearer(TOKEN))
            self.assertEqual(reply.code, 429)
            self.assertIn(int(reply.headers["Retry-After"]), range(90, 101))
            back = self.caller(server, headers=bearer(OTHER_TOKEN))
            self.assertEqual(back.on_grpc("GameStatus"), "OK")
            openapi = OpenApi(RestDoor(server.rest).ask(
                "GET", "/openapi.json",
                headers=bearer(OTHER_TOKEN)).json())
            nameless = RestDoor(server.rest).post("GameStatus", "{}")
            self.assertEqual(nameless.code, 401)
            for refused in (reply, nameless):
                self.assertEqual(openapi.reply_faults(
                    "POST", PATHS["GameStatus"], refused), [])
        with self.serving("--requests_per_second=0.01") as server:
            self.assertEqual(self.caller(server).on_grpc("GameStatus"), "OK")
            self.assertEqual(self.caller(server).on_rest("GameStatus"),
                             "QUOTA_EXCEEDED")  # Of the same address.

    def test_quota_counts_each_question_of_a_stream(self):
        with self.serving("--burst=3", "--requests_per_second=0.01") as server:
            caller = self.caller(server)
            ask = caller.grpc.channel.stream_stream(REFLECTION[0])
            answers = []
            with self.assertRaises(grpc.RpcError) as raised:
                for answer in ask(iter([LIST_SERVICES] * 5), timeout=20):
                    answers.append(answer)
            self.assertEqual(len(answers), 3)
            self.assertEqual(raised.exception.code(),
                             grpc.StatusCode.RESOURCE_EXHAUSTED)
            self.assertEqual(rejections(server, "QUOTA_EXCEEDED"), 1)

    def test_unusable_files_end_the_start(self):
        other = self.ca.sign("unrelated")
        broken = self.folder / "broken"
        broken.write_text("swordfish\n")
        # Each can be read, and one library cannot serve with it.
        unfit = [self.ca.sign("unfit0", kind=["rsa:1024"]),
                 self.ca.sign("unfit1", kind=["ec", "-pkeyopt",
                                              "ec_paramgen_curve:P-224"]),
                 self.ca.sign("unfit2", kind=["rsa:2048", "-pkeyopt",
                                              "rsa_keygen_primes:3"]),
                 self.ca.sign("unfit3", usage="keyAgreement")]
        cert, key = self.tls()
        for flags, blamed in (
                *(([f"--tls_cert_file={pair.cert}",
                    f"--tls_key_file={pair.key}"], "--tls_cert_file")
                  for pair in unfit),
                ([f"--tls_cert_file={broken}", key], "--tls_cert_file"),
                ([cert, f"--tls_key_file={other.key}"], "--tls_key_file"),
                ([cert, f"--tls_key_file={self.folder}/none"],
                 "--tls_key_file"),
                ([cert], "--tls_cert_file"), ([key], "--tls_key_file"),
                ([f"--tls_client_ca_file={self.ca.cert}"],
                 "--tls_client_ca_file"),
                ([cert, key, f"--tls_client_ca_file={broken}"],
                 "--tls_client_ca_file"),
                (["--allowed_client_names=a"], "--allowed_client_names"),
                ([f"--token_file={broken}"], "--token_file"),
                ([f"--token_file={self.folder}/none"], "--token_file"),
                (["--requests_per_second=-1"], "--requests_per_second"),
                (["--burst=x"], "--burst"), (["--burst=4"], "--burst"),
                (["--token_file=/dev/null"], "--token_file")):
            with self.subTest(flags=flags):
                done = subprocess.run(
                    [self.server_path, *flags, "--grpc_address=127.0.0.1:0",
                     "--rest_address=127.0.0.1:0",
                     "--admin_address=127.0.0.1:0"],
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                    timeout=60)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertTrue(done.stderr.startswith(blamed + ": "),
                                done.stderr)
                self.assertNotIn("swordfish", done.stderr)

    def test_taken_port_is_told_in_one_line_each(self):
        with self.serving() as server:
            done = subprocess.run(
                [self.server_path, f"--grpc_address={server.grpc}",
                 "--rest_address=127.0.0.1:0", "--admin_address=127.0.0.1:0"],
                stderr=subprocess.PIPE, text=True, timeout=60)
        lines = done.stderr.splitlines()
        self.assertEqual(done.returncode, 1)
        told = [line for line in lines if line.startswith("--grpc_address: ")]
        self.assertEqual(len(told), 1, lines)
        for line in lines:  # gRPC's own are lines of our log.
            if line not in told:
                self.assertEqual(json.loads(line)["event"], "grpc")


class Secret:
    """Files as Kubernetes lays out a secret: links through `..data`, which one
    rename points to another folder."""

    def __init__(self, folder):
        self._folder = folder
        self._version = 0

    def path(self, name):
        return self._folder / name

    def write(self, **files):
        self._version += 1
        content = self._folder / f"..{self._version}"
        content.mkdir()
        for name, data in files.items():
            (content / name).write_bytes(data)
            if not self.path(name).is_symlink():
                self.path(name).symlink_to(f"..data/{name}")
        fresh = self._folder / "..fresh"
        fresh.symlink_to(content.name)
        os.rename(fresh, self._folder / "..data")


class Traffic(Threads):
    """Callers that go on calling; counts what they get."""

    def __init__(self, make, threads):
        self._make = make
        self._lock = threading.Lock()
        self.answered = 0
        self.failures = []
        super().__init__((kind,) for kind in threads)

    def _run(self, kind):
        ask = self._make(kind)
        while not self._end.is_set():
            told = ask()
            with self._lock:
                if told == "OK":
                    self.answered += 1
                else:
                    self.failures.append((kind, told))


class RotationTest(unittest.TestCase):
    server_path = None

    def setUp(self):
        self.protos = Protos()
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.secret_folder = self.folder / "secret"
        self.secret_folder.mkdir()
        self.secret = Secret(self.secret_folder)
        self.old_ca = Authority(self.folder, "old_ca")
        self.new_ca = Authority(self.folder, "new_ca")
        self.both = bundle(self.folder / "both.pem", self.old_ca.cert,
                           self.new_ca.cert)
        server_name = "IP:127.0.0.1"
        self.old_server = self.old_ca.sign("old_server", server_name)
        self.new_server = self.new_ca.sign("new_server", server_name)
        self.old_client = self.old_ca.sign("old_client")
        self.new_client = self.new_ca.sign("new_client")

    def write(self, pair, ca, tokens):
        self.secret.write(cert=pair.cert.read_bytes(),
                          key=pair.key.read_bytes(), ca=ca.read_bytes(),
                          tokens=tokens.encode())

    def start(self):
        server = Server(
            self.server_path, f"--tls_cert_file={self.secret.path('cert')}",
            f"--tls_key_file={self.secret.path('key')}",
            f"--tls_client_ca_file={self.secret.path('ca')}",
            f"--token_file={self.secret.path('tokens')}",
            "--search_workers=2")
        self.addCleanup(server.__exit__)
        return server

    def caller(self, server, pair, token):
        caller = Caller(server, self.protos, ca=self.both, pair=pair,
                        headers=bearer(token))
        self.addCleanup(caller.close)
        return caller

    def shown_by(self, address):
        """The certificate that a new connection sees."""
        context = context_for(self.both, self.new_client)
        context.set_alpn_protocols(["h2", "http/1.1"])
        host, port = address.split(":")
        with socket.create_connection((host, int(port))) as plain:
            with context.wrap_socket(plain, server_hostname=host) as tls:
                return ssl.DER_cert_to_PEM_cert(tls.getpeercert(True))

    def await_true(self, what, begin, holds):
        while not holds():
            self.assertLess(time.monotonic() - begin, 60, what)
            time.sleep(0.02)
        took = time.monotonic() - begin
        print(f"{what}: after {took:.1f} s", flush=True)
        self.assertLess(took, ROTATION_LIMIT, what)

    def test_new_certificate_and_token_without_a_dropped_call(self):
        self.write(self.old_server, self.both, line_of("old", TOKEN))
        server = self.start()
        old = self.caller(server, self.old_client, TOKEN)
        stream = old.grpc.stream("Analyze", '{"limits": {"moveTime": "10s"}}')
        next(stream)

        def asker(kind):
            if kind == "grpc":
                return lambda: old.on_grpc("GameStatus")
            if kind == "search":
                return lambda: told(old.grpc.call(
                    "BestMove", '{"limits": {"moveTime": "0.2s"}}'))
            door = RestDoor(server.rest,
                            context_for(self.both, self.old_client),
                            bearer(TOKEN))
            return lambda: told(door.call("GameStatus", "{}"))

        def told(answer):
            return answer if "code" in answer else "OK"

        new_cert = self.new_server.cert.read_text()
        with Traffic(asker, ["grpc", "rest", "search"]) as traffic:
            begin = time.monotonic()
            self.write(self.new_server, self.both,
                       line_of("old", TOKEN) + line_of("new", OTHER_TOKEN))
            for door in ("grpc", "rest"):
                self.await_true(
                    f"new certificate on {door}", begin,
                    lambda door=door: self.shown_by(
                        getattr(server, door)).strip() == new_cert.strip())
            new = self.caller(server, self.new_client, OTHER_TOKEN)
            for ask in (new.on_grpc, new.on_rest):
                self.await_true(f"new token by {ask.__name__}", begin,
                                lambda ask=ask: ask("GameStatus") == "OK")
        print(f"{traffic.answered} calls answered meanwhile, "
              f"{len(traffic.failures)} failed", flush=True)
        self.assertEqual(traffic.failures, [])
        self.assertGreater(traffic.answered, 20)
        last = [json.loads("null"), *stream][-1]
        self.assertTrue(last.HasField("result"))

    def test_revoked_by_removal(self):
        self.write(self.old_server, self.both,
                   line_of("old", TOKEN) + line_of("new", OTHER_TOKEN))
        server = self.start()
        standing = self.caller(server, self.old_client, TOKEN)
        self.assertEqual(set(standing.everywhere().values()), {"OK"})
        begin = time.monotonic()
        self.write(self.old_server, self.new_ca.cert,
                   line_of("new", OTHER_TOKEN))
        self.await_true("token gone, on a connection that stands", begin,
                        lambda: standing.on_grpc("GameStatus")
                        == "UNAUTHENTICATED")
        for door in ("grpc", "rest"):
            def shut_out(door=door):
                caller = self.caller(server, self.old_client, OTHER_TOKEN)
                outcome = getattr(caller, f"on_{door}")("GameStatus")
                caller.close()
                return outcome not in ("OK", "UNAUTHENTICATED")
            self.await_true(f"CA gone on {door}", begin, shut_out)
        self.assertEqual(set(self.caller(
            server, self.new_client, OTHER_TOKEN).everywhere().values()),
            {"OK"})
        self.assertEqual(
            {value for (door, _), value in standing.everywhere().items()
             if door == "grpc"}, {"UNAUTHENTICATED"})

    def test_rest_connection_of_old_ca_ends_with_its_next_answer(self):
        self.write(self.old_server, self.both, line_of("old", TOKEN))
        server = self.start()
        door = http.client.HTTPSConnection(
            server.rest, timeout=60,
            context=context_for(self.both, self.old_client))

        def closes():
            door.request("GET", "/v1/rule-sets", headers=bearer(TOKEN))
            answer = door.getresponse()
            answer.read()
            self.assertEqual(answer.status, 200)
            return answer.headers["Connection"] == "close"

        self.assertFalse(closes())
        begin = time.monotonic()
        self.write(self.new_server, self.new_ca.cert, line_of("old", TOKEN))
        self.await_true("connection closed", begin, closes)
        with self.assertRaises((OSError, http.client.HTTPException)):
            door.request("GET", "/v1/rule-sets", headers=bearer(TOKEN))
            door.getresponse()

    def test_marks_of_utf8_in_files_disturb_neither_door(self):
        self.write(self.old_server, self.both, line_of("old", TOKEN))
        server = self.start()
        begin = time.monotonic()
        self.secret.write(**{
            name: b"\xef\xbb\xbf" + path.read_bytes() for name, path in (
                ("cert", self.new_server.cert), ("key", self.new_server.key),
                ("ca", self.new_ca.cert))},
            tokens=line_of("old", TOKEN).encode())
        for door in ("grpc", "rest"):
            def is_served(door=door):
                caller = self.caller(server, self.new_client, TOKEN)
                outcome = getattr(caller, f"on_{door}")("GameStatus")
                caller.close()
                return outcome == "OK" and self.shown_by(
                    getattr(server, door)).strip() == (
                        self.new_server.cert.read_text().strip())
            self.await_true(f"marked files served on {door}", begin, is_served)

    def test_broken_files_keep_the_old_ones(self):
        self.write(self.old_server, self.both, line_of("old", TOKEN))
        server = self.start()
        self.secret.write(cert=self.new_server.cert.read_bytes(),
                          key=self.old_server.key.read_bytes(),
                          ca=self.both.read_bytes(), tokens=b"nonsense\n")
        begin = time.monotonic()
        for files in ("certificate", "tokens"):
            self.await_true(
                f"broken {files} noticed", begin,
                lambda files=files: f'failures_total{{files="{files}"}} 1'
                in server.metrics())
        begin = time.monotonic()
        self.write(self.old_ca.sign("weak", kind=["rsa:1024"]), self.both,
                   line_of("old", TOKEN))
        self.await_true("weak certificate noticed", begin,
                        lambda: "ee key too small" in server.log())
        caller = self.caller(server, self.old_client, TOKEN)
        self.assertEqual(set(caller.everywhere().values()), {"OK"})
        for address in (server.grpc, server.rest):
            self.assertEqual(self.shown_by(address).strip(),
                             self.old_server.cert.read_text().strip())
        caller.close()
        self.assertEqual(server.stop(), 0)
        self.assertEqual(server.log().count('"event":"reload_failed"'), 3)
        self.assertNotIn("nonsense", server.log())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    args, rest = parser.parse_known_args()
    AccessTest.server_path = RotationTest.server_path = args.server
    unittest.main(argv=sys.argv[:1] + rest, warnings="ignore")
