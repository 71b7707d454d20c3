#!/usr/bin/env bash
# Builds the server on Debian 12 and runs it in the foreground:
#   deploy/run.sh [FLAG...]
# Flags go to the server as they are; --help lists them. Packages are installed
# only where missing, so that later runs need no network.
set -euo pipefail
# shellcheck source=deploy/steps.sh
. "$(dirname "$0")/steps.sh"
cd "$root"

step run-packages "step 1 of 4: packages"
install_packages build
step run-configure "step 2 of 4: configuring"
logged cmake --preset release -DSITTUYIN_TESTS=OFF
step run-build "step 3 of 4: building"
ninja_build build/release sittuyin_server
say "step 4 of 4: starting the server; Ctrl-C stops it"
exec build/release/bin/sittuyin_server "$@"
