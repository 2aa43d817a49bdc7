#!/usr/bin/env bash
# Builds the API reference from the docstrings into docs/api, or the folder given. Needs the extra `docs` in the
# environment of $PYTHON (python3). Any warning ends it with an error.
set -euo pipefail
absolute() { echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"; }
out=$(absolute "${1:-$(dirname "$0")/api}")
python=$(absolute "$(command -v "${PYTHON:-python3}")")
cd /   # away from the source tree: the package that is documented is the installed one
"$python" -W error -m pdoc --docformat markdown -o "$out" \
    ddz_solver ddz_solver.{core,game,ai,engine,adapters,train,web}
test -s "$out/ddz_solver.html" -a -s "$out/ddz_solver/ai/hints.html"
