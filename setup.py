"""Builds the compiled core (ext/ddz_solver/core/*.pyx); everything else about the package is in pyproject.toml.

Environment: DDZ_DEBUG=1 builds with bounds checks and C assertions, DDZ_COVERAGE=1 with counters for gcov, which also
count what runs without the GIL (bench/coverage.sh).
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG, COVERAGE = (os.environ.get(name, "") not in ("", "0") for name in ("DDZ_DEBUG", "DDZ_COVERAGE"))
CORE = Path("ext/ddz_solver/core")

if sys.platform == "win32":
    compile_args = ["/Od"] if DEBUG else ["/O2"]
else:
    optimise = ["-O1"] if "-fsanitize" in os.environ.get("CFLAGS", "") else ["-O3", "-fno-math-errno"]
    compile_args = ["-O1", "-g", "-UNDEBUG"] if DEBUG else optimise
link_args = []
if COVERAGE:
    compile_args = ["-O1", "--coverage", "-fprofile-update=atomic"]
    link_args = ["--coverage"]

extensions = [
    Extension(
        f"ddz_solver.core.{source.stem}",
        [source.as_posix()],
        include_dirs=[CORE.as_posix()],
        extra_compile_args=compile_args,
        extra_link_args=link_args,
    )
    for source in sorted(CORE.glob("*.pyx"))
]

setup(
    ext_modules=cythonize(
        extensions,
        include_path=["ext"],
        build_dir="build/cython",
        compiler_directives={
            "language_level": "3",
            "cdivision": True,
            "boundscheck": DEBUG,
            "wraparound": False,
            "initializedcheck": DEBUG,
            "embedsignature": True,
        },
    ),
)
