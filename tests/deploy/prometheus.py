"""Prometheus and its Alertmanager as programs of our own."""

import json
import os
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import yaml

TIMEOUT = 60


def free_address():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return "127.0.0.1:%d" % free.getsockname()[1]


class Program:
    """Prometheus or its Alertmanager, from entry to exit of a `with`; `prefix`
    is what runs it elsewhere."""

    def __init__(self, name, config, storage, *flags, address=None, prefix=()):
        self._folder = tempfile.TemporaryDirectory()
        path = os.path.join(self._folder.name, "config.yml")
        with open(path, "w") as file:
            yaml.safe_dump(config, file)
        self.address = address or free_address()
        self._log = open(os.path.join(self._folder.name, "log"), "w+")
        self._process = subprocess.Popen(
            [*prefix, name, f"--config.file={path}", "--log.level=warn",
             f"{storage}={self._folder.name}/data",
             f"--web.listen-address={self.address}", *flags],
            stdout=self._log, stderr=subprocess.STDOUT)

    def get(self, path, **parameters):
        """The answer, an error too."""
        query = urllib.parse.urlencode(parameters)
        try:
            with urllib.request.urlopen(
                    f"http://{self.address}/api/{path}?{query}") as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def wait_until(self, what, holds):
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            if self._is_ready() and holds():
                return
            time.sleep(0.2)
        self._log.seek(0)
        raise TimeoutError(f"{what}: {self._log.read()}")

    def _is_ready(self):
        try:
            with urllib.request.urlopen(f"http://{self.address}/-/ready"):
                return True
        except OSError:
            return False

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self._process.terminate()
        self._process.wait(TIMEOUT)
        self._log.close()
        self._folder.cleanup()


class Prometheus(Program):
    def __init__(self, config, **place):
        super().__init__("prometheus", config, "--storage.tsdb.path", **place)

    def data(self, path, **parameters):
        answer = self.get("v1/" + path, **parameters)
        if answer["status"] != "success":
            raise AssertionError(answer["error"])
        return answer["data"]

    def ask(self, query):
        return self.data("query", query=query)["result"]

    def rules(self):
        return [rule for group in self.data("rules")["groups"]
                for rule in group["rules"]]

    def wait_for(self, query):
        """Until the query has a result."""
        self.wait_until(query, lambda: self.ask(query))
