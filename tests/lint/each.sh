#!/usr/bin/env bash
# each.sh "GLOB..." -- COMMAND...: runs the command on every tracked file that
# matches, two at a time; fails if it does for any, or if there is none.
set -euo pipefail
read -ra globs <<<"$1"
shift 2
files=$(git ls-files -- "${globs[@]}")
[[ -n $files ]] || { echo "no file matches ${globs[*]}" && exit 1; }
echo "$(wc -l <<<"$files") files"
xargs -P2 -n4 "$@" <<<"$files"
