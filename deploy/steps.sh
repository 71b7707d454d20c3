# shellcheck shell=bash
# Sourced by the scripts: steps with progress and elapsed time, one clear line
# on failure, packages installed only where missing.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
script=$(realpath --relative-to="$root" "$0")
logs=$root/build/log
log=/dev/null # Of the present step.
doing=

say() { printf '[%4ss] %s\n' "$SECONDS" "$*"; }

# Prints the comment that the script begins with.
explain() { sed -n '2,/^[^#]/s/^# //p' "$root/$script"; }

die() {
  printf '%s: %s\n' "$script" "$*" >&2
  exit 1
}

# step NAME TEXT: begins a step whose commands log to NAME.log.
step() {
  mkdir -p "$logs"
  log=$logs/$1.log
  doing=$2
  : >"$log"
  say "$doing"
}

# Ends the script with one line that quotes the first error of the log.
fail_step() {
  local why
  why=$(grep -m1 -A2 '^CMake Error' "$log" ||
    grep -m1 -E '(error|Error|ERROR|fatal|^E): ' "$log" || tail -n1 "$log")
  why=$(tr -s '\n ' ' ' <<<"$why")
  die "$doing: failed after ${SECONDS}s: $why (all of it in $log)"
}

# Runs a command of the present step into its log.
logged() { "$@" >>"$log" 2>&1 </dev/null || fail_step; }

# Prints `WORD N of TOTAL` where that begins another tenth of the way.
tenth() {
  local word=$1 n=$2 total=$3
  ((10 * n / total == 10 * (n - 1) / total)) || say "  $word $n of $total"
}

# ninja_build FOLDER TARGET...: builds, with a line at each tenth of the way.
ninja_build() {
  local folder=$1 line
  shift
  NINJA_STATUS='[%f %t] ' ninja -C "$folder" "$@" 2>&1 </dev/null |
    tee -a "$log" | while IFS= read -r line; do
      if [[ $line =~ ^\[([0-9]+)\ ([0-9]+)\] ]]; then
        tenth built "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
      fi
    done || fail_step
}

# Lists the packages of the given uses that are missing.
missing_packages() {
  local use package command
  while read -r use package command; do
    [[ " $* " == *" $use "* ]] || continue
    [[ -n $command ]] && command -v "$command" >/dev/null && continue
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == \
      installed ]] || echo "$package"
  done < <(grep -v '^#' "$root/deploy/packages")
}

# Installs what is missing of the given uses; only then root and a package
# mirror are needed.
install_packages() {
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  say "  missing: ${missing[*]}"
  ((EUID == 0)) || as_root=(sudo -n)
  logged "${as_root[@]}" apt-get update -q
  logged "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qy --no-install-recommends "${missing[@]}"
}
