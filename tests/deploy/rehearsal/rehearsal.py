#!/usr/bin/python3
"""A small cluster, rehearsed: replicas, callers, proxies and Prometheus as
hosts of a network of their own.

While callers ask over gRPC and REST, by themselves (with the repository's
service config, by a name that has all replicas' addresses) and through nginx
and haproxy (as deploy/proxy configures them):

  scale    one replica becomes three: within a minute each has its share of the
           calls of each way, within a fifth
  update   each replica is replaced, as the Deployment does: no call fails
  kill     a replica gets SIGKILL and comes back: no call fails (over REST one
           whose kept connection ends without an answer is made again);
           Prometheus, with the repository's rules, sixty times as fast, tells
           both
  flood    more searches are wanted than the replicas can do: Prometheus tells
           that they wait, every query of the dashboard has data, and then all
           is well again

Prints the figures, exits 1 where one is missed, and with 77 where it cannot
make the network (only root may).
"""

import argparse
import collections
import contextlib
import os
import re
import sys
import tempfile
import time

for folder in ("..", "../../integration", "../../load"):
    sys.path.append(os.path.join(os.path.dirname(__file__), folder))
# pylint: disable=wrong-import-position
import attempts
import network
from callers import Callers, grpc_caller, rest_caller, service_config
from cluster import PORTS, Cluster
from doors import Protos
from monitor import FASTER, Monitor
from names import NAME, Names
from proxy import PROXIES, Proxy
from shares import Shares

# The example proxies look for the first three; those of an update follow.
REPLICAS = {word: f"10.0.0.{number}" for number, word in enumerate(
    ("one", "two", "three", "four", "five", "six"), 1)}
OTHERS = {"nginx": "10.0.0.11", "haproxy": "10.0.0.12",
          "prometheus": "10.0.0.13"}
# A method of its own for each way to the replicas, by which they count its
# calls, and the doors at which it asks.
WAYS = {"direct": ("ValidateMove", ("grpc",)),
        "nginx": ("LegalMoves", ("grpc", "rest")),
        "haproxy": ("GameStatus", ("grpc", "rest"))}
DIRECT = f"dns:///{NAME}:{PORTS['grpc']}"
SEARCH = '{"limits": {"moveTime": "%.1fs"}}'
PAUSE = 0.025  # Seconds between two calls of a caller.


def way_callers(protos, way, lost):
    """Those that ask the method of the way, and those that want a search; see
    rest_caller for `lost`."""
    method, doors = WAYS[way]
    if way == "direct":
        make = {"grpc": lambda method: grpc_caller(protos, DIRECT, method,
                                                   service_config())}
    else:
        address = OTHERS[way]
        # The health of one replica is not that of the proxy.
        options = [*service_config(), ("grpc.inhibit_health_checking", 1)]
        make = {"grpc": lambda method: grpc_caller(
                    protos, f"{address}:50050", method, options),
                "rest": lambda method: rest_caller(f"{address}:8000", method,
                                                   lost)}
    for door in doors:
        for asked in (method, "BestMove"):
            kind, call = make[door](asked)
            yield f"{way} {kind}", call


def proxy_on(host):
    """It listens there, knows the replicas of an update, too, and like the
    example tries as many as it knows."""
    def more(line):
        lines = line[0]
        for word in ("four", "five", "six"):
            lines += line[0].replace("three", word).replace(
                REPLICAS["three"], REPLICAS[word])
        return lines

    def adapt(text):
        text = re.sub(rf"(?m)^ +server .*{REPLICAS['three']}:.*\n", more, text)
        text = text.replace("_tries 3;", "_tries 6;")
        return text.replace("127.0.0.1:", host.address + ":")
    return Proxy(host.name, adapt, (host.address, 50050), host.prefix)


def min_ready_seconds():
    """What the Deployment waits between a new replica and the next end."""
    path = "deploy/kubernetes/base/deployment.yaml"
    with open(path, encoding="ascii") as file:
        found = re.search(r"minReadySeconds: (\d+)", file.read())
    return int(found[1]) if found else 0


