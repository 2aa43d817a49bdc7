"""Builds the compiled core (ext/ddz_solver/core/*.pyx); everything else about the package is in pyproject.toml.

Environment: DDZ_DEBUG=1 builds with bounds checks, C assertions and line tracing for coverage.
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("DDZ_DEBUG", "") not in ("", "0")
CORE = Path("ext/ddz_solver/core")

if sys.platform == "win32":
    compile_args = ["/Od"] if DEBUG else ["/O2"]
else:
    optimise = ["-O1"] if "-fsanitize" in os.environ.get("CFLAGS", "") else ["-O3", "-fno-math-errno"]
    compile_args = ["-O1", "-g", "-UNDEBUG"] if DEBUG else optimise

extensions = [
    Extension(
        f"ddz_solver.core.{source.stem}",
        [source.as_posix()],
        include_dirs=[CORE.as_posix()],
        extra_compile_args=compile_args,
        define_macros=[("CYTHON_TRACE_NOGIL", "1"), ("CYTHON_USE_SYS_MONITORING", "0")] if DEBUG else [],
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
            "linetrace": DEBUG,
            "embedsignature": True,
        },
    ),
)
