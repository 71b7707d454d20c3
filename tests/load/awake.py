"""Cores that stay awake while something is measured."""

import os
import subprocess


class Awake:
    """Keeps every core of this process from sleeping, from entry to exit of a
    `with`, by a loop that runs only when nothing else would: a virtual machine
    may take 8 ms to wake a core, several times what is measured."""

    def __init__(self):
        self._loops = [
            subprocess.Popen(["chrt", "--idle", "0", "taskset", "-c", str(core),
                              "sh", "-c", "while :; do :; done"])
            for core in os.sched_getaffinity(0)]

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        for loop in self._loops:
            loop.kill()
            loop.wait()
