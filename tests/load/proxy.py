"""nginx or haproxy, configured as deploy/proxy does."""

import os
import subprocess
import tempfile

from server import await_port

# How each proxy is run on a configuration file in its folder.
PROXIES = {
    "nginx": ("deploy/proxy/nginx.conf",
              lambda folder, file: ["nginx", "-p", folder, "-c", file,
                                    "-g", "daemon off;"]),
    "haproxy": ("deploy/proxy/haproxy.cfg",
                lambda folder, file: ["haproxy", "-db", "-f", file]),
}


class Proxy:
    """Runs a proxy from here to the exit of a `with`, its example's text put
    through `adapt`; `grpc` is the (host, port) where it then listens."""

    def __init__(self, name, adapt, grpc, prefix=()):
        example, command = PROXIES[name]
        with open(example, encoding="ascii") as file:
            text = adapt(file.read())
        self._folder = tempfile.TemporaryDirectory()
        path = os.path.join(self._folder.name, "proxy.conf")
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        self._log = open(f"{self._folder.name}/log", "w+b")
        self._process = subprocess.Popen(
            [*prefix, *command(self._folder.name, path)], stdout=self._log,
            stderr=self._log)
        try:
            await_port(grpc)
        except TimeoutError as error:
            self._log.seek(0)
            raise RuntimeError(self._log.read().decode()) from error

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self._process.terminate()
        self._process.wait(timeout=30)
        self._log.close()
        self._folder.cleanup()
