"""Replicas under one name, as a Deployment and its Service keep them."""

import time

from server import Server

PORTS = {"grpc": 50051, "rest": 8080, "admin": 9464}


class Replica:
    """A server on a host of its own."""

    def __init__(self, path, host):
        self._path, self.host = path, host
        self.start()

    def start(self):
        """Returns once it is ready."""
        self.server = Server(
            self._path, *(f"--{door}_address={self.host.address}:{port}"
                          for door, port in PORTS.items()),
            "--search_workers=1", "--drain_delay=5s", prefix=self.host.prefix)
        while not self.server.ready():
            time.sleep(0.1)

    def await_end(self):
        """Of one that has its SIGTERM: a second would end it at once."""
        code = self.server.process.wait(timeout=60)
        log = self.server.log()
        self.server.__exit__()
        if code != 0:
            raise RuntimeError(f"{self.host.name} ended with {code}: {log}")

    def kill(self):
        self.server.process.kill()
        self.server.process.wait()
        self.server.__exit__()


class Cluster:
    """Replicas that take one of `hosts` after the other, as the addresses of
    pods are not soon used again; all end with the `with`."""

    def __init__(self, path, hosts, names):
        self._path, self._hosts, self._names = path, iter(hosts), names
        self.replicas, self._leaving = [], []

    def add(self):
        self.replicas.append(Replica(self._path, next(self._hosts)))
        self._publish()

    def remove(self, replica):
        """Its name goes as its SIGTERM comes; nobody waits for its end."""
        self.replicas.remove(replica)
        self._leaving.append(replica)
        self._publish()
        replica.server.process.terminate()

    def await_ends(self):
        while self._leaving:
            self._leaving.pop().await_end()

    def _publish(self):
        self._names.set([replica.host.address for replica in self.replicas])

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        for replica in [*self.replicas, *self._leaving]:
            replica.server.__exit__()
