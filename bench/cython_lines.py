"""Which lines of the .pyx and .pxd files ran, from the counters of a build with DDZ_COVERAGE=1 (bench/coverage.sh).

Cython writes the place of every statement as a comment above its C code; gcov counts the lines of C. A line of Cython
is one that has code in the body of a function, and ran if any of that code did. Wrappers that unpack arguments, and the
code that sets up a module, are left out.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

_PLACE = re.compile(r'\s*/\* "(ddz_solver/core/\w+\.p(?:yx|xd))":(\d+)$')
#: What Cython calls the bodies of functions in C: of `cdef` functions, of Python functions, of generators.
_BODIES = ("__pyx_f_", "__pyx_pf_", "__pyx_gb_")

Runs = dict[str, dict[int, int]]
"""How often the lines of each source file ran."""


def places(c_file: Path) -> Iterator[tuple[str, int] | None]:
    """The Cython file and line behind every line of C, in order."""
    place: tuple[str, int] | None = None
    for line in c_file.read_text(encoding="utf-8").splitlines():
        if found := _PLACE.match(line):
            place = found[1], int(found[2])
        yield place
        if line.startswith("}"):
            place = None


def count(build: Path) -> Runs:
    """What ran of everything that was built in a folder, the same line in several modules once."""
    runs: Runs = defaultdict(dict)
    for notes in sorted(build.glob("temp.*/build/cython/ext/ddz_solver/core/*.gcno")):
        c_file = build / f"cython/ext/ddz_solver/core/{notes.stem}.c"
        behind = list(places(c_file))
        told = subprocess.run(["gcov", "--json-format", "--stdout", notes], capture_output=True, check=True).stdout
        for file in json.loads(told)["files"]:
            name = Path(file["file"]).name
            for line in file["lines"]:
                number, place = line["line_number"], None
                if name == c_file.name and line.get("function_name", "").startswith(_BODIES):
                    place = behind[number - 1]
                elif name == "kernels.h":
                    place = "ddz_solver/core/kernels.h", number
                if place is not None:
                    lines = runs[place[0]]
                    lines[place[1]] = max(lines.get(place[1], 0), line["count"])
    return runs


def ranges(numbers: list[int]) -> str:
    """Ascending numbers as `3-5, 8`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1] = [parts[-1][0], number]
        else:
            parts.append([number])
    return ", ".join("-".join(map(str, part)) for part in parts)


def main() -> int:
    """Prints the table; 1 below the bar."""
    parser = argparse.ArgumentParser(prog="python -m bench.cython_lines", description="Lines of Cython that ran.")
    parser.add_argument("build", type=Path, help="setuptools' build folder")
    parser.add_argument("--fail-under", type=float, default=0, metavar="PERCENT", help="the least share of lines")
    args = parser.parse_args()
    runs = count(args.build)
    total = sum(map(len, runs.values()))
    if not total:
        raise SystemExit(f"{args.build}: nothing that was built with DDZ_COVERAGE=1")
    print(f"{'Name':40}{'Lines':>7}{'Miss':>7}{'Cover':>8}   Missing")
    missed = 0
    for name, lines in sorted(runs.items()):
        missing = sorted(number for number, times in lines.items() if not times)
        missed += len(missing)
        if missing:
            share = 100 * (1 - len(missing) / len(lines))
            print(f"{name:40}{len(lines):7}{len(missing):7}{share:7.0f}%   {ranges(missing)}")
    share = 100 * (1 - missed / total)
    print(f"{'TOTAL of Cython':40}{total:7}{missed:7}{share:7.1f}%")
    if share < args.fail_under:
        print(f"Coverage failure: {share:.1f} is less than {args.fail_under:g}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
