#!/usr/bin/python3
"""Compares the engine's legal moves with an independent engine's.

Fairy-Stockfish, run as an outside process, plays random games and lists the
legal moves of every position on the way (`go perft 1`); `sittuyin_cli moves`
lists ours under the rule set PYCHESS. The lists must be equal, and so must
board, hands and side to move after each random move. Besides random games from
the start, made-up positions with half-deployed hands and with soldiers about
to promote are compared.

Known and left out: counting, where the law differs on purpose; and promotions
by a side whose general is still in hand, which the law denies and the oracle,
looking at the board alone, allows. No game reaches such a position.

Prints every other difference and the numbers; exits 1 on a difference.
"""

import argparse
import collections
import random
import re
import subprocess
import sys

START = "8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KFRRSSNNkfrrssnn] w - - 0 1"
BATCH = 50  # Positions sent to both engines before their answers are read.
MAX_PLIES = 300
DIAGONALS = {"w": "a8 b7 c6 d5 e5 f6 g7 h8", "b": "a1 b2 c3 d4 e4 f3 g2 h1"}


class Fairy:
    """Fairy-Stockfish as an oracle."""

    def __init__(self, path):
        self._process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._write("setoption name UCI_Variant value sittuyin\n")

    def _write(self, text):
        self._process.stdin.write(text)
        self._process.stdin.flush()

    def ask(self, positions):
        """A list of (FEN, set of moves) for each (FEN, moves) of a list.

        It counts in a thread of its own, so that the FEN of a position may be
        printed amid the moves of the one before: each kind has its own order.
        """
        self._write("".join(
            f"position fen {fen} moves {' '.join(moves)}\nd\ngo perft 1\n"
            for fen, moves in positions))
        fens, lists, found = [], [], set()
        while len(fens) < len(positions) or len(lists) < len(positions):
            line = self._process.stdout.readline()
            if line.startswith("Fen: "):
                fens.append(line[5:].strip())
            elif line.startswith("Nodes searched"):
                lists.append(found)
                found = set()
            elif match := re.fullmatch(r"(\S+): 1\n", line):
                found.add(match[1])
            elif not line:
                sys.exit("oracle.py: fairy-stockfish has ended")
        return list(zip(fens, lists))


