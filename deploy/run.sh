#!/usr/bin/env bash
# Builds the server on Debian 12 and runs it in the foreground:
#   deploy/run.sh [--container] [FLAG...]
# Flags go to the server as they are: README.md lists them, and --help does once
# the server is built. Packages are installed only where missing, so that later
# runs need no network. With --container, as root, the image is built and run
# instead.
set -euo pipefail
# shellcheck source=deploy/steps.sh
. "$(dirname "$0")/steps.sh"
cd "$root"

readonly server=build/release/bin/sittuyin_server

if [[ ${1-} == --help ]]; then
  explain
  [[ ! -x $server ]] || exec "$server" --help
  exit
fi

if [[ ${1-} == --container ]]; then
  deploy/image.sh
  exec deploy/image/confined.sh localhost/sittuyin:latest "${@:2}"
fi

step run-packages "step 1 of 4: packages"
install_packages build
step run-configure "step 2 of 4: configuring"
logged cmake --preset release -DSITTUYIN_TESTS=OFF
step run-build "step 3 of 4: building"
ninja_build build/release sittuyin_server
say "step 4 of 4: starting the server; Ctrl-C stops it"
exec "$server" "$@"
