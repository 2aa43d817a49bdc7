#!/usr/bin/env bash
# Builds the compiled core with AddressSanitizer and UndefinedBehaviorSanitizer in a folder of its own, and runs the
# fuzzer and the tests of the core there. Any report ends it with an error. Needs gcc, and Cython and the test tools in
# the environment of $PYTHON (python3).
#
#   bash bench/sanitize.sh                100 000 fuzzed inputs, about six minutes
#   bash bench/sanitize.sh 1000000 7      so many inputs, from this seed
set -euo pipefail
cd "$(dirname "$0")/.."
inputs=${1:-100000} seed=${2:-1} python=$(command -v "${PYTHON:-python3}")
tests="test_core test_moves_reference test_rules_counts test_hands_to_go test_features test_net test_sample test_misuse"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -c --exclude='*.so' --exclude=__pycache__ ext ddz_solver tests bench setup.py pyproject.toml README.md LICENSE | tar -x -C "$work"
cd "$work"

flags="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
CFLAGS="$flags -fno-omit-frame-pointer -g" LDFLAGS="$flags" "$python" setup.py -q build_ext --inplace -j2 >build.log 2>&1 ||
    { tail -30 build.log; exit 1; }

export LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1
export PYTHONMALLOC=malloc # every object of Python is a block of its own and watched
"$python" -m bench.fuzz --inputs "$inputs" --seed "$seed"
"$python" -m pytest -q -p no:cacheprovider $(printf 'tests/%s.py ' $tests)
