#!/usr/bin/python3
"""Plays sittuyin_uci against a random mover or another UCI engine.

A third process of sittuyin_uci is the referee: it judges every move and the
end of every game, so that a move of either player counts only if the law of
the rule set allows it. Openings are random and each is played twice, with
colours changed, because players at a fixed depth repeat themselves.

Prints one line a game and the score at the end. Exits 0 when no illegal move
was played and the score is at least --min_score percent.
"""

import argparse
import random
import subprocess
import sys
import time

START = "startpos"
DECISIVE = "checkmate"


class Engine:
    """A UCI engine as a child process."""

    def __init__(self, command, options):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            bufsize=1)
        self.ask("uci", "uciok")
        for name, value in options.items():
            self.send(f"setoption name {name} value {value}")
        self.ask("isready", "readyok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, last):
        """Sends a line, returns the answer up to the line that starts so."""
        self.send(line)
        answer = []
        while True:
            text = self.process.stdout.readline()
            if not text:
                raise RuntimeError(f"{self.process.args} ended at {line!r}")
            answer.append(text.strip())
            if answer[-1].split(" ")[0] == last:
                return answer

    def position(self, moves):
        tail = " moves " + " ".join(moves) if moves else ""
        self.send("position " + START + tail)

    def close(self):
        self.send("quit")
        self.process.wait(timeout=10)


class UciPlayer:
    def __init__(self, name, command, options, go):
        self.name = name
        self.engine = Engine(command, options)
        self.go = go
        self.times = []

    def new_game(self):
        self.engine.send("ucinewgame")

    def move(self, moves, _legal):
        self.engine.position(moves)
        begin = time.monotonic()
        best = self.engine.ask(self.go, "bestmove")[-1].split()[1]
        self.times.append(time.monotonic() - begin)
        return best

    def close(self):
        self.engine.close()


class RandomPlayer:
    name = "random"

    def __init__(self, rng):
        self.rng = rng
        self.times = []

    def new_game(self):
        pass

    def move(self, _moves, legal):
        return self.rng.choice(legal)

    def close(self):
        pass


class Referee:
    """Judges positions by the law of one rule set."""

    def __init__(self, command, rule_set):
        self.engine = Engine(command, {"RuleSet": rule_set})

    def judge(self, moves):
        """Returns side to move, end, claims and legal moves."""
        self.engine.position(moves)
        lines = self.engine.ask("d", "moves")
        for line in lines:
            if line.startswith("info string"):
                raise RuntimeError(line)
        facts = {line.split(" ")[0]: line.split(" ")[1:] for line in lines}
        return (facts["fen"][1], facts["termination"][0], facts["claims"],
                facts["moves"])


def random_opening(referee, plies, rng):
    moves = []
    for _ in range(plies):
        moves.append(rng.choice(referee.judge(moves)[3]))
    return moves


def play(players, referee, opening, max_plies):
    """Plays a game, Red first; returns (result for Red, reason, moves)."""
    moves = list(opening)
    for player in players.values():
        player.new_game()
    while True:
        side, end, claims, legal = referee.judge(moves)
        if end == DECISIVE:
            return (0 if side == "w" else 1), end, moves
        if end != "none":
            return 0.5, end, moves
        if claims:
            return 0.5, "claim of " + claims[0], moves
        if len(moves) >= max_plies:
            return 0.5, "too long", moves
        move = players[side].move(moves, legal)
        if move not in legal:
            return (0 if side == "w" else 1), f"illegal move {move}", moves
        moves.append(move)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uci", default="build/release/bin/sittuyin_uci")
    parser.add_argument("--opponent", default="random",
                        help="'random', 'self' or a UCI engine's command")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--go", default="depth 5", help="our limits")
    parser.add_argument("--opponent_go", default="depth 3")
    parser.add_argument("--opponent_option", action="append", default=[],
                        metavar="NAME=VALUE")
    parser.add_argument("--rule_set", default="PYCHESS")
    parser.add_argument("--level", type=int, default=0)
    parser.add_argument("--opening_plies", type=int, default=4)
    parser.add_argument("--max_plies", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--min_score", type=float, default=0,
                        help="percent that must be reached")
    parser.add_argument("--show_games", action="store_true")
    return parser.parse_args()


def make_opponent(args, rng):
    if args.opponent == "random":
        return RandomPlayer(rng)
    options = dict(text.split("=", 1) for text in args.opponent_option)
    command = [args.uci] if args.opponent == "self" else args.opponent.split()
    if args.opponent == "self":
        options.setdefault("RuleSet", args.rule_set)
    elif "fairy-stockfish" in args.opponent:
        options.setdefault("UCI_Variant", "sittuyin")
    return UciPlayer(command[0], command, options, "go " + args.opponent_go)


def main():
    args = parse_arguments()
    rng = random.Random(args.seed)
    referee = Referee([args.uci], args.rule_set)
    us = UciPlayer("sittuyin", [args.uci],
                   {"RuleSet": args.rule_set, "Level": args.level,
                    "Seed": args.seed}, "go " + args.go)
    opponent = make_opponent(args, rng)
    tally = {1: 0, 0.5: 0, 0: 0}
    illegal = {us.name: 0, opponent.name: 0}
    opening = []
    for number in range(args.games):
        red = number % 2 == 0
        if red:
            opening = random_opening(referee, args.opening_plies, rng)
        players = {"w": us, "b": opponent} if red else {"w": opponent, "b": us}
        result, reason, moves = play(players, referee, opening, args.max_plies)
        if reason.startswith("illegal"):
            illegal[players["w" if result == 0 else "b"].name] += 1
        ours = result if red else 1 - result
        tally[ours] += 1
        print(f"game {number + 1}: {ours} as {'Red' if red else 'Black'}, "
              f"{len(moves)} plies, {reason}", flush=True)
        if args.show_games:
            print("  " + " ".join(moves), flush=True)
    for player in (us, opponent):
        player.close()
    referee.engine.close()
    score = 100 * (tally[1] + tally[0.5] / 2) / max(1, args.games)
    print(f"sittuyin against {opponent.name}: +{tally[1]} ={tally[0.5]} "
          f"-{tally[0]}, {score:.1f} %; illegal moves: "
          f"{illegal[us.name]} ours, {illegal[opponent.name]} theirs")
    if us.times:
        times = sorted(us.times)
        print(f"our time a move: median {1000 * times[len(times) // 2]:.1f} ms,"
              f" p99 {1000 * times[len(times) * 99 // 100]:.1f} ms,"
              f" most {1000 * times[-1]:.1f} ms over {len(times)} moves")
    return 0 if not any(illegal.values()) and score >= args.min_score else 1


if __name__ == "__main__":
    sys.exit(main())
