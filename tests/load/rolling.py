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
import os
import re
import socket
import sys
import time

sys.path.append(os.path.join(os.path.dirname(__file__), "../integration"))
# pylint: disable=wrong-import-position
from callers import Callers, grpc_caller, rest_caller, service_config
from doors import Protos
from proxy import Proxy
from server import DOORS, Server

METHODS = ("ValidateMove", "BestMove")


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
            self._args.server, *flags,
            f"--drain_delay={self._args.drain_delay}",
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


def at_replicas(text, replicas):
    """The example's addresses put right, port by port."""
    for number, replica in enumerate(replicas, 1):
        port = replica.port
        for door, default in (("grpc", 50051), ("rest", 8080)):
            text = re.sub(
                rf"10\.0\.0\.{number}:{default}\b(.*)\bport 9464",
                rf"127.0.0.1:{port[door]}\1port {port['admin']}", text)
            text = text.replace(f"10.0.0.{number}:{default}",
                                f"127.0.0.1:{port[door]}")
    return text


def proxy_before(name, replicas):
    """A proxy and its addresses, gRPC's and REST's."""
    grpc_port, rest_port = free_ports(2)

    def adapt(text):
        text = text.replace("127.0.0.1:50050", f"127.0.0.1:{grpc_port}")
        text = text.replace("127.0.0.1:8000", f"127.0.0.1:{rest_port}")
        return at_replicas(text, replicas)
    return (Proxy(name, adapt, ("127.0.0.1", grpc_port)),
            f"127.0.0.1:{grpc_port}", f"127.0.0.1:{rest_port}")


def rolling(args, protos):
    failed = False
    for name in args.proxies.split(","):
        replicas = [Replica(args) for _ in range(3)]
        proxy, target, rest = proxy_before(name, replicas)
        with proxy:
            # The health of one replica is not that of the proxy.
            options = [] if args.no_retry else [
                *service_config(), ("grpc.inhibit_health_checking", 1)]
            callers = [
                caller for method in METHODS for _ in range(2)
                for caller in (grpc_caller(protos, target, method, options),
                               rest_caller(rest, method))]
            time.sleep(1)  # haproxy has asked each replica by then.
            with Callers(callers, args.pause) as load:
                for _ in range(args.rounds):
                    for replica in replicas:
                        replica.restart()
                        while not replica.server.ready():
                            time.sleep(0.05)
                        time.sleep(args.rest)
        for replica in replicas:
            replica.server.stop()
        failed |= load.tally.report(f"{name}, {3 * args.rounds} restarts")
    return failed


def kill(args, protos):
    replicas = [Replica(args) for _ in range(3)]
    target = "ipv4:" + ",".join(f"127.0.0.1:{replica.port['grpc']}"
                                for replica in replicas)
    callers = [grpc_caller(protos, target, method, service_config())
               for method in METHODS for _ in range(4)]
    with Callers(callers, args.pause) as load:
        for _ in range(args.rounds):
            for replica in replicas:
                time.sleep(args.rest)
                replica.kill()
                time.sleep(args.rest)
                replica.start()
    for replica in replicas:
        replica.server.stop()
    return load.tally.report(f"SIGKILL, {3 * args.rounds} times")


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
