"""How evenly the replicas share the calls of each route."""

import time

from exposition import Exposition

TOLERANCE = 0.2
WINDOW = 5  # Seconds over which a share is taken while the replicas settle.


def _good_calls(replica, kinds):
    page = Exposition(replica.server.metrics())
    return {route: sum(page.value("sittuyin_requests_total", door=door,
                                  method=method, code="OK")
                       for door in doors)
            for route, (method, doors) in kinds.items()}


class Shares:
    """Samples of the replicas' own counts, taken a second apart for some
    seconds; `kinds` has each route's method, which no other has, and doors."""

    def __init__(self, replicas, kinds, seconds):
        self._kinds, self._samples = kinds, []
        begin = time.monotonic()
        for second in range(seconds + 1):
            time.sleep(max(0, begin + second - time.monotonic()))
            self._samples.append(
                [_good_calls(replica, kinds) for replica in replicas])

    def _window(self, route, end, length):
        """Calls that each replica had in the seconds until `end`."""
        pairs = zip(self._samples[end - length], self._samples[end])
        return [late[route] - early[route] for early, late in pairs]

    def report(self, last):
        """Prints the shares of the `last` seconds, and since when they are
        even; returns whether one was not."""
        failed, end = False, len(self._samples) - 1
        for route in self._kinds:
            calls = self._window(route, end, last)
            off = _off(calls)
            failed |= off > TOLERANCE
            since = end + 1
            while since > WINDOW and _off(
                    self._window(route, since - 1, WINDOW)) <= TOLERANCE:
                since -= 1
            parts = " ".join(f"{count:.0f}" for count in calls)
            print(f"  {route:8} {parts} calls in the last {last} s, off the "
                  f"mean by {off:.1%}; even since second {since}"
                  if since <= end else f"  {route:8} {parts}: NEVER EVEN",
                  flush=True)
        return failed


def _off(calls):
    """How far the farthest is from the mean, as a part of it."""
    mean = sum(calls) / len(calls)
    return max(abs(count / mean - 1) for count in calls) if mean else 1
