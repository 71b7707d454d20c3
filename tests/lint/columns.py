#!/usr/bin/python3
"""columns.py FILE...: prose ends at 80 columns. Tables, and what is fenced or
indented as commands are, may be longer."""

import pathlib
import sys


def too_long(text):
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.startswith("```")
        if len(line) > 80 and not fenced and not line.startswith(("|", "    ")):
            yield number


found = [f"{name}:{number}: over 80 columns" for name in sys.argv[1:]
         for number in too_long(pathlib.Path(name).read_text("utf-8"))]
sys.exit("\n".join(found) or None)
