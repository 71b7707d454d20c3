#!/usr/bin/python3
"""Perft against Fairy-Stockfish in one run: nodes a second of each, and ratios.

Both count with one thread and without a hash table, ours all leaves in bulk.
They take turns for a number of rounds and the medians are compared, by CPU
time and by the clock on the wall, so that neighbours weigh on both alike.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time

POSITIONS = [
    ("8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KFRRSSNNkfrrssnn] w - - 0 1", 4),
    ("1s1r2r1/s3f1k1/1n1n1p1p/1p1ppp2/1P2P1PP/R1PP1SN1/3FSNK1/R7[] w - - 0 18",
     5),
    ("5f2/1s1s4/5P1P/rpP5/1P2k3/4n1K1/8/8[] w - - 1 53", 6),
]


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Fairy:
    """One process for all counts: its start, which is slow, is not measured."""

    def __init__(self, path):
        self._process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._tell("setoption name UCI_Variant value sittuyin", "isready")
        self._read("readyok")

    def _tell(self, *lines):
        self._process.stdin.write("\n".join(lines) + "\n")
        self._process.stdin.flush()

    def _read(self, prefix):
        for line in self._process.stdout:
            if line.startswith(prefix):
                return line
        sys.exit("perft_ratio.py: fairy-stockfish has ended")

    def count(self, fen, depth):
        self._tell(f"position fen {fen}", "isready")
        self._read("readyok")
        cpu, wall = cpu_seconds(self._process.pid), time.monotonic()
        self._tell(f"go perft {depth}")
        nodes = int(self._read("Nodes searched").split()[-1])
        return (nodes, cpu_seconds(self._process.pid) - cpu,
                time.monotonic() - wall)


def our_count(cli, fen, depth):
    """A whole run of sittuyin_cli, its start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = time.monotonic()
    done = subprocess.run(
        [cli, "perft", "--rule_set=PYCHESS", f"--fen={fen}", f"--depth={depth}"],
        check=True, stdout=subprocess.PIPE, text=True)
    wall = time.monotonic() - wall
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return int(done.stdout.split()[-1]), cpu, wall


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", default="build/release/bin/sittuyin_cli")
    parser.add_argument("--fairy", default="/usr/games/fairy-stockfish")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--at_least", type=float, default=10,
                        help="the ratio by CPU time below which to fail")
    args = parser.parse_args()

    fairy = Fairy(args.fairy)
    worst = float("inf")
    for fen, depth in POSITIONS:
        rates = {"ours": [], "theirs": []}
        for _ in range(args.rounds):
            ours = our_count(args.cli, fen, depth)
            theirs = fairy.count(fen, depth)
            if ours[0] != theirs[0]:
                sys.exit(f"{fen}: {ours[0]} nodes, the oracle {theirs[0]}")
            for name, (nodes, *seconds) in ("ours", ours), ("theirs", theirs):
                rates[name].append([nodes / s for s in seconds])
        cpu, wall = zip(*([statistics.median(column) for column in zip(*rate)]
                          for rate in rates.values()))
        worst = min(worst, cpu[0] / cpu[1])
        print(f"depth {depth}, {ours[0]:,} nodes: {fen}\n"
              f"  CPU  ours {cpu[0] / 1e6:6.1f} M/s, fairy-stockfish "
              f"{cpu[1] / 1e6:5.1f} M/s, ratio {cpu[0] / cpu[1]:.1f}\n"
              f"  wall ours {wall[0] / 1e6:6.1f} M/s, fairy-stockfish "
              f"{wall[1] / 1e6:5.1f} M/s, ratio {wall[0] / wall[1]:.1f}",
              flush=True)
    print(f"least ratio by CPU time {worst:.1f}, wanted {args.at_least:g}")
    return 0 if worst >= args.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
