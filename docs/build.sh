#!/usr/bin/env bash
# Builds the API reference from the docstrings into docs/api, or the folder given. Needs the extra `docs` in the
# environment of $PYTHON (python3). Any warning ends it with an error.
set -euo pipefail
out=${1:-$(dirname "$0")/api}
"${PYTHON:-python3}" -W error -m pdoc --docformat markdown -o "$out" \
    ddz_solver ddz_solver.{core,game,ai,engine,adapters,train,web}
test -s "$out/ddz_solver.html" -a -s "$out/ddz_solver/ai/hints.html"
