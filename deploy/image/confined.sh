#!/usr/bin/env bash
# Runs the image by podman on the host's network, confined as in the cluster:
#   deploy/image/confined.sh [OPTION-OF-PODMAN...] IMAGE [FLAG...]
set -euo pipefail
# Podman's own limits are more than some machines grant.
exec podman run --rm --network host --read-only --read-only-tmpfs=false \
  --cap-drop ALL --security-opt no-new-privileges \
  --ulimit "nofile=$(ulimit -Hn)" --ulimit nproc=4096 "$@"
