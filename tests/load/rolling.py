#!/usr/bin/python3
"""Three replicas are restarted one after the other under mixed load.

rolling: behind nginx and then behind haproxy, as deploy/proxy configures them,
each replica gets SIGTERM in turn and is started anew, for some rounds. Callers
ask ValidateMove and BestMove over gRPC and REST through the proxy, over gRPC
with the repository's service config; none of their calls may fail. With
--no_retry gRPC callers have none: a search that meets a replica in its last
moments is refused with DRAINING, which nginx takes for an answer.

kill: callers use the replicas directly, with the repository's service config;
one replica after the other gets SIGKILL. No unary call may fail.

Prints the calls made and those that failed; exits 1 when one did.
"""

import argparse
import collections
import http.client
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import grpc

sys.path.append(os.path.join(os.path.dirname(__file__), "../integration"))
from doors import Protos, SERVICE  # pylint: disable=wrong-import-position
from server import DOORS, Server  # pylint: disable=wrong-import-position

VALIDATE = '{"game": {"moves": ["K@e2", "K@e7"]}, "move": "R@a1"}'
BEST = '{"game": {"moves": ["K@e2"]}, "limits": {"nodes": "2000"}}'
REQUESTS = {"ValidateMove": VALIDATE, "BestMove": BEST}
PATHS = {"ValidateMove": "/v1/validate-move", "BestMove": "/v1/best-move"}


def service_config():
    """The channel options of a client as the repository advises it."""
    path = "protos/sittuyin/v1/service_config.json"
    with open(path, encoding="ascii") as file:
        return [("grpc.service_config", file.read())]


