#!/usr/bin/python3
"""What callers over gRPC meet in a server's last moments: a call is answered,
or not begun, or, where it was under way, told UNAVAILABLE. So it may be made
elsewhere, and callers do."""

import argparse
import collections
import struct
import sys
import tempfile
import time
import unittest

import h2
from certificates import Authority, context_for
from server import Server
from threads import Threads

ENDS = 10
OK, UNAVAILABLE = 0, 14
# Calls on a connection before its caller makes another, caller by caller.
CALLS_A_CONNECTION = (1, 1, 1, 1000, 1000, 1000)
# So that each answer spells its status out: no table of headers.
GREETING = h2.PREFACE + h2.frame(h2.SETTINGS, 0, 0, struct.pack(">HI", 1, 0))


def game_status(stream):
    return (h2.frame(h2.HEADERS, h2.END_HEADERS, stream,
                     h2.call_headers("/sittuyin.v1.SittuyinService/GameStatus"))
            + h2.frame(h2.DATA, h2.END_STREAM, stream, h2.message(b"")))


class Callers(Threads):
    """They call until told to end, each so often on a connection, and add with
    which status each call ended."""

    def __init__(self, address, tls, statuses):
        self._address, self._tls, self._statuses = address, tls, statuses
        super().__init__((calls,) for calls in CALLS_A_CONNECTION)

    def _run(self, calls):
        while not self._end.is_set():
            try:
                connection = h2.Connection(self._address, greet=False,
                                           tls=self._tls)
            except OSError:
                time.sleep(0.001)
                continue
            connection.send(GREETING)
            for stream in range(1, 2 * calls, 2):
                connection.send(game_status(stream))
                status = connection.grpc_status(stream)
                self._statuses.append(status)
                if status is None:
                    break
            connection.close()


class ClosingTest(unittest.TestCase):
    server_path = None

    def end_while_called(self, tls, flags):
        """How many calls ended with which status."""
        statuses = []
        for _ in range(ENDS):
            with (Server(self.server_path, *flags) as server,
                  Callers(server.grpc, tls, statuses)):
                time.sleep(0.2)
                self.assertEqual(server.stop(), 0)
        return collections.Counter(statuses)

    def assert_any_may_be_made_elsewhere(self, tls=None, flags=()):
        counts = self.end_while_called(tls, flags)
        print(counts)
        self.assertLessEqual(set(counts), {OK, UNAVAILABLE, None})
        self.assertGreater(counts[OK], ENDS)
        self.assertGreater(counts[None], counts[UNAVAILABLE])

    def test_sigterm_in_clear(self):
        self.assert_any_may_be_made_elsewhere()

    def test_sigterm_over_tls(self):
        with tempfile.TemporaryDirectory() as folder:
            authority = Authority(folder, "ca")
            pair = authority.sign("server", "IP:127.0.0.1")
            self.assert_any_may_be_made_elsewhere(
                context_for(authority.cert), (f"--tls_cert_file={pair.cert}",
                                              f"--tls_key_file={pair.key}"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    options, rest = parser.parse_known_args()
    ClosingTest.server_path = options.server
    unittest.main(argv=sys.argv[:1] + rest, warnings="ignore")
