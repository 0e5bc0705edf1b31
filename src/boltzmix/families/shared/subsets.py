"""Choosing some of many rows, from which scales and starts are taken."""


def strided(n: int, most: int) -> slice:
    """Return every m-th of n rows, with the least m that leaves at most `most` of them.

    Examples
    --------
    >>> strided(10, 4), list(range(10))[strided(10, 4)]
    (slice(None, None, 3), [0, 3, 6, 9])
    """
    return slice(None, None, -(-n // most))
