"""Measure one method on one number of rows, and print the result as JSON.

Usage: python -m benchmarks.scale_fit METHOD ROWS SEED
"""

import json
import sys
from time import perf_counter

from .scale_methods import METHODS
from .scale_rows import LazyRows


def main() -> None:
    """Run what the command line names."""
    method, rows, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    started = perf_counter()
    found = METHODS[method].measure(LazyRows(rows, seed), seed)
    print(json.dumps(found | {"total": perf_counter() - started}))


if __name__ == "__main__":
    main()
