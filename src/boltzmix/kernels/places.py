"""Where rows are found among other rows."""

from typing import Any

from .compile import kernel, part


@kernel()
def find_rows(rows: Any, order: Any, asked: Any, found: Any) -> None:
    """Write the index of each of some rows among others, or -1, by bisection.

    Parameters
    ----------
    rows : array, shape (n, d)
        In ascending order of the first column, then the second, and so on.
    order : array of int, shape (n,)
        The index of each of these rows.
    asked : array, shape (q, d)
    found : array of int, shape (q,)
        Changed.
    """
    n, d = rows.shape
    for i in range(len(asked)):
        found[i] = -1
        low, high = 0, n
        while low < high:
            middle = (low + high) // 2
            if _is_below(rows[middle], asked[i]):
                low = middle + 1
            else:
                high = middle
        if low < n:
            same = True
            for j in range(d):
                same = same and rows[low, j] == asked[i, j]
            if same:
                found[i] = order[low]


@part()
def _is_below(one: Any, other: Any) -> bool:
    """Return whether a row comes before another."""
    for j in range(len(one)):
        if one[j] != other[j]:
            return one[j] < other[j]
    return False
