#!/usr/bin/python3
"""How a start ends that is not to succeed: at once, and with one line where
something is wrong."""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
import unittest

QUIET = ("--grpc_address=127.0.0.1:0", "--rest_address=127.0.0.1:0",
         "--admin_address=127.0.0.1:0")
# With such tables a start takes long enough to be met.
LARGE = ("--search_workers=4", "--hash_mb=256")
NOBODY = "54321"


def holds_signals(pid):
    """Whether `pid` is the server, and so far that no signal is lost."""
    if not os.readlink(f"/proc/{pid}/exe").endswith("sittuyin_server"):
        return False
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        blocked = next(line for line in status if line.startswith("SigBlk"))
    return int(blocked.split()[1], 16) >> (signal.SIGTERM - 1) & 1


class StartingTest(unittest.TestCase):
    server_path = None

    def start(self, *flags, prefix=()):
        return subprocess.Popen([*prefix, self.server_path, *QUIET, *flags],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def test_stop_signals_end_a_start(self):
        for sent in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process = self.start("--drain_delay=1h", *LARGE)
            end = time.monotonic() + 10
            while not holds_signals(process.pid) and time.monotonic() < end:
                pass
            process.send_signal(sent)
            served, _ = process.communicate(timeout=60)
            self.assertEqual((process.returncode, served), (0, ""), sent)

    @unittest.skipIf(os.geteuid() != 0, "root alone makes namespaces")
    def test_stop_signals_end_a_start_of_the_first_process(self):
        outer = self.start("--drain_delay=1h", *LARGE, prefix=(
            "unshare", "--pid", "--fork", "--kill-child"))
        children = f"/proc/{outer.pid}/task/{outer.pid}/children"
        inner, end = "", time.monotonic() + 10
        while time.monotonic() < end:
            with open(children, encoding="ascii") as file:
                inner = file.read().strip()
            if inner and holds_signals(inner):
                break
        os.kill(int(inner), signal.SIGTERM)
        served, _ = outer.communicate(timeout=60)
        self.assertEqual((outer.returncode, served), (0, ""))

    @unittest.skipIf(os.geteuid() != 0, "the limit is of a user, not of root")
    def test_too_few_threads_are_told(self):
        for threads in (1, 8, 12, 16, 20):
            process = self.start(prefix=(
                "setpriv", f"--reuid={NOBODY}", "--clear-groups",
                "prlimit", f"--nproc={threads}"))
            served, told = process.communicate(timeout=60)
            self.assertEqual((process.returncode, served), (1, ""), told)
            self.assertTrue(re.fullmatch(
                "(ulimit -u: want room for [0-9]+ threads.*|start: .*)\n",
                told), told)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--server", required=True)
    known, rest = arguments.parse_known_args()
    StartingTest.server_path = known.server
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
