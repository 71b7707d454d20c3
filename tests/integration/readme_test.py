#!/usr/bin/python3
"""README.md tells the truth: its calls work as pasted, its table of flags and
its metrics are the server's."""

import argparse
import re
import shlex
import subprocess
import sys
import unittest

from server import Server

PORTS = {"50051": "grpc", "8080": "rest", "9464": "admin"}
OPENING, CALLS, ACCESS = slice(0, 1), slice(1, 6), slice(6, 9)
EXPECTED = {  # What a call of the README must print, in their order.
    "validate-move": "VIOLATION_REASON_CHARIOT_OFF_BACK_RANK",
    "legal-moves": r'"uci": ?"R@a8"',
    "BestMove": r"[KFSNR]@[a-h][678] \S+ b - - 0 1",
    "GameStatus": r'"PHASE_DEPLOYMENT"',
    "RESULT_ONGOING": r"\d+ RESULT_(RED|BLACK)_WINS|\d+ RESULT_DRAW",
}


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


class ReadmeTest(unittest.TestCase):
    server_path = None

    @classmethod
    def setUpClass(cls):
        with open("README.md", encoding="utf-8") as file:
            cls.text = file.read()
        cls.server = Server(cls.server_path)

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0

    def run_block(self, block, server=None):
        for port, door in PORTS.items():
            block = block.replace(f"localhost:{port}",
                                  getattr(server or self.server, door))
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", block],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_opens_with_the_two_commands(self):
        commands, = blocks(self.text, "sh")[OPENING]
        self.assertEqual([line.split()[0] for line in commands.splitlines()],
                         ["./deploy/run.sh", "./tests/run.sh"])

    def test_scripts_explain_themselves(self):
        def answer(script, *options):
            done = subprocess.run([script, *options], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.PIPE, timeout=10)
            return done.returncode, done.stdout, done.stderr

        for script in ("deploy/image.sh", "deploy/run.sh", "tests/run.sh"):
            code, told, wrong = answer(script, "--help")
            self.assertEqual((code, wrong), (0, ""))
            self.assertIn(script, told)
        for script, *options in (("tests/run.sh", "--helm"),
                                 ("deploy/image.sh", "--helm"),
                                 ("deploy/image.sh", "--no-cache", "--helm")):
            self.assertEqual(answer(script, *options), (
                1, "", f"{script}: unknown option '{' '.join(options)}'; "
                "see --help\n"))

    def test_calls_answer_as_pasted(self):
        calls = blocks(self.text, "sh")[CALLS]
        self.assertEqual(len(calls), len(EXPECTED))
        for call, (name, expected) in zip(calls, EXPECTED.items()):
            with self.subTest(name):
                self.assertIn(name, call)
                self.assertRegex(self.run_block(call), expected)

    def test_access_works_as_pasted(self):
        make, start, call = blocks(self.text, "sh")[ACCESS]
        self.run_block(make)
        program, *flags = shlex.split(start.replace("\\\n", ""))
        self.assertEqual(program, "build/release/bin/sittuyin_server")
        with Server(self.server_path, *flags) as server:
            told = self.run_block(call, server)
            for part in ('"RULE_SET_YOUZAI"', '"PHASE_DEPLOYMENT"'):
                self.assertIn(part, told)
            # Neither answers without a certificate, or without a token.
            for needed in (r"--cert \S+ --key \S+", r'-H "authorization.*?"'):
                for command in re.split(r"\n(?=build/)", call):
                    without = re.sub(needed, "", command)
                    self.assertNotEqual(without, command)
                    with self.subTest(without):
                        told = self.run_block(f"{{ {without}\n}} || true",
                                              server)
                        self.assertNotRegex(told, '"RULE_SET_|"PHASE_')

    def test_flags_are_those_of_help(self):
        help_text = subprocess.run([self.server_path, "--help"], check=True,
                                   stdout=subprocess.PIPE, text=True).stdout
        real = dict(re.findall(r"^ *--(\w+) \(default (.*?)\)", help_text, re.M))
        for question in ("help", "version"):
            del real[question]
        told = dict(re.findall(r"^\| `--(\w+)` \| `(.*?)` \|", self.text, re.M))
        self.assertEqual(told, real)

    def test_metrics_are_there(self):
        self.run_block(blocks(self.text, "sh")[1])
        metrics = self.server.metrics()
        told = re.findall(r"^\| `(sittuyin_\w+)` \|", self.text, re.M)
        self.assertGreater(len(told), 5)
        for name in told:
            self.assertRegex(metrics, rf"(?m)^# TYPE {name} ")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    args, rest = parser.parse_known_args()
    ReadmeTest.server_path = args.server
    unittest.main(argv=sys.argv[:1] + rest)
