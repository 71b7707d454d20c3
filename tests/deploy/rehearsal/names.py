"""One name for all replicas, as a headless Service has it."""

import signal
import subprocess

from network import HERE
from server import await_port

NAME = "sittuyin-grpc.sittuyin.svc.cluster.local"


class Names:
    """Answers for NAME from here to the exit of a `with`; whoever shares this
    script's mounts asks it."""

    def __init__(self, folder):
        self._hosts = f"{folder}/hosts"
        self._write(())
        with open(f"{folder}/resolv.conf", "w", encoding="ascii") as file:
            file.write(f"nameserver {HERE}\n")
        subprocess.run(["mount", "--bind", file.name, "/etc/resolv.conf"],
                       check=True)
        self._process = subprocess.Popen(
            ["dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null",
             "--user=root", "--pid-file=", "--no-resolv", "--no-hosts",
             f"--addn-hosts={self._hosts}", f"--listen-address={HERE}",
             "--bind-interfaces", "--local=/cluster.local/",
             "--log-facility=/dev/null"])
        await_port((HERE, 53))

    def _write(self, addresses):
        with open(self._hosts, "w", encoding="ascii") as file:
            file.writelines(f"{address} {NAME}\n" for address in addresses)

    def set(self, addresses):
        self._write(addresses)
        self._process.send_signal(signal.SIGHUP)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self._process.terminate()
        self._process.wait()
