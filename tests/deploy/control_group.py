"""What the control group of a process grants it, and what it has taken."""

import pathlib

ROOT = pathlib.Path("/sys/fs/cgroup")
FILES = {  # Of version 1, with its controller, and of version 2.
    "memory limit": ("memory", "memory.limit_in_bytes", "memory.max"),
    "memory peak": ("memory", "memory.max_usage_in_bytes", "memory.peak"),
    "memory events": ("memory", "memory.oom_control", "memory.events"),
    "cpu quota": ("cpu", "cpu.cfs_quota_us", "cpu.max"),
    "cpu times": ("cpu", "cpu.stat", "cpu.stat"),
}


class ControlGroup:
    def __init__(self, pid):
        self._of = {}  # By controller; version 2 has none.
        for line in pathlib.Path(f"/proc/{pid}/cgroup").read_text(
                encoding="ascii").splitlines():
            _, controllers, name = line.split(":", 2)
            for controller in controllers.split(","):
                self._of[controller] = ROOT / controller / name.lstrip("/")

    def _read(self, what):
        controller, first, second = FILES[what]
        path = (self._of[controller] / first if controller in self._of
                else self._of[""] / second)
        return path.read_text(encoding="ascii")

    def number(self, what):
        return int(self._read(what).split()[0])

    def count(self, what, name):
        """The number on the line `name` of a file that has several."""
        lines = map(str.split, self._read(what).splitlines())
        return int(dict(lines)[name])
