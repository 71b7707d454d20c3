"""Callers that ask at a pace, and the tally of what became of their calls."""

import collections
import http.client
import threading

import grpc

from doors import PATHS, SERVICE
from threads import Threads

GAME = '{"game": {"moves": ["K@e2", "K@e7"]}}'
REQUESTS = {
    "ValidateMove": '{"game": {"moves": ["K@e2", "K@e7"]}, "move": "R@a1"}',
    "LegalMoves": GAME,
    "GameStatus": GAME,
    "BestMove": '{"game": {"moves": ["K@e2"]}, "limits": {"nodes": "2000"}}',
}


def service_config():
    """The channel options of a client as the repository advises it."""
    path = "protos/sittuyin/v1/service_config.json"
    with open(path, encoding="ascii") as file:
        return [("grpc.service_config", file.read())]


class Tally:
    """What became of the calls. Thread-safe."""

    def __init__(self):
        self._lock = threading.Lock()
        self.calls = collections.Counter()
        self.failures = collections.Counter()

    def add(self, kind, failure):
        with self._lock:
            self.calls[kind] += 1
            if failure:
                self.failures[f"{kind}: {failure}"] += 1

    def report(self, what):
        """Prints the figures; returns whether a call failed, or none came."""
        calls, failures = self.calls.total(), self.failures.total()
        kinds = ", ".join(f"{count} {kind}" for kind, count
                          in sorted(self.calls.items()))
        print(f"{what}: {failures} of {calls} calls failed ({kinds})",
              flush=True)
        for failure, count in self.failures.most_common(10):
            print(f"  {count} x {failure}")
        return failures > 0 or calls == 0


class Callers(Threads):
    """Those that call, each at its pace."""

    def __init__(self, callers, pause):
        self.tally = Tally()
        self._pause = pause
        super().__init__(callers)

    def _run(self, kind, call):
        while not self._end.wait(self._pause):
            failure = call()
            self.tally.add(kind, failure)

    def turn(self):
        """The tally until now; a new one begins."""
        tally, self.tally = self.tally, Tally()
        return tally


def grpc_caller(protos, target, method, options=(), request=None):
    """A function that calls once and says what failed, if anything."""
    channel = grpc.insecure_channel(target, options=[
        *options, ("grpc.use_local_subchannel_pool", 1)])
    described = protos.method(SERVICE, method)
    ask = channel.unary_unary(
        f"/{SERVICE}/{method}",
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=protos.type_named(
            described.output_type.full_name).FromString)
    request = protos.from_json(request or REQUESTS[method],
                               described.input_type.full_name)

    def call():
        try:
            ask(request, timeout=20)
            return None
        except grpc.RpcError as error:
            return f"{error.code().name} {error.details()}"
    return f"gRPC {method}", call


def rest_caller(address, method, lost=None):
    """The same over REST. Where a kept connection ended without an answer, the
    call is made again and its kind put into the list `lost`, if there is one:
    HTTP/1.1 leaves that to clients, for their call and the end may have crossed
    (RFC 9112, 9.3.1)."""
    kind = f"REST {method}"
    connection = http.client.HTTPConnection(address, timeout=20)

    def call():
        kept = connection.sock is not None
        try:
            connection.request("POST", PATHS[method], REQUESTS[method])
            answer = connection.getresponse()
            body = answer.read()
            return None if answer.status == 200 else (
                f"{answer.status} {body[:200].decode()}")
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            if (lost is None or not kept
                    or not isinstance(error, ConnectionError)):
                return repr(error)
        lost.append(kind)
        return call()
    return kind, call
