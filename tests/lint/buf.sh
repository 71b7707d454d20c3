#!/usr/bin/env bash
# Our package against all of buf's standard rules, without exceptions.
set -euo pipefail
cd protos
export BUF_CACHE_DIR=../build/npm/buf-cache
../build/npm/node_modules/.bin/buf lint --path sittuyin
../build/npm/node_modules/.bin/buf build -o /dev/null