class Ours:
    """sittuyin_cli in batch mode."""

    def __init__(self, path):
        self._process = subprocess.Popen(
            [path, "moves", "--rule_set=PYCHESS"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, positions):
        self._process.stdin.write("".join(
            f"{fen} moves {' '.join(moves)}\n" for fen, moves in positions))
        self._process.stdin.flush()
        for _ in positions:
            answer = self._process.stdout.readline().rstrip("\n")
            fen, _, found = answer.partition("\t")
            yield fen, set(found.split())


def essence(fen):
    """Board, hands in one order and side to move; clocks are left out."""
    board, side = fen.split()[:2]
    men, _, hands = board.rstrip("]").partition("[")
    return men, "".join(sorted(hands)), side


def without_clocks(fen):
    """The oracle's count may run where the law knows none."""
    return " ".join(fen.split()[:2] + ["- - 0 1"])


def lawful(fen, moves):
    """The oracle's moves less the promotions beside a general in hand."""
    _, hands, side = essence(fen)
    if own(side, "f") not in hands:
        return moves
    return {move for move in moves if kind_of(move) != "promotions"}


def kind_of(move):
    if "@" in move:
        return "drops"
    return "promotions" if len(move) == 5 else "steps and captures"


class Comparison:
    def __init__(self, fairy, ours):
        self._fairy = fairy
        self._ours = ours
        self.positions = 0
        self.kinds = collections.Counter()
        self.differences = 0

    def run(self, positions):
        """Compares; returns the oracle's (FEN, moves) of each position."""
        answers = []
        for asked, theirs, ours in zip(positions, self._fairy.ask(positions),
                                       self._ours.ask(positions)):
            theirs = without_clocks(theirs[0]), lawful(*theirs)
            self.positions += 1
            self.kinds.update(map(kind_of, theirs[1]))
            if (ours[0].startswith("error") or theirs[1] != ours[1]
                    or essence(theirs[0]) != essence(ours[0])):
                self.differences += 1
                print(f"differ at {asked[0]} moves {' '.join(asked[1])}\n"
                      f"  theirs: {theirs[0]}\n  ours:   {ours[0]}\n"
                      f"  theirs alone: {sorted(theirs[1] - ours[1])}\n"
                      f"  ours alone:   {sorted(ours[1] - theirs[1])}")
            answers.append(theirs)
        return answers


def random_games(compare, rng, wanted):
    """Compares `wanted` positions of random games, many games abreast."""
    games = [(START, [])] * BATCH
    plies = [0] * BATCH
    while wanted > 0:
        answers = compare.run(games)
        wanted -= len(games)
        for i, (fen, moves) in enumerate(answers):
            plies[i] += 1
            if not moves or plies[i] > MAX_PLIES:
                games[i], plies[i] = (START, []), 0
            else:
                games[i] = (fen, [rng.choice(sorted(moves))])


def to_fen(board, hands, side):
    rows = []
    for rank in "87654321":
        row = "".join(board.get(file + rank, "1") for file in "abcdefgh")
        rows.append(re.sub("1+", lambda ones: str(len(ones[0])), row))
    return f"{'/'.join(rows)}[{hands}] {side} - - 0 1"


def place(rng, board, man, squares):
    free = [square for square in squares if square not in board]
    if free:
        board[rng.choice(free)] = man


def squares_of(ranks):
    return [file + rank for file in "abcdefgh" for rank in ranks]


def own(side, men):
    return men.upper() if side == "w" else men.lower()


def deploying(rng):
    """Soldiers anywhere in the middle, some men down, the others in hand."""
    board, hands = {}, ""
    for side, zone, back in (("w", "123", "1"), ("b", "678", "8")):
        for _ in range(rng.randint(0, 8)):
            place(rng, board, own(side, "p"), squares_of("234567"))
        for man in "krrfssnn":
            if rng.random() < 0.1 and man != "k":
                continue  # Captured long ago.
            if rng.random() < 0.5:
                hands += own(side, man)
            else:
                where = back if man == "r" and rng.random() < 0.7 else zone
                place(rng, board, own(side, man), squares_of(where))
    return to_fen(board, hands, rng.choice("wb"))


def promoting(rng):
    """No generals for a side, soldiers on its diagonals, few other men."""
    board = {}
    everywhere = squares_of("12345678")
    for side in "wb":
        place(rng, board, own(side, "k"), everywhere)
        for _ in range(rng.choice((1, 1, 2, 3))):
            likely = rng.random() < 0.8
            place(rng, board, own(side, "p"),
                  DIAGONALS[side].split() if likely else everywhere)
        for man in rng.sample("frrssnn", rng.randint(0, 4)):
            if man != "f" or rng.random() < 0.3:
                place(rng, board, own(side, man), everywhere)
    return to_fen(board, "", rng.choice("wb"))


def possible(ours, fens):
    """Those that our engine takes for possible positions."""
    answers = ours.ask([(fen, []) for fen in fens])
    return [fen for fen, (answer, _) in zip(fens, answers)
            if not answer.startswith("error")]


def made_up(compare, ours, rng, make, wanted):
    while wanted > 0:
        fens = possible(ours, [make(rng) for _ in range(BATCH)])
        compare.run([(fen, []) for fen in fens[:wanted]])
        wanted -= len(fens)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", required=True, help="path of sittuyin_cli")
    parser.add_argument("--fairy", default="/usr/games/fairy-stockfish")
    parser.add_argument("--positions", type=int, default=3000,
                        help="of random games; half as many made up")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    rng = random.Random(args.seed)
    ours = Ours(args.cli)
    compare = Comparison(Fairy(args.fairy), ours)
    random_games(compare, rng, args.positions)
    for make in (deploying, promoting):
        made_up(compare, ours, rng, make, args.positions // 4)
    kinds = ", ".join(f"{n} {kind}" for kind, n in compare.kinds.items())
    print(f"{compare.positions} positions with {kinds}; "
          f"{compare.differences} differences (seed {args.seed})")
    return 1 if compare.differences or not compare.positions else 0


if __name__ == "__main__":
    sys.exit(main())
