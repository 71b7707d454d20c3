"""Cores that stay awake while something is measured."""

import os
import subprocess


class Awake:
    """Keeps every core of this process from sleeping, from entry to exit of a
    `with`, by a loop that runs only when nothing else would: a virtual machine
    may take 8 ms to wake a core, several times what is measured."""

    def __enter__(self):
        # A loop ends with this process, too, however that ends.
        self._loops = [
            subprocess.Popen(["chrt", "--idle", "0", "taskset", "-c", str(core),
                              "sh", "-c", "while kill -0 $PPID; do :; done"],
                             stderr=subprocess.DEVNULL)
            for core in os.sched_getaffinity(0)]
        return self

    def __exit__(self, *unused):
        for loop in self._loops:
            loop.kill()
            loop.wait()