class Rehearsal:
    def __init__(self, protos, cluster, monitor, lost):
        self._protos, self._lost = protos, lost
        self._cluster, self._monitor = cluster, monitor
        self._begin, self.failed = time.monotonic(), False

    def _scene(self, what):
        print(f"{what} (second {time.monotonic() - self._begin:.0f})",
              flush=True)

    def _note(self, failed):
        self.failed |= bool(failed)

    def _note_calls(self, load, may_lose=False):
        """Of the scene until now."""
        self._note(load.turn().report("  calls"))
        lost = collections.Counter(self._lost)
        self._lost.clear()
        if lost:
            print(f"  connections lost, calls made again: {dict(lost)}")
        self._note(lost and not may_lose)

    def scale(self, load):
        self._scene("scale: two replicas join one")
        time.sleep(5)
        self._cluster.add()
        self._cluster.add()
        shares = Shares(self._cluster.replicas, WAYS, 60)
        self._note(shares.report(15))
        self._note_calls(load)

    def update(self, load):
        pause = min_ready_seconds()
        self._scene(f"update: a new replica, ready for {pause} s, then an old "
                    "one ends, three times")
        for old in list(self._cluster.replicas):
            self._cluster.add()
            time.sleep(pause)
            self._cluster.remove(old)
        self._cluster.await_ends()
        self._note_calls(load)

    def kill(self, load):
        self._scene("kill: SIGKILL to one of three replicas")
        known = attempts.channels()
        # Searches that last: one at least is under way at any time.
        callers = [grpc_caller(
            self._protos, DIRECT, "BestMove",
            [*service_config(), ("grpc.inhibit_health_checking", 1)],
            SEARCH % 0.3) for _ in range(4)]
        channels = attempts.channels() - known
        victim = self._cluster.replicas[0]
        with Callers(callers, PAUSE) as searches:
            time.sleep(3)
            victim.kill()
            self._note(self._monitor.await_alerts(
                ["SittuyinTargetDown"], True, 30))
            victim.start()
            self._note(self._monitor.await_alerts(
                ["SittuyinTargetDown"], False, 30))
        self._note(searches.tally.report("  long searches"))
        print(f"  {attempts.retried(channels)} of them asked again")
        # haproxy cannot send elsewhere what a reset connection took along.
        self._note_calls(load, may_lose=True)

    def flood(self):
        alerts = ["SittuyinSearchBurnsFast", "SittuyinSearchQueueSlow"]
        self._scene("flood: 24 callers more want searches of a second")
        callers = [grpc_caller(self._protos, DIRECT, "BestMove",
                               service_config(), SEARCH % 1)
                   for _ in range(24)]
        # For the panels of what is refused, and illegal.
        callers += [grpc_caller(self._protos, DIRECT, *asked) for asked in (
            ("GameStatus", (), '{"game": {"initialFen": "x"}}'),
            ("ValidateMove", (), '{"move": "R@a2"}'))]
        with Callers(callers, PAUSE):
            self._note(self._monitor.await_alerts(alerts, True, 90))
            self._note(self._monitor.silent_panels(20))
        self._note(self._monitor.await_alerts(alerts, False, 90))


def rehearse(args):
    protos, net = Protos(), network.Network()
    tempfile.tempdir = "/run"  # It goes with the namespaces.
    hosts = [net.host(*named) for named in REPLICAS.items()]
    others = {name: net.host(name, address)
              for name, address in OTHERS.items()}
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        names = stack.enter_context(Names(folder))
        cluster = stack.enter_context(Cluster(args.server, hosts, names))
        cluster.add()
        for name in PROXIES:
            stack.enter_context(proxy_on(others[name]))
        monitor = stack.enter_context(Monitor(others["prometheus"]))
        print(f"Prometheus's time runs {FASTER} times as fast")
        lost = []
        rehearsal = Rehearsal(protos, cluster, monitor, lost)
        with Callers([caller for way in WAYS
                      for caller in way_callers(protos, way, lost)],
                     PAUSE) as load:
            rehearsal.scale(load)
            rehearsal.update(load)
            rehearsal.kill(load)
            rehearsal.flood()
    return rehearsal.failed


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default="build/release/bin/sittuyin_server")
    parser.add_argument("--inside", action="store_true",
                        help=argparse.SUPPRESS)
    args = parser.parse_args()
    if not args.inside:
        network.enter()
    return 1 if rehearse(args) else 0


if __name__ == "__main__":
    sys.exit(main())
