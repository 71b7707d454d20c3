"""A server of our own on free ports, for tests from outside."""

import json
import os
import resource
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

DOORS = ("grpc", "rest", "admin")


def open_as_many_files_as_allowed():
    """For this process and the servers that it starts from now on."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def await_port(address):
    """Returns once something listens at the (host, port)."""
    for _ in range(100):
        try:
            socket.create_connection(address).close()
            return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"nothing listens at {address}")


class Server:
    """Runs sittuyin_server from entry to exit of a `with`."""

    def __init__(self, path, *flags, prefix=()):
        self._log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [*prefix, path, *(f"--{door}_address=127.0.0.1:0"
                              for door in DOORS),
             "--drain_delay=0s", *flags],
            stdout=subprocess.PIPE, stderr=self._log, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the server did not start: {self.log()}")
        serving = json.loads(line)
        self.grpc, self.rest, self.admin = (serving[door] for door in DOORS)

    def log(self):
        """What it has written to stderr. A thread of the server's writes the
        log, so only after stop() is that all there is to come."""
        file = self._log.fileno()  # Its position is the server's too.
        return os.pread(file, os.fstat(file).st_size, 0).decode()

    def await_event(self, name):
        """The first line of that event as a dict, once it is in the log."""
        for _ in range(100):
            for line in self.log().splitlines(keepends=True):
                if line.endswith("\n") and json.loads(line)["event"] == name:
                    return json.loads(line)
            time.sleep(0.1)
        raise TimeoutError(f"no event {name}: {self.log()}")

    def metrics(self):
        with urllib.request.urlopen(f"http://{self.admin}/metrics") as answer:
            return answer.read().decode()

    def ready(self):
        try:
            with urllib.request.urlopen(f"http://{self.admin}/readyz"):
                return True
        except urllib.error.HTTPError:
            return False

    def stop(self):
        """SIGTERM; returns the exit code."""
        self.process.terminate()
        return self.process.wait(timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.process.poll() is None:
            self.stop()
        self.process.stdout.close()
        self._log.close()
