#!/usr/bin/env bash
# Builds the container image localhost/sittuyin:VERSION, and :latest, as root on
# Debian 12:
#   deploy/image.sh [--no-cache]
# With --no-cache it begins at the packages again. Where no base image can be
# pulled, one is made from Debian's packages.
set -euo pipefail
# shellcheck source=deploy/steps.sh
. "$(dirname "$0")/steps.sh"
cd "$root"
case $* in
  '' | --no-cache) ;;
  --help) explain && exit ;;
  *) die "unknown option '$*'; see --help" ;;
esac

readonly base=docker.io/library/debian:bookworm-slim

step image-packages "image, step 1 of 3: packages"
install_packages image

step image-base "image, step 2 of 3: base"
make_base() {
  mmdebstrap --variant=minbase bookworm - | podman import - $base
}
podman image exists $base || podman pull --quiet $base >>"$log" 2>&1 ||
  logged make_base

step image-build "image, step 3 of 3: building"
version=$(sed -n 's/^project(sittuyin VERSION \([^ ]*\).*/\1/p' CMakeLists.txt)
commit=$(git describe --always --abbrev=40 --exclude='*' --dirty)
epoch=$(git log -1 --format=%ct)
options=(
  --layers --isolation chroot --network host --pull-never
  --file deploy/Dockerfile
  --build-arg "VERSION=$version"
  --build-arg "COMMIT=$commit"
  --build-arg "SOURCE_DATE_EPOCH=$epoch"
)
url=$(git remote get-url origin 2>/dev/null || true)
[[ $url != https://* ]] || options+=(--build-arg "SOURCE=$url")
# Objects that this machine has compiled before. They are known by the time of
# the compiler, so that only the last stage may have its times set.
ccache=$(ccache --get-config=cache_dir 2>/dev/null || true)
[[ ! -d $ccache ]] || options+=(--volume "$ccache:/root/.cache/ccache")
# Drops the layers and images that bear no name any more.
prune() {
  logged podman image prune --force \
    --filter label=org.opencontainers.image.title=sittuyin
}
logged buildah build "${options[@]}" --target build \
  --tag localhost/sittuyin-build "$@" .
prune # Or the next would take older layers that fit, --no-cache or not.
logged buildah build "${options[@]}" --timestamp "$epoch" \
  --tag "localhost/sittuyin:$version" --tag localhost/sittuyin:latest .
prune
say "image localhost/sittuyin:$version"
