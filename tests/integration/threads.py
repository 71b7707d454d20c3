"""Threads that do one thing until they are told to end."""

import threading


class Threads:
    """Threads from entry to exit: `_run` with each of `arguments`, until
    `_end` is set."""

    def __init__(self, arguments):
        self._end = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=each)
                         for each in arguments]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *unused):
        self._end.set()
        for thread in self._threads:
            thread.join()
