"""The files tests/data/golden/<rpc>/<case>.{request,reply}.json.

A reply is written from the law, not from the server. What the law does not
tell stands there as
  "*"     some value,
  "?"     some value or none,
  "NAME*" a text that begins so.
Moves are compared in any order where the law only says that it is fixed.
Analyze's reply is its last message. A case whose name begins with `json_` is
about the text, and for the REST door alone.
"""

import json
import pathlib

ROOT = pathlib.Path("tests/data/golden")


class Case:
    def __init__(self, path):
        self.rpc = path.parent.name
        self.name = path.name.removesuffix(".request.json")
        self.request = path.read_text(encoding="utf-8")
        reply = path.with_name(f"{self.name}.reply.json")
        self.reply = json.loads(reply.read_text(encoding="utf-8"))

    def __str__(self):
        return f"{self.rpc}/{self.name}"

    @property
    def is_text(self):
        return self.name.startswith("json_")

    @property
    def is_refusal(self):
        return "code" in self.reply


def cases():
    return [Case(path) for path in sorted(ROOT.glob("*/*.request.json"))]


def differences(want, got, path=""):
    """Where `got` is not what `want` tells, a line each."""
    if want in ("*", "?"):
        return
    if isinstance(want, dict) and isinstance(got, dict):
        for key in sorted(want.keys() | got.keys()):
            at = f"{path}.{key}"
            if key not in want:
                yield f"{at}: {got[key]!r} is not wanted"
            elif key not in got:
                if want[key] != "?":
                    yield f"{at}: missing, want {want[key]!r}"
            else:
                yield from differences(want[key], got[key], at)
    elif isinstance(want, list) and isinstance(got, list):
        if path in (".moves", ".legalMoves"):
            want, got = (sorted(moves, key=lambda move: move["uci"])
                         for moves in (want, got))
        if len(want) != len(got):
            yield f"{path}: {len(got)} items, want {len(want)}: {got!r}"
        for i, (wanted, item) in enumerate(zip(want, got)):
            yield from differences(wanted, item, f"{path}[{i}]")
    elif isinstance(want, str) and want.endswith("*"):
        if not (isinstance(got, str) and got.startswith(want[:-1])):
            yield f"{path}: {got!r}, want {want!r}"
    elif want != got or type(want) is not type(got):
        yield f"{path}: {got!r}, want {want!r}"


def without(name, value):
    """`value` less every field called `name`."""
    if isinstance(value, dict):
        return {key: without(name, item) for key, item in value.items()
                if key != name}
    if isinstance(value, list):
        return [without(name, item) for item in value]
    return value


def texts(value):
    """Every text in `value`."""
    if isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, str):
        yield value