def free_ports(count):
    """Ports of 127.0.0.1, each free a moment ago."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [bound.getsockname()[1] for bound in sockets]
    for bound in sockets:
        bound.close()
    return ports


class Replica:
    """A server that comes back at the same addresses."""

    def __init__(self, args):
        ports = free_ports(len(DOORS))
        self._addresses = dict(zip(DOORS, ports))
        self._args = args
        self.port = self._addresses
        self.start()

    def start(self):
        flags = [f"--{door}_address=127.0.0.1:{port}"
                 for door, port in self._addresses.items()]
        self.server = Server(
            self._args.server, *flags, f"--drain_delay={self._args.drain_delay}",
            "--search_workers=1", "--hash_mb=1")

    def restart(self):
        code = self.server.stop()
        if code != 0:
            sys.exit(f"rolling.py: the server ended with {code}: "
                     f"{self.server.log()}")
        self._close()
        self.start()

    def kill(self):
        self.server.process.kill()
        self.server.process.wait()
        self._close()

    def _close(self):
        self.server.__exit__()

    def ready(self):
        url = f"http://127.0.0.1:{self.port['admin']}/readyz"
        with urllib.request.urlopen(url) as answer:
            return answer.status == 200


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


class Callers:
    """Threads that call, each at its pace, from entry to exit."""

    def __init__(self, callers, pause):
        self.tally = Tally()
        self._end = threading.Event()
        self._pause = pause
        self._threads = [threading.Thread(target=self._run, args=caller)
                         for caller in callers]

    def _run(self, kind, call):
        while not self._end.wait(self._pause):
            self.tally.add(kind, call())

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self.tally

    def __exit__(self, *unused):
        self._end.set()
        for thread in self._threads:
            thread.join()


def grpc_caller(protos, target, method, options=()):
    """A function that calls once and says what failed, if anything."""
    channel = grpc.insecure_channel(target, options=[
        *options, ("grpc.use_local_subchannel_pool", 1)])
    described = protos.method(SERVICE, method)
    ask = channel.unary_unary(
        f"/{SERVICE}/{method}",
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=protos.type_named(
            described.output_type.full_name).FromString)
    request = protos.from_json(REQUESTS[method],
                               described.input_type.full_name)

    def call():
        try:
            ask(request, timeout=20)
            return None
        except grpc.RpcError as error:
            return f"{error.code().name} {error.details()}"
    return f"gRPC {method}", call


def rest_caller(port, method):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)

    def call():
        try:
            connection.request("POST", PATHS[method], REQUESTS[method])
            answer = connection.getresponse()
            body = answer.read()
            return None if answer.status == 200 else (
                f"{answer.status} {body[:200].decode()}")
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            return repr(error)
    return f"REST {method}", call


# How each proxy is run on a configuration file in its folder.
PROXIES = {
    "nginx": ("deploy/proxy/nginx.conf",
              lambda folder, file: ["nginx", "-p", folder, "-c", file,
                                    "-g", "daemon off;"]),
    "haproxy": ("deploy/proxy/haproxy.cfg",
                lambda folder, file: ["haproxy", "-db", "-f", file]),
}


class Proxy:
    """nginx or haproxy, configured as the example is, at ports of our own."""

    def __init__(self, name, replicas):
        example, command = PROXIES[name]
        with open(example, encoding="ascii") as file:
            text = file.read()
        self.grpc, self.rest = free_ports(2)
        text = text.replace("127.0.0.1:50050", f"127.0.0.1:{self.grpc}")
        text = text.replace("127.0.0.1:8000", f"127.0.0.1:{self.rest}")
        for number, replica in enumerate(replicas, 1):
            port = replica.port
            for door, default in (("grpc", 50051), ("rest", 8080)):
                text = re.sub(
                    rf"10\.0\.0\.{number}:{default}\b(.*)\bport 9464",
                    rf"127.0.0.1:{port[door]}\1port {port['admin']}", text)
                text = text.replace(f"10.0.0.{number}:{default}",
                                    f"127.0.0.1:{port[door]}")
        self._folder = tempfile.TemporaryDirectory()
        path = os.path.join(self._folder.name, "proxy.conf")
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        self._log = open(f"{self._folder.name}/log", "w+b")
        self._process = subprocess.Popen(
            command(self._folder.name, path), stdout=self._log,
            stderr=self._log)
        self._await_port()

    def _await_port(self):
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.grpc)).close()
                return
            except OSError:
                time.sleep(0.1)
        self._log.seek(0)
        sys.exit("rolling.py: the proxy does not listen: "
                 + self._log.read().decode())

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self._process.terminate()
        self._process.wait(timeout=30)
        self._log.close()
        self._folder.cleanup()


def rolling(args, protos):
    failed = False
    for name in args.proxies.split(","):
        replicas = [Replica(args) for _ in range(3)]
        with Proxy(name, replicas) as proxy:
            target = f"127.0.0.1:{proxy.grpc}"
            # The health of one replica is not that of the proxy.
            options = [] if args.no_retry else [
                *service_config(), ("grpc.inhibit_health_checking", 1)]
            callers = [
                caller for method in REQUESTS for _ in range(2)
                for caller in (grpc_caller(protos, target, method, options),
                               rest_caller(proxy.rest, method))]
            time.sleep(1)  # haproxy has asked each replica by then.
            with Callers(callers, args.pause) as tally:
                for _ in range(args.rounds):
                    for replica in replicas:
                        replica.restart()
                        while not replica.ready():
                            time.sleep(0.05)
                        time.sleep(args.rest)
        for replica in replicas:
            replica.server.stop()
        failed |= report(f"{name}, {3 * args.rounds} restarts", tally)
    return failed


def kill(args, protos):
    replicas = [Replica(args) for _ in range(3)]
    target = "ipv4:" + ",".join(f"127.0.0.1:{replica.port['grpc']}"
                                for replica in replicas)
    callers = [grpc_caller(protos, target, method, service_config())
               for method in REQUESTS for _ in range(4)]
    with Callers(callers, args.pause) as tally:
        for _ in range(args.rounds):
            for replica in replicas:
                time.sleep(args.rest)
                replica.kill()
                time.sleep(args.rest)
                replica.start()
    for replica in replicas:
        replica.server.stop()
    return report(f"SIGKILL, {3 * args.rounds} times", tally)


def report(what, tally):
    calls = sum(tally.calls.values())
    failures = sum(tally.failures.values())
    kinds = ", ".join(f"{count} {kind}" for kind, count
                      in sorted(tally.calls.items()))
    print(f"{what}: {failures} of {calls} calls failed ({kinds})", flush=True)
    for failure, count in tally.failures.most_common(10):
        print(f"  {count} x {failure}")
    return failures > 0 or calls == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("rolling", "kill"))
    parser.add_argument("--server", default="build/release/bin/sittuyin_server")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--proxies", default="nginx,haproxy")
    parser.add_argument("--drain_delay", default="2s")
    parser.add_argument("--pause", type=float, default=0.02,
                        help="seconds between two calls of a caller")
    parser.add_argument("--no_retry", action="store_true")
    parser.add_argument("--rest", type=float, default=1.5,
                        help="seconds from one restart to the next")
    args = parser.parse_args()
    failed = {"rolling": rolling, "kill": kill}[args.what](args, Protos())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
