#!/usr/bin/env bash
# Which lines of Python and of Cython the quick tests run: builds the compiled core with gcov's counters in a folder of
# its own, runs the tests there under coverage.py, prints both tables, and ends with an error below 95 % of the Python or
# 90 % of the Cython lines. Needs gcc, and the extra `dev` in the environment of $PYTHON (python3); without the extra
# `peers` the adapters to those programs count as not run.
#
#   bash bench/coverage.sh                all quick tests, three minutes
#   bash bench/coverage.sh tests/test_solver.py -k win        these alone
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(command -v "${PYTHON:-python3}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -c --exclude='*.so' --exclude=__pycache__ --exclude=.venv --exclude=.git --exclude=build --exclude=work . | tar -x -C "$work"
cd "$work"

DDZ_COVERAGE=1 "$python" setup.py -q build_ext --inplace -j2 >build.log 2>&1 || { tail -30 build.log; exit 1; }
export COVERAGE_FILE=$work/build/.coverage
status=0
"$python" -m coverage run -m pytest -n 2 -p no:cacheprovider "$@" || status=1
"$python" -m coverage combine -q
"$python" -m coverage report --show-missing || status=1
"$python" -m bench.cython_lines build --fail-under 90 || status=1
exit $status
