"""Hosts as Linux network namespaces on one switch."""

import dataclasses
import os
import subprocess
import sys

NOT_RUN = 77
HERE = "10.0.0.254"  # This script's own address on the switch.
UNSHARE = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child",
           "--mount-proc")


def enter():
    """Starts this script anew, with --inside, in network, mount and process
    namespaces of its own: however it ends, what it made or started there ends
    with it."""
    if os.geteuid() != 0:
        sys.exit(not_run("only root may make network namespaces"))
    probe = subprocess.run([*UNSHARE, "ip", "link", "add", "type", "bridge"],
                           check=False, stderr=subprocess.PIPE, text=True)
    if probe.returncode != 0:
        sys.exit(not_run(f"no network namespaces: {probe.stderr.strip()}"))
    sys.stdout.flush()
    os.execvp(UNSHARE[0], [*UNSHARE, sys.executable, *sys.argv, "--inside"])


def not_run(why):
    print(f"NOT RUN: {why}", flush=True)
    return NOT_RUN


@dataclasses.dataclass(frozen=True)
class Host:
    name: str
    address: str

    @property
    def prefix(self):
        """What runs a command there."""
        return ("nsenter", f"--net=/run/netns/{self.name}")


class Network:
    """A switch that this script is on, too."""

    def __init__(self):
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
        _ip("link set lo up", "link add switch type bridge",
            f"address add {HERE}/24 dev switch", "link set switch up")

    def host(self, name, address):
        _ip(f"netns add {name}",
            f"link add {name} type veth peer name eth0 netns {name}",
            f"link set {name} master switch up",
            f"-n {name} address add {address}/24 dev eth0",
            f"-n {name} link set eth0 up", f"-n {name} link set lo up")
        return Host(name, address)


def _ip(*commands):
    for command in commands:
        subprocess.run(["ip", *command.split()], check=True)
