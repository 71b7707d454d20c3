#!/usr/bin/python3
"""Prints the line coverage of the parsers and of the law.

usage: table.py BUILD_FOLDER

The folder is built with the preset coverage, and its tests have run.
"""

import glob
import json
import os
import subprocess
import sys

# What a table's part is made of: files, or folders with all below.
PARTS = {
    "parsers": (
        "engine/notation/",
        "service/access/network.cc",
        "service/access/token_table.cc",
        "service/config/flag_types.cc",
        "service/config/flag_types.h",
        "service/convert/",
        "service/http/field_value.cc",
        "service/http/head_fault.cc",
        "service/http/json_reader.cc",
        "service/http/query_reader.cc",
        "service/http/query_text.cc",
        "service/http/quote.cc",
        "service/rpc/frame_guard.cc",
        "service/rpc/frame_guard.h",
        "service/telemetry/trace_context.cc",
    ),
    "law": ("engine/game/", "engine/rules/"),
}


# The compiler runs it, and nothing else does.
CONSTANT = "engine/rules/zobrist.h"


def lines_by_file(build):
    """Each file's path from here, with its lines and those that were reached."""
    profiles = glob.glob(f"{build}/profiles/*.profraw")
    merged = f"{build}/profiles/all.profdata"
    subprocess.run(["llvm-profdata", "merge", "-o", merged, *profiles],
                   check=True)
    # Programs that no test runs would add lines that none could reach.
    programs = [path for pattern in ("*_test", "fuzz_*")
                for path in glob.glob(f"{build}/bin/{pattern}")]
    export = subprocess.run(
        ["llvm-cov", "export", "-summary-only", f"-instr-profile={merged}",
         programs[0], *(f"-object={path}" for path in programs[1:])],
        check=True, stdout=subprocess.PIPE)
    # Paths are from the folder of the build, or from the root of all.
    return {os.path.relpath(os.path.join(build, file["filename"])):
            file["summary"]["lines"]
            for file in json.loads(export.stdout)["data"][0]["files"]}


def main():
    (build,) = sys.argv[1:]
    lines = lines_by_file(build)
    for part, places in PARTS.items():
        count = covered = 0
        for path in sorted(lines):
            if not path.startswith(places) or path == CONSTANT:
                continue
            file = lines[path]
            count += file["count"]
            covered += file["covered"]
            print(f"{path:44}{file['covered']:6} of {file['count']:6}"
                  f"{100 * file['covered'] / file['count']:8.1f} %")
        print(f"{'the ' + part:44}{covered:6} of {count:6}"
              f"{100 * covered / count:8.1f} %\n")


if __name__ == "__main__":
    main()
