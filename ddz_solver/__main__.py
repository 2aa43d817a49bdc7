"""`python -m ddz_solver` is the `ddz` command."""

import sys

from ddz_solver.cli import main

if __name__ == "__main__":
    sys.exit(main())
